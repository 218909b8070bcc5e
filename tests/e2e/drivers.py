"""Drivers with the real client who race by themselves, and note what they were shown, told and acknowledged.

Whatever happens to servers and database, they only do what a player does: choose when they are asked, and
choose again when that was refused.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from heat_core.race.normal_form import normalised
from heat_core.refusal import Refused
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_stay import ServerStay
from tests.e2e.test_client_race import in_race, start_race
from tests.server.riders import Told, Track
from tests.tui.support_app import folders_in

THINK_SECONDS = 0.15
"""So that a race lasts longer than what happens to it."""

AGAIN_SECONDS = 0.5
"""After a refusal."""


class Seen(NamedTuple):
    """What a player sees change.

    Attributes:
        at: When, by the event loop's clock.
        what: State of the connection, "acknowledged", or the text of a refusal.
    """

    at: float
    what: str


class Driver:
    """One player; see `tests.server.riders.Witness`.

    Attributes:
        name: In the room.
        races: What it was told.
        seen: What it saw, in order.
        think_seconds: Before each choice.
    """

    def __init__(self, name: str, stay: ServerStay, session: RemoteSession) -> None:
        """Take a seat in a race that has begun."""
        self.name = name
        self.stay = stay
        self.session = session
        self.races = [Told(session.setup, session.seats[0])]
        self.seen: list[Seen] = []
        self.think_seconds = THINK_SECONDS
        self._counted = asyncio.Condition()

    @property
    def acknowledged(self) -> int:
        """How many choices were."""
        return sum(what == "acknowledged" for _, what in self.seen)

    async def race(self) -> None:
        """Race to the end."""
        session, seat = self.session, self.session.seats[0]
        watching = asyncio.create_task(self._watch())
        try:
            while (view := session.view(seat)).status != "ended":
                self._note_view()
                own = view.own
                if own is not None and own.decision is not None and own.chosen is None:
                    await asyncio.sleep(self.think_seconds)
                    await self._choose()
                elif session.view(seat) is view:
                    await session.changed(view.event_number)
            self._note_view()
        finally:
            watching.cancel()
        for number, event in enumerate(session.events_since(0, seat), 1):
            self.races[0].events[number] = event

    async def _choose(self) -> None:
        session, seat = self.session, self.session.seats[0]
        view = session.view(seat)
        own = view.own
        if own is None or own.decision is None or own.chosen is not None:
            return
        command = default_command(Observation(session.setup, view))
        try:
            await session.submit(seat, own.decision, command)
        except Refused as refused:
            self._see(refused.text)
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            self._see("acknowledged")
            self.races[0].acknowledged.append((own.decision, normalised(command)))
            async with self._counted:
                self._counted.notify_all()

    async def wait_for_choices(self, number: int) -> None:
        """Wait until so many choices have been acknowledged."""
        async with self._counted:
            await self._counted.wait_for(lambda: self.acknowledged >= number)

    def forget(self) -> None:
        """Hold nothing against the store of what was shown and acknowledged until now."""
        self.races[0].acknowledged.clear()
        self.races[0].views.clear()

    def _note_view(self) -> None:
        view = self.session.view(self.session.seats[0])
        self.races[0].views[view.event_number] = view

    async def _watch(self) -> None:
        link, shown = self.stay.link, ""
        while True:
            now = f"{link.state} {link.address} {link.waits_for}".strip()
            if now != shown:
                shown = now
                self._see(now)
            await link.wait(link.changes)

    def _see(self, what: str) -> None:
        self.seen.append(Seen(asyncio.get_running_loop().time(), what))

    def longest_break(self) -> float:
        """Give the longest time between two choices that were acknowledged."""
        times = [at for at, what in self.seen if what == "acknowledged"]
        return max(after - before for before, after in pairwise(times))

    def story(self, began: float) -> str:
        """Tell what was seen besides acknowledgements, by the seconds since a moment; for people."""
        return "; ".join(f"{at - began:.1f} {what}" for at, what in self.seen if what != "acknowledged")


class Room(NamedTuple):
    """Two drivers in a race.

    Attributes:
        track: As an audit needs it.
        drivers: Who race.
    """

    track: Track
    drivers: tuple[Driver, Driver]

    async def race(self) -> None:
        """Race to the end."""
        await asyncio.gather(*(driver.race() for driver in self.drivers))

    async def wait_for_choices(self, number: int) -> None:
        """Wait until each driver has so many more choices acknowledged than now."""
        counts = [driver.acknowledged + number for driver in self.drivers]
        for driver, count in zip(self.drivers, counts, strict=True):
            await driver.wait_for_choices(count)

    async def close(self) -> None:
        """Leave."""
        for driver in self.drivers:
            await driver.session.close()


async def new_room(path: Path, address: Address, options: m.RoomOptions) -> Room:
    """Let two drivers begin a race at a server."""
    stays = [await ServerStay.begin(folders_in(path / name), address) for name in ("ana", "ben")]
    await start_race(stays[0], stays[1], options)
    sessions = [await in_race(stay) for stay in stays]
    room = stays[0].link.room
    assert room is not None
    ana, ben = (
        Driver(name, stay, session)
        for name, stay, session in zip(("Ana", "Ben"), stays, sessions, strict=True)
    )
    return Room(Track(room.options, code=room.code), (ana, ben))
