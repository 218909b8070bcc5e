"""What the tests of people at a server share: a link that a test tells everything."""

from __future__ import annotations

import msgspec

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, FakeRace


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
