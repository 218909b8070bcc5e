"""What the tests of people at a server share: a link that a test tells everything, and a race on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from textual.pilot import Pilot

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.app import HeatApp
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from heat_tui.screens.race import RaceScreen
from tests.tui.fake_server import DIRECT, FakeRace
from tests.tui.support_app import SMALL, folders_in, until


def line(number: int, text: str, kind: m.SaidKind = "chat", name: str = "Ben") -> m.Said:
    return m.Said(number, kind, 1 if name else None, name, text)


class Told(ServerLink):
    """A link that is told things by the test, and notes what is asked of the server."""

    def __init__(self, race: FakeRace) -> None:
        super().__init__(Address("127.0.0.1", 1), DIRECT)
        self.state = "connected"
        self.fake = race
        self.asked: list[m.Request] = []
        self.tell(*race.everything())

    def tell(self, *messages: m.ServerMessage) -> None:
        for message in messages:
            self._receive(message)

    async def request(self, message: m.Request) -> m.ServerMessage:
        self.asked.append(message)
        return m.Ok(0)


@asynccontextmanager
async def racing(
    path: Path, size: tuple[int, int] = SMALL
) -> AsyncIterator[tuple[HeatApp, Pilot[None], Told]]:
    """Show a race at a server that the test speaks for."""
    link = Told(FakeRace())
    app = HeatApp(folders_in(path), animate=False, player_name="Ana")
    screen = RaceScreen(RemoteSession(link))
    async with app.run_test(size=size) as pilot:
        await app.push_screen(screen)
        await until(lambda: screen.controller.seen > 0)
        await pilot.pause()
        await pilot.pause()
        yield app, pilot, link


def two_people(fake: FakeRace, **changes: object) -> m.LobbyView:
    """Give the room with a second person; `wishes` says of both who wants a pause."""
    wishes: tuple[bool, bool] = changes.pop("wishes", (False, False))  # type: ignore[assignment]  # a test's own
    room = fake.room()
    ben = m.PlaceState("human", "Ben", "blue", True, True)
    places = tuple(
        msgspec.structs.replace(place, wants_pause=wish)
        for place, wish in zip((room.places[0], ben), wishes, strict=True)
    )
    return msgspec.structs.replace(room, places=places, **changes)
