"""A link by way of a balancer: one address that leads to one server now and to another one later."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, TOKEN, FakeConnection, FakeRace, FakeServer
from tests.tui.support_fleet import answer_view, fakes, greet, moved, send_on
from tests.tui.support_link import until

pytestmark = pytest.mark.asyncio


async def greet_through(balancer: FakeServer, *servers: FakeServer, token: str | None) -> FakeConnection:
    """Take a client in at the first of the servers, to which the balancer led it."""
    connection = await balancer.accept()
    hello = await connection.expect(m.Hello)
    assert isinstance(hello, m.Hello)
    assert hello.token == token
    names = tuple(str(server.address) for server in servers)
    connection.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", token or TOKEN, servers=names))
    return connection


async def lost(balancer: FakeServer, *servers: FakeServer) -> ServerLink:
    """Open a link through the balancer to the first of the servers, and drop its connection."""
    link = ServerLink(balancer.address, DIRECT, pause=lambda attempt: 0.0)
    opening = asyncio.create_task(link.open())
    connection = await greet_through(balancer, *servers, token=None)
    await opening
    connection.drop()
    return link


async def test_a_seat_is_found_by_the_own_address_of_its_server() -> None:
    async with fakes(3) as (balancer, one, two):
        link = await lost(balancer, one, two)
        await send_on(balancer, one.address)  # it has led to the other one this time
        await answer_view(await greet(one, two, token=TOKEN), FakeRace())
        await until(link, "connected")
        assert link.address == one.address
        await link.close()


async def test_a_room_is_entered_at_the_own_address_of_its_server() -> None:
    async with fakes(3) as (balancer, one, two):
        link = await lost(balancer, one, two)
        unknown = await balancer.accept()
        hello = await unknown.expect(m.Hello)
        unknown.send(m.Error(hello.id, ErrorCode.UNKNOWN_TOKEN, "The server no longer has a seat for you."))
        connection = await greet_through(balancer, two, one, token=None)
        await until(link, "connected")
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, one.address))
        other = await greet(one, two)
        again = await other.expect(m.Join)
        other.send(m.Ok(again.id, "KXFRM", 0))
        await joining
        assert link.address == one.address
        await link.close()
