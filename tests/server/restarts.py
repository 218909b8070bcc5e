"""What survives a server: races to come back to, what the store has of them, and a disk that may fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from heat_core.race.events import Event
from heat_core.wire.messages import Update
from heat_server.store.contract import SavedMatch, Store
from heat_server.store.encoding import decode_events
from heat_server.store.errors import StoreFailed
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import Write
from tests.server.support import House, Player


async def in_race(house: House, player: Player) -> Player:
    """Come back with the token to a race."""
    again = await house.back(player)
    await again.wait_for(Update)
    return again


def stored_log(store: Store, match: str, race: int = 0) -> list[Event]:
    """Read all events that are on disk of a race."""
    record = next(record for record in store.races(match) if record.number == race)
    return [event for step in record.steps for event in decode_events(step.events)]


class FailingDisk(StoreWorker):
    """A disk that can be told to fail.

    Attributes:
        commits_to_fail: How many of the next commits raise.
        fault: What they raise.
        reads: Whether anything can be read.
        gate: Commits that begin while it is there wait for it.
        tried: How many commits there were, failed ones too.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store, in_thread=False)
        self.commits_to_fail = 0.0
        self.fault: Exception = StoreFailed("the disk is full")
        self.reads = True
        self.gate: trio.Event | None = None
        self.tried = 0

    async def commit(self, writes: Sequence[Write], on_late: Callable[[], None] = lambda: None) -> None:
        self.tried += 1
        fails = self.commits_to_fail > 0
        if fails:
            self.commits_to_fail -= 1
        await trio.lowlevel.checkpoint()
        if self.gate is not None:
            await self.gate.wait()
        if fails:
            raise self.fault
        await super().commit(writes, on_late)

    async def load(self, match: str) -> SavedMatch:
        if not self.reads:
            await trio.lowlevel.checkpoint()
            raise StoreFailed("the disk cannot be read or written")
        return await super().load(match)
