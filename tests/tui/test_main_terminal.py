"""The program in a terminal of its own: however it ends, the terminal is as before (CASES 6)."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ, tcgetattr

import pytest

ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
SHOW_CURSOR = "\x1b[?25h"


class Terminal:
    """A program at one end of a pseudo terminal, the test at the other."""

    def __init__(self, arguments: list[str], path: Path, size: tuple[int, int] = (80, 24)) -> None:
        self.ours, self.theirs = pty.openpty()
        ioctl(self.ours, TIOCSWINSZ, pack("HHHH", size[1], size[0], 0, 0))
        self.before = tcgetattr(self.theirs)
        self.text = ""
        environment = os.environ | {
            "XDG_CONFIG_HOME": str(path / "config"),
            "XDG_STATE_HOME": str(path / "state"),
            "TERM": "xterm-256color",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "heat_tui", *arguments],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment,
        )

    def wait_for(self, text: str, seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < deadline, f"{text!r} did not come: {self.text[-2000:]!r}"
            self._read(0.1)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.ours], [], [], seconds)
        if ready:
            self.text += os.read(self.ours, 65_536).decode(errors="replace")
        return bool(ready)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def wait(self, seconds: float = 20) -> int:
        deadline = time.monotonic() + seconds
        while (code := self.process.poll()) is None:
            assert time.monotonic() < deadline, "the program does not end"
            self._read(0.1)
        while self._read(0.1):
            pass
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@contextmanager
def terminal(*arguments: str, path: Path) -> Iterator[Terminal]:
    program = Terminal(list(arguments), path)
    try:
        yield program
    finally:
        program.close()


@pytest.mark.parametrize(
    ("end", "code", "last_line"),
    [
        ("\x03", 130, "heat-tui was interrupted."),
        ("q", 0, ""),
        ("\x11", 0, ""),
        (signal.SIGTERM, 143, "heat-tui was ended by SIGTERM."),
        (signal.SIGHUP, 129, "heat-tui was ended by SIGHUP."),
    ],
)
def test_the_terminal_is_as_before(
    tmp_path: Path, end: str | signal.Signals, code: int, last_line: str
) -> None:
    with terminal(path=tmp_path) as program:
        program.wait_for("Settings")
        if isinstance(end, str):
            program.press(end)
        else:
            program.process.send_signal(end)
        assert program.wait() == code
        assert program.text.count(ALTERNATE) == program.text.count(NORMAL) == 1
        after = program.text.split(NORMAL)[1]
        assert SHOW_CURSOR in program.text[program.text.rindex(ALTERNATE) :]
        assert last_line in after
        assert "Traceback" not in after
        assert tcgetattr(program.theirs) == program.before


def test_host_starts_a_server_and_ends_it_with_the_client(tmp_path: Path) -> None:
    with terminal("host", "--name", "Ana", path=tmp_path) as program:
        program.wait_for("To join: heat-tui connect")
        log = next((tmp_path / "state" / "heat-tui").glob("server-*.log"))
        assert "listening on" in log.read_text()
        program.press("\x03")
        assert program.wait() == 130
        assert "stopping" in log.read_text()
