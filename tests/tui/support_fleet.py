"""Links to fake servers that share their rooms."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ErrorCode
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, TOKEN, FakeConnection, FakeRace, FakeServer, fake_server
from tests.tui.support_link import SECONDS


@asynccontextmanager
async def fakes(count: int) -> AsyncIterator[list[FakeServer]]:
    async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
        yield [await stack.enter_async_context(fake_server()) for _ in range(count)]


async def greet(fake: FakeServer, *others: FakeServer, token: str | None = None) -> FakeConnection:
    """Take a client in, and name the servers."""
    connection = await fake.accept()
    hello = await connection.expect(m.Hello)
    assert isinstance(hello, m.Hello)
    assert hello.token == token
    servers = tuple(str(server.address) for server in (fake, *others))
    connection.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", token or TOKEN, servers=servers))
    return connection


async def opened(link: ServerLink, fake: FakeServer, *others: FakeServer) -> FakeConnection:
    """Open a link to a server, which names the others."""
    opening = asyncio.create_task(link.open())
    connection = await greet(fake, *others)
    await opening
    return connection


async def send_on(fake: FakeServer, to: Address | str) -> None:
    """Tell a client at its hello that another server has its seat."""
    connection = await fake.accept()
    hello = await connection.expect(m.Hello)
    connection.send(moved(hello.id, to))


def moved(re: int | None, to: Address | str, code: str = ErrorCode.NOT_READ) -> m.Error:
    return m.Error(re, code, "That race is on another server.", m.ErrorData(moved_to=str(to)))


@asynccontextmanager
async def linked(here: FakeServer, there: FakeServer) -> AsyncIterator[tuple[ServerLink, FakeConnection]]:
    link = ServerLink(here.address, DIRECT, pause=lambda attempt: 0.0)
    connection = await opened(link, here, there)
    try:
        yield link, connection
    finally:
        await link.close()


async def answer_view(connection: FakeConnection, race: FakeRace) -> None:
    asked = await connection.expect(m.AskView)
    assert isinstance(asked, m.AskView)
    connection.send(m.Ok(asked.id), *race.everything(asked.since or 0))
