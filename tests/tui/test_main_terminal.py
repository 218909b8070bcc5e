"""The program in a terminal of its own: however it ends, the terminal is as before."""

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

from heat_tui.terminal.environment import speaks_unicode

ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
SHOW_CURSOR = "\x1b[?25h"


class Terminal:
    """A program at one end of a pseudo terminal, the test at the other.

    Attributes:
        folder: The one that the program is in.
    """

    folder = Path()

    def __init__(self, arguments: list[str], path: Path, variables: dict[str, str]) -> None:
        self.ours, self.theirs = pty.openpty()
        ioctl(self.ours, TIOCSWINSZ, pack("HHHH", 24, 80, 0, 0))
        self.before = tcgetattr(self.theirs)
        self.text = ""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
        environment |= {
            "XDG_CONFIG_HOME": str(path / "config"),
            "XDG_STATE_HOME": str(path / "state"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **variables,
        }
        self.process = subprocess.Popen(
            self.command(arguments),
            cwd=self.folder,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment,
        )

    def command(self, arguments: list[str]) -> list[str]:
        """Give what is started."""
        return [sys.executable, "-m", "heat_tui", *arguments]

    def wait_for(self, text: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < deadline, f"{text!r} did not come: {self.text[-2000:]!r}"
            self.read(0.1)

    def read(self, seconds: float) -> bool:
        """Take what is drawn, and tell whether anything came in that time."""
        ready, _, _ = select.select([self.ours], [], [], seconds)
        if ready:
            self.text += os.read(self.ours, 65_536).decode(errors="replace")
        return bool(ready)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def wait(self, seconds: float = 60) -> int:
        deadline = time.monotonic() + seconds
        while (code := self.process.poll()) is None:
            assert time.monotonic() < deadline, "the program does not end"
            self.read(0.1)
        while self.read(0.1):
            pass
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@contextmanager
def terminal(*arguments: str, path: Path, **variables: str) -> Iterator[Terminal]:
    program = Terminal(list(arguments), path, variables)
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
@pytest.mark.spec("APP-6.7")
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
        (log,) = (tmp_path / "state" / "heat-tui").glob("server-*.log")
        assert "listening on" in log.with_suffix(".out").read_text()
        program.press("\x03")
        assert program.wait() == 130
        assert "stopping" in log.read_text()
        assert list((tmp_path / "state" / "heat-tui" / "sessions").iterdir()) == []


@pytest.mark.parametrize("command", ["play", "learn"])
def test_a_race_is_raced_under_the_name_that_was_given(tmp_path: Path, command: str) -> None:
    with terminal(command, "--name", "Ottilie", path=tmp_path) as program:
        program.wait_for("Ottilie")


@pytest.mark.parametrize(
    "environment",
    [
        {"TERM": "linux"},
        {"TERM": "vt100"},
        {"TERM": "xterm", "COLORTERM": ""},
        {"LANG": "C", "LC_ALL": "C"},
        {"TEXTUAL_COLOR_SYSTEM": "standard"},
    ],
)
def test_poor_terminals_play_too(tmp_path: Path, environment: dict[str, str]) -> None:
    with terminal("play", "--laps", "1", "--legends", "1", path=tmp_path, **environment) as program:
        program.wait_for("SHIFT")
        program.press("\x03")
        assert program.wait() == 130
        if "LANG" in environment:
            assert program.text.replace("▏", "").isascii()


def test_without_colour_everything_is_still_there(tmp_path: Path) -> None:
    with terminal(path=tmp_path, NO_COLOR="1") as program:
        program.wait_for("Settings")
        program.press("q")
        assert program.wait() == 0


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, True),
        ({"LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "C.utf8"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, False),
        ({"LANG": "de_DE.UTF-8", "TERM": "linux"}, False),
        ({"LANG": "de_DE.UTF-8", "TERM": "xterm-256color"}, True),
    ],
)
def test_signs_follow_the_locale_and_the_console(environment: dict[str, str], expected: bool) -> None:
    assert speaks_unicode(environment) == expected


def test_a_terminal_of_256_colours_gets_the_fixed_ones(tmp_path: Path) -> None:
    with terminal(*("play", "--laps", "1", "--legends", "1"), path=tmp_path, COLORTERM="") as program:
        program.wait_for("SHIFT")
        assert "48;5;160m" in program.text, "the red car"
        assert "48;5;166m" not in program.text
        assert "38;2;" not in program.text
