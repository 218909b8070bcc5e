"""Server and fork server are killed below a guest, who finds the seat again (in races: `test_ssh_kills`)."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import asyncssh
import pytest

from heat_tui.terminal.ending import RESTORING
from tests.doors.support import guest, open_door
from tests.e2e.test_client_together import server_on
from tests.tui.support_app import until

pytestmark = pytest.mark.asyncio


@pytest.mark.spec("DOOR-5")
async def test_a_guest_keeps_the_seat_over_the_death_of_server_and_fork_server(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    store = tmp_path / "store.sqlite3"
    with server_on(store) as (address, server):
        async with open_door(tmp_path, server=address, with_client=True) as door:
            async with guest(door, "ana", keys=[key]) as ana:
                await ana.shows("Open a room")
                ana.press("\x1bOQ")
                await ana.shows("Turn time")
                code = re.findall(r"Room (\w{5})\b", ana.text)[-1]
                server.kill()
                server.wait()
                await ana.shows("reconnecting")
                ana.text = ""
                with server_on(store, address.port):
                    await ana.shows("connected")
                    assert len(door.house.guests) == 1
                    fork_server = door.house.programs._process
                    assert fork_server is not None
                    os.kill(fork_server.pid, signal.SIGKILL)
                    assert await ana.ends() == 1
                    assert RESTORING.decode() in ana.text.partition("This door has a fault.")[0]
                    await until(lambda: not door.house.guests)
                    async with guest(door, "ana", keys=[key]) as again:
                        await again.shows(f"Go back to room {code} as ana?")
                        again.press("y")
                        await again.shows("Turn time")
