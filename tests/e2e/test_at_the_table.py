"""Friends at terminals of their own: one server on the network, the line in the lobby, a full grid."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from heat_tui.own_networks import lan_host
from tests.patience import PATIENCE_SECONDS
from tests.tui.test_main_terminal import terminal

NEW_ROOM, DOWN = "\x1bOQ", "\x1b[B"
"""F2 and the arrow, as a terminal sends them."""


@pytest.fixture
def address() -> Iterator[str]:
    """Run a server on all of this machine's interfaces, and give its address on the network."""
    command = [sys.executable, "-m", "heat_server", "--port", "0", "--no-lan", "--no-store", "--no-socket"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found
        yield f"{lan_host()}:{found[1]}"
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.spec("APP-1", "LOBBY-2")
def test_friends_meet_by_the_line_that_the_lobby_shows_and_bots_and_legends_fill_the_grid(
    tmp_path: Path, address: str
) -> None:
    with ExitStack() as terminals:
        ana = terminals.enter_context(terminal("connect", address, "--name", "Ana", path=tmp_path / "ana"))
        ana.wait_for("Open a room")
        ana.press(NEW_ROOM)
        ana.wait_for("To join: heat-tui connect ")
        ana.wait_for("Places")
        line = re.search(r"To join: heat-tui (connect \S+ [A-Z0-9]{4,6})", ana.text)
        assert line, ana.text[-2000:]
        assert line[1].startswith(f"connect {address} ")

        ben = terminals.enter_context(terminal(*line[1].split(), "--name", "Ben", path=tmp_path / "ben"))
        ben.wait_for("Places")
        ana.wait_for("Ben")
        ana.press(DOWN)
        for key, driver in (("b", "(normal)"), ("l", "medium Legend")):
            ana.press(DOWN + key)
            ana.wait_for(driver)
            ben.wait_for(driver)
        ben.press("r")
        ben.wait_for("Not ready")
        ana.press("s")
        for player in (ana, ben):
            player.wait_for("SHIFT")
            player.press("\x03")
            assert player.wait() == 130
