"""A link to servers that share their rooms: where a new room is made."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT
from tests.tui.support_fleet import fakes, greet, linked, moved, opened

pytestmark = pytest.mark.asyncio


async def test_a_room_that_another_server_has_more_space_for_is_made_there_and_offered_once() -> None:
    """Two servers that each count the other as quieter would else send a client to and fro."""
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        creating = asyncio.create_task(link.request(m.Create(0, "Ana")))
        asked = await connection.expect(m.Create)
        assert isinstance(asked, m.Create)
        assert asked.elsewhere
        connection.send(moved(asked.id, there.address, ErrorCode.TOO_MANY_ROOMS))
        other = await greet(there, here)
        again = await other.expect(m.Create)
        assert isinstance(again, m.Create)
        assert not again.elsewhere
        other.send(m.Ok(again.id, "KXFRM", 0))
        assert isinstance(await creating, m.Ok)


@pytest.mark.parametrize("where", ["127.0.0.1:1", "no address"])
async def test_a_room_is_made_here_where_the_server_with_more_space_cannot_be_reached(where: str) -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        creating = asyncio.create_task(link.request(m.Create(0, "Ana")))
        asked = await connection.expect(m.Create)
        connection.send(moved(asked.id, where, ErrorCode.TOO_MANY_ROOMS))
        again = await connection.expect(m.Create)
        assert isinstance(again, m.Create)
        assert not again.elsewhere
        connection.send(m.Ok(again.id, "KXFRM", 0))
        assert isinstance(await creating, m.Ok)
        assert link.address == here.address


async def test_where_there_is_one_server_no_other_is_asked_for() -> None:
    async with fakes(1) as (here,):
        link = ServerLink(here.address, DIRECT)
        connection = await opened(link, here)
        creating = asyncio.create_task(link.request(m.Create(0, "Ana")))
        asked = await connection.expect(m.Create)
        assert isinstance(asked, m.Create)
        assert not asked.elsewhere
        connection.send(m.Ok(asked.id, "KXFRM", 0))
        await creating
        await link.close()
