"""Each guest is at the server under the own address, so that a ban is a ban of one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from heat_core.wire.address import Address
from tests.doors.support import PASSWORD, guest, open_door
from tests.tui.test_door_way import operator, server_with_door

pytestmark = pytest.mark.asyncio

ANAS, BENS = "127.0.0.2", "127.0.0.3"
NOWHERE = Address("127.0.0.1", 1)
"""Guests come by the socket alone."""


@pytest.mark.spec("DOOR-4.2")
async def test_a_ban_of_one_guest_leaves_the_others(tmp_path: Path) -> None:
    with server_with_door(tmp_path) as socket:
        async with open_door(tmp_path, server=NOWHERE, with_client=True, door_socket=socket) as door:
            async with guest(door, "ana", come_from=ANAS) as ana, guest(door, "ben", come_from=BENS) as ben:
                for who in (ana, ben):
                    await who.shows("Open a room")
                listed = await asyncio.to_thread(operator, tmp_path, "connections", "--json")
                assert {one["peer"] for one in json.loads(listed)["connections"]} == {ANAS, BENS}
                await asyncio.to_thread(operator, tmp_path, "ban", ANAS)
                ana.press("\x1b[15~")  # F5: the rooms again
                await ana.shows("banned")
                async with guest(door, "ana", (PASSWORD, ""), come_from=ANAS) as again:
                    await again.shows("banned")
                ben.press("\x1bOQ")
                await ben.shows("Turn time")
