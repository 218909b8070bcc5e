"""Races whose server ends at any of its commits, on a disk that fails at random: as if nothing had been."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Literal

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.wire.messages import RoomOptions, SeasonOptions
from heat_server.net.arrival import Arrival
from heat_server.store.errors import StoreFailed
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import Write
from tests.server.riders import Track, audit, team
from tests.server.support import UNHURRIED, House

pytestmark = pytest.mark.trio

REST: list[tuple[str, int]] = [("before", 2), ("before", 3), ("after", 1), ("after", 3)]

End = Literal["before", "after", "fails"] | None


class FatalDisk(StoreWorker):
    """A disk that ends the server, or fails, at commits of a test's choice.

    Attributes:
        fate: Says what happens at a commit, by its number: the server ends before it is written, or when it
            is written and nobody has heard of it yet; or the disk fails.
    """

    def __init__(self, store: SqliteStore, fate: Callable[[int], End]) -> None:
        super().__init__(store, in_thread=False)
        self.fate = fate
        self.commits = 0
        self.ends = trio.Event()

    async def commit(self, writes: Sequence[Write], on_late: Callable[[], None] = lambda: None) -> None:
        self.commits += 1
        end = self.fate(self.commits)
        if end == "fails":
            await trio.lowlevel.checkpoint()
            raise StoreFailed("the disk is full")
        if end != "before":
            await super().commit(writes, on_late)
        if end is not None:
            self.ends.set()
            await trio.sleep_forever()


class Lives:
    """A server that is started again whenever it has ended.

    Attributes:
        count: How often it was started.
    """

    def __init__(self, disk: FatalDisk) -> None:
        self.count = 0
        self._disk = disk
        self._house: House | None = None

    async def run(self) -> None:
        while True:
            self._disk.ends = trio.Event()
            async with trio.open_nursery() as nursery:
                house = House(nursery, UNHURRIED, self._disk)
                await house.server.rooms.bring_back()
                nursery.start_soon(house.server.keep_house)
                self._house, self.count = house, self.count + 1
                await self._disk.ends.wait()
                self._house = None
                nursery.cancel_scope.cancel()

    async def connect(self) -> trio.abc.Stream:
        await trio.lowlevel.checkpoint()
        if self._house is None:
            raise ConnectionRefusedError
        ours, theirs = trio.testing.memory_stream_pair()
        self._house.nursery.start_soon(self._house.server.handle, theirs, Arrival("", None, b""))
        return ours


async def race_through(store: SqliteStore, fate: Callable[[int], End], track: Track) -> Lives:
    """Have two riders race to the end, and hold what they were told against the store."""
    lives = Lives(FatalDisk(store, fate))
    riders = team(lives.connect, track)
    async with trio.open_nursery() as living:
        living.start_soon(lives.run)
        async with trio.open_nursery() as riding:
            for rider in riders:
                riding.start_soon(rider.ride)
        living.cancel_scope.cancel()
    figures = audit(store.path, [(track, riders)])
    assert figures.acknowledged > 10
    return lives


@pytest.mark.parametrize(
    ("end", "first"),
    [("before", 1), ("after", 2), *(pytest.param(end, first, marks=pytest.mark.soak) for end, first in REST)],
)
async def test_the_server_ends_at_every_third_commit_of_a_race(
    end: End, first: int, store: SqliteStore, autojump_clock: MockClock
) -> None:
    """Together the three see an end at each commit; between two of them it must be possible to come back."""
    track = Track(RoomOptions(laps=1, cars=3, garage="basic"))
    lives = await race_through(store, lambda commit: end if commit % 3 == first % 3 else None, track)
    assert lives.count > 20


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 60))]
)
async def test_a_disk_that_fails_at_random_and_a_server_that_ends_at_random(
    seed: int, store: SqliteStore, autojump_clock: MockClock
) -> None:
    chance = random.Random(seed)
    season = SeasonOptions(None, ("usa", "italy", "gb"), events=True, sponsorships=True)
    options = RoomOptions(laps=1, cars=4, weather=True, season=season if seed % 2 else None)

    def fate(commit: int) -> End:
        return chance.choices((None, "fails", "before", "after"), (20, 4, 1, 1))[0]

    await race_through(store, fate, Track(options))
