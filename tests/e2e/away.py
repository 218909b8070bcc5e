"""What an installed program must be able to do where there is no checkout: race, serve, and let guests in."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from heat_core.wire.address import Address
from tests.e2e.test_ssh import serving, ssh
from tests.tui.support_app import server_process
from tests.tui.test_main_terminal import Terminal


class Programs(NamedTuple):
    """The words that start each program; the client comes with the extra `doors`."""

    client: Sequence[str]
    server: Sequence[str]


def in_folder(folder: Path) -> Programs:
    """Name the programs that lie in a folder."""
    return Programs((str(folder / "heat-tui"),), (str(folder / "heat-server"),))


class AwayTerminal(Terminal):
    """An installed client in a terminal."""

    def __init__(self, programs: Programs, path: Path, *arguments: str) -> None:
        self._client = programs.client
        self.folder = path
        super().__init__(list(arguments), path, {"PYTHONPATH": "", "HEAT_TUI_NO_LAN": "1"})

    def command(self, arguments: list[str]) -> list[str]:
        return [*self._client, *arguments]


def race_and_serve(programs: Programs, path: Path) -> None:
    """Begin a race, run a server, join it, and come in by ssh; from a folder that holds nothing."""
    shows(programs, path, "SHIFT", "play", "--laps", "1")
    with server_process("--no-lan", program=programs.server, path=path) as server:
        shows(programs, path, "Open a room", "connect", str(server))
        if shutil.which("ssh") is not None:
            let_in_by_ssh(programs, path, server)


def shows(programs: Programs, path: Path, words: str, *arguments: str) -> None:
    """Start a client, wait until it shows something, and end it."""
    program = AwayTerminal(programs, path, *arguments)
    try:
        program.wait_for(words)
        program.press("\x03")
        assert program.wait() == 130
        assert "Traceback" not in program.text
    finally:
        program.close()


def let_in_by_ssh(programs: Programs, path: Path, server: Address) -> None:
    """Open the door, and come in as a guest does."""
    with serving(path, server, program=programs.client) as door, ssh(door, "ana") as ana:
        ana.log_in()
        ana.wait_for("Open a room")
        assert re.fullmatch(r"[a-z]{4}", ana.word)
