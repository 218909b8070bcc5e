"""A party that opens nothing: its card shows what a test says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from heat_core.wire.messages import RoomOptions
from heat_tui.app import HeatApp
from heat_tui.flow.invitation import WayIn
from heat_tui.party.people import Person
from heat_tui.party.screen import CardWish, PartyScreen
from heat_tui.party.wish import DoorsOpen, Happened, Wish
from heat_tui.party.words import other_addresses, ways_in
from tests.tui.support_app import folders_in

WISH: Final = Wish("", 7777, 2222, 8000, "kqtm-7w3x", "mH1xVYpq0sD3kq2wQv9c5A", True, RoomOptions())
OPEN: Final = DoorsOpen(2222, "SHA256:hDthdNZWYXJZc7vn5RUkLsctqI1M3luXdihaXB7TkyM", 8000)
HOSTS: Final = ("192.0.2.7", "198.51.100.4")
NOON: Final = 1_777_636_800.0
"""On a day in May, in UTC."""


def people(now: float) -> tuple[Person, ...]:
    """Three people who came by three ways."""
    return (
        Person("Ana", "ssh", now - 12 * 60, "K7QX4", "192.0.2.20", 1, 3),
        Person("Ben", "web", now - 5 * 60, "K7QX4", "192.0.2.21", 2, 4),
        Person("Leo", "heat-tui", now - 10, "", "198.51.100.9", None, 5),
    )


class FakeParty:
    """A party whose host may do anything; it only notes what."""

    def __init__(self, here: Sequence[Person] = (), *, racing: int = 0, wish: Wish = WISH) -> None:
        self.code = "K7QX4"
        self.people = tuple(here)
        self.racing = racing
        self.is_saved = False
        self.changes = 0
        self.done: list[tuple[str, str]] = []
        self.wish = wish
        self.doors = OPEN
        self.happened = [
            Happened(NOON, "Ana came in by ssh from 192.0.2.20."),
            Happened(NOON + 60, "Ben came in by browser from 192.0.2.21."),
            Happened(NOON + 120, "A race has begun in room K7QX4."),
            Happened(NOON + 180, "203.0.113.5 is turned away for a while: too many wrong passwords."),
            Happened(NOON + 240, "The server has stopped; it is started again.", is_warning=True),
        ]
        self._changed = asyncio.Event()

    @property
    def ways(self) -> tuple[WayIn, ...]:
        return ways_in(self.wish, self.doors, self.code, HOSTS)

    @property
    def elsewhere(self) -> str:
        return other_addresses(HOSTS)

    async def wait(self, changes: int) -> None:
        while self.changes == changes:
            await self._changed.wait()

    def change(self) -> None:
        self.changes += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def can_ban(self, person: Person) -> bool:
        return person.address not in HOSTS

    async def remove(self, person: Person) -> str:
        self.done.append(("remove", person.name))
        return f"{person.name} has been removed."

    async def ban(self, person: Person) -> str:
        self.done.append(("ban", person.name))
        return f"{person.name} has been removed, and {person.address} is banned."


def show_party(app: HeatApp) -> None:
    """Show the card of a party at which three people are."""
    app.push_screen(PartyScreen(FakeParty(people(time.time()))))


def party_app(
    path: Path, party: FakeParty, on_wish: Callable[[CardWish | None], None] | None = None
) -> HeatApp:
    """Make the client with the card of a party above Home."""

    def show(app: HeatApp) -> None:
        app.push_screen(PartyScreen(party), on_wish)

    return HeatApp(folders_in(path), opening=show, animate=False)
