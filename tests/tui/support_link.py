"""Links to a fake server, and races over them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, FakeConnection, FakeRace, FakeServer

SECONDS = 60


@asynccontextmanager
async def linked(fake: FakeServer) -> AsyncIterator[tuple[ServerLink, FakeConnection]]:
    link = ServerLink(fake.address, DIRECT, pause=lambda attempt: 0.0)
    opening = asyncio.create_task(link.open())
    connection = await fake.accept()
    await connection.welcome()
    await opening
    try:
        yield link, connection
    finally:
        await link.close()


def state_of(link: ServerLink) -> str:
    """Read the state anew: mypy takes an attribute to stay as it was compared last."""
    return link.state


async def until(link: ServerLink, state: str) -> None:
    while link.state != state:
        await link.wait(link.changes)


async def race_on(link: ServerLink, connection: FakeConnection, race: FakeRace) -> RemoteSession:
    connection.send(*race.everything())
    while not RemoteSession.is_ready(link):
        await link.wait(link.changes)
    return RemoteSession(link)
