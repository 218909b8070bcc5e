"""Home in lines, at a real terminal and with real servers: one that is hosted, one that is joined."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heat_core.wire.address import Address, parse_address
from heat_tui.client.session_file import saved_sessions
from heat_tui.flow.home import SERVER_ENDS
from tests.patience import PATIENCE_SECONDS
from tests.tui.support_plain import MENU, READ_SECONDS, Walker, example_in, folders_of_program, program


class Guest:
    """Somebody who opens a room alone, races there, and goes back to the menu."""

    def __init__(self, *chosen: str) -> None:
        self._chosen = iter(chosen)
        self._changes: list[str] = []

    def answer(self, prompt: str) -> str:
        if prompt.startswith(MENU):
            self._changes = ["set laps 1", "set places 2", "set legends 1"]
            return next(self._chosen)
        if "Type start" in prompt and self._changes:
            return self._changes.pop(0)
        return "yes" if "yes or no" in prompt else example_in(prompt)


def test_a_server_is_hosted_from_home_raced_at_and_ended_with_the_program(tmp_path: Path) -> None:
    with program(tmp_path, HEAT_TUI_NO_LAN="1") as run:
        text = run.play(Guest("host", "quit").answer)
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert "Starting a server on this machine." in text
    assert "The race is over" in text
    assert "Quit?\nThe server on this machine and all its races end, too." in text
    assert saved_sessions(folders_of_program(tmp_path)) == [], "there is nothing to go back to"


def test_a_server_is_joined_from_home_and_offered_again(tmp_path: Path, address: Address) -> None:
    typed = iter([str(address), ""])

    def answer(prompt: str) -> str:
        if "a server's address" in prompt:
            return next(typed)
        if prompt.startswith("Type a room's code"):
            return "new"
        return guest.answer(prompt)

    guest = Guest("join", "join", "quit")
    with program(tmp_path, HEAT_TUI_NO_LAN="1") as run:
        text = run.play(answer)
        assert run.process.wait(PATIENCE_SECONDS) == 0
    assert text.count("The race is over") == 2
    assert f"Enter takes {address}." in text
    assert text.count("\nHome.\n") == 3


def test_at_a_terminal_of_80_columns_all_is_typed_and_shown_as_lines(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HEAT_TUI_NO_LAN": "1",
    }
    walker = Walker(iter(["n", "r", "q"]))
    text = ""
    with subprocess.Popen(
        [sys.executable, "-m", "heat_tui", "--plain"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    ) as process:
        os.close(terminal)
        deadline = time.monotonic() + READ_SECONDS
        unread = ""
        while time.monotonic() < deadline:
            if not select.select([controller], [], [], 1.0)[0]:
                continue
            try:
                data = os.read(controller, 65_536).decode()
            except OSError:
                break  # the program has closed the terminal
            text, unread = text + data, unread + data
            if unread.endswith(" > "):
                prompt = unread.splitlines()[-1].removesuffix(" > ")
                unread = ""
                os.write(controller, f"{walker.answer(prompt)}\n".encode())
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(controller)
    assert "The race is over" in text
    assert text.count("Home.") == 3
    assert "\x1b" not in text


@pytest.mark.parametrize("way", ["signal", "end of input", "interrupt"])
def test_however_the_program_ends_its_server_ends_too(tmp_path: Path, way: str) -> None:
    with program(tmp_path, HEAT_TUI_NO_LAN="1") as run:
        assert str(run.prompt()).startswith(MENU)
        run.type("host")
        assert "Type the name that others will see" in str(run.prompt())
        run.type("Ana")
        assert "Type start" in str(run.prompt())
        found = re.search(r"Connecting to (\S+) \.\.\.\n", run.text)
        assert found is not None
        address = parse_address(found[1])
        socket.create_connection(address[:2]).close()
        if way == "end of input":
            run.end()
        elif way == "interrupt":
            run.process.send_signal(signal.SIGINT)
            assert "Type yes to leave" in str(run.prompt())
            assert f"Leave?\nYou have left the room.\n{SERVER_ENDS}\n" in run.text
            run.type("yes")
        else:
            run.process.terminate()
        assert run.prompt() is None
        codes = {"signal": 128 + signal.SIGTERM, "end of input": 0, "interrupt": 130}
        assert run.process.wait(PATIENCE_SECONDS) == codes[way]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address[:2])
    assert saved_sessions(folders_of_program(tmp_path)) == []
    assert "Traceback" not in run.text
