"""How soon a login shows something: what is done before anybody comes, and what is not waited for."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from heat_core.wire.address import Address
from tests.doors.support import guest, open_door
from tests.tui.support_app import until

_REHEARSED_TWICE: Final = """
import sys, threading
from heat_tui.doors import fork_server, rehearsal
from textual.css import stylesheet

fork_server.load("heat_tui.doors.guest")
threads = threading.active_count()
loaded = set(sys.modules)
parsed, parse = [], stylesheet.parse
stylesheet.parse = lambda *given, **named: parsed.append(given) or parse(*given, **named)
print(rehearsal.rehearse(), threads, len(parsed), sorted(set(sys.modules) - loaded))
"""


def test_a_login_parses_and_imports_nothing_that_the_fork_server_has_not() -> None:
    """That was half of the way to a first screen. No thread may be left: the fork server forks."""
    done = subprocess.run(
        [sys.executable, "-c", _REHEARSED_TWICE], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("0 1 0 []\n", "")


@pytest.mark.asyncio
@pytest.mark.spec("DOOR-4.1")
async def test_the_first_screen_does_not_wait_for_the_server(tmp_path: Path) -> None:
    """However long a busy server takes; what is typed meanwhile is heard."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = Address(*silent.getsockname())
        async with open_door(tmp_path, server=server, with_client=True) as door, guest(door, "ana") as who:
            await who.shows("Your name")
            await who.shows("Connecting to the rooms ...")
            assert str(server) not in who.text
            who.press("\x03")
            assert await who.ends() == 130


@pytest.mark.asyncio
async def test_a_door_that_closes_is_named_without_the_signal_behind_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = Address(*silent.getsockname())
        async with open_door(tmp_path, server=server, with_client=True) as door, guest(door, "ana") as who:
            await who.shows("Your name")
            await door.door.close()
            assert await who.ends() == 129
            assert "This door has closed." in who.text
            assert "SIGHUP" not in who.text


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["ana", "[link=file:///x"])
async def test_a_line_that_drops_is_no_fault_whatever_the_name_looks_like(tmp_path: Path, name: str) -> None:
    """The host would read that a guest's program has failed."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = Address(*silent.getsockname())
        async with open_door(tmp_path, server=server, with_client=True) as door, guest(door, name) as who:
            await who.shows("Your name")
            who.text = ""
            await who.shows("Come back as")
            who.connection.abort()
            await until(lambda: f"{name} left; now 0 guests." in door.told)
            assert len(door.told) == 2, "came and left"
