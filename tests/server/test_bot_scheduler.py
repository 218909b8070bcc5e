"""How much of the server bots get, and whose are next. CASES 38."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from heat_core.planner.workers import TableWorkers
from heat_core.race.commands import GiveUp
from heat_core.wire.messages import Act, LobbyView, RoomOptions
from heat_server.networks import parse_address_limits
from heat_server.room.bot_scheduler import (
    ALL_SHARE,
    CREATOR_SHARE,
    CREDIT_SECONDS,
    TURN_SECONDS,
    BotScheduler,
    Pace,
)
from heat_server.room.bot_tables import BotTables
from tests.server.support import UNHURRIED, House

pytestmark = pytest.mark.trio

SECONDS = 100.0
CREDIT = CREATOR_SHARE * CREDIT_SECONDS


class Work:
    """A thread's work, as rooms that play at being one do it.

    Attributes:
        seconds: All of it.
        of: By creator.
    """

    def __init__(self, limits: str | None = None) -> None:
        self.seconds = 0.0
        self.of: Counter[str] = Counter()
        networks = parse_address_limits(limits) if limits else None
        self.scheduler = BotScheduler(lambda: self.seconds, BotTables(TableWorkers()), networks)
        self._working = 0

    def spend(self, peer: str, seconds: float) -> None:
        self.seconds += seconds
        self.of[peer] += seconds  # type: ignore[assignment]  # because Counter is typed for whole numbers

    async def room(self, peer: str, waits: list[float] | None = None, idle_seconds: float = 0.0) -> None:
        """Play as a room does: ask, play while the turn lasts, save and tell.

        Args:
            peer: Who made it.
            waits: Where to note how long turns took to come.
            idle_seconds: Until it asks again.
        """
        turn = trio.Event()
        pace = Pace(self.scheduler, peer, lambda: turn.set(), trio.current_time())
        while True:
            asked_at, turn = trio.current_time(), trio.Event()
            assert pace.turn_at(asked_at) == float("inf")
            pace.ask_if_wanted()
            await turn.wait()
            if waits is not None:
                waits.append(trio.current_time() - asked_at)
            assert not self._working
            self._working += 1
            with pace.turn():
                while pace.turn_at(trio.current_time()) <= trio.current_time():
                    self.spend(peer, 0.002)
                    pace.note_played()
            self._working -= 1
            await trio.lowlevel.checkpoint()  # the disk
            with pace.aftermath():
                self.spend(peer, 0.003)
            pace.settle()
            await trio.sleep(idle_seconds)

    async def last(self, rooms: dict[str, int]) -> None:
        """Let some rooms, by creator, play for a while."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.scheduler.run)
            for peer, count in rooms.items():
                for _ in range(count):
                    nursery.start_soon(self.room, peer)
            await trio.sleep(SECONDS)
            nursery.cancel_scope.cancel()


async def test_one_creators_bots_take_a_tenth_of_a_core(autojump_clock: MockClock) -> None:
    work = Work()
    await work.last({"192.0.2.7": 20})
    assert work.seconds == pytest.approx(CREATOR_SHARE * SECONDS + CREDIT, rel=0.02)


async def test_all_bots_together_take_half_a_core_and_share_it_fairly(autojump_clock: MockClock) -> None:
    work = Work()
    await work.last({f"192.0.2.{number}": 20 - number for number in range(10)})
    assert work.seconds == pytest.approx(ALL_SHARE * SECONDS, rel=0.02)
    assert min(work.of.values()) > 0.95 * max(work.of.values())


async def test_a_creator_of_few_bots_is_served_at_once_whatever_the_others_do(
    autojump_clock: MockClock,
) -> None:
    work, waits = Work(), list[float]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(work.room, "198.51.100.1", waits, 1.0)
        nursery.start_soon(work.last, {f"192.0.2.{number}": 20 for number in range(10)})
        await trio.sleep(SECONDS)
        nursery.cancel_scope.cancel()
    assert len(waits) > 0.9 * SECONDS
    assert max(waits) < 5 * TURN_SECONDS


async def test_a_customer_with_many_ipv6_networks_is_one_creator(autojump_clock: MockClock) -> None:
    work = Work()
    await work.last({f"2001:db8:1:{number:x}00::/64": 5 for number in range(10)})
    assert work.seconds == pytest.approx(CREATOR_SHARE * SECONDS + CREDIT, rel=0.02)


@pytest.mark.parametrize(("limits", "share"), [("192.0.2.7=3", 0.3), ("192.0.2.0/24=off", 0.5)])
async def test_a_named_address_has_a_greater_share(
    limits: str, share: float, autojump_clock: MockClock
) -> None:
    work = Work(limits)
    await work.last({"192.0.2.7": 20})
    assert work.seconds == pytest.approx(share * SECONDS, rel=0.06)


async def test_rooms_of_unknown_creators_have_a_share_each(autojump_clock: MockClock) -> None:
    work = Work()
    await work.last({"": 3})
    assert work.seconds == pytest.approx(3 * (CREATOR_SHARE * SECONDS + CREDIT), rel=0.02)


async def test_a_room_that_goes_while_it_waits_or_has_the_turn_holds_nobody_up(
    autojump_clock: MockClock,
) -> None:
    work = Work()
    woken: list[int] = []
    paces = [Pace(work.scheduler, "", partial(woken.append, number), 0) for number in range(4)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(work.scheduler.run)
        for pace in paces:
            pace.turn_at(0)
            pace.ask_if_wanted()
        paces[1].withdraw()
        await trio.testing.wait_all_tasks_blocked()
        paces[woken[0]].withdraw()
        paces[woken[0]].withdraw()
        await trio.testing.wait_all_tasks_blocked()
        assert len(woken) == 2
        with paces[woken[1]].turn():
            pass  # the race has been paused meanwhile
        await trio.testing.wait_all_tasks_blocked()
        assert sorted(woken) == [0, 2, 3]
        nursery.cancel_scope.cancel()


async def test_a_race_of_bots_gets_its_share_and_people_are_answered_meanwhile(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """The same race with work that costs nothing is over in no time, see below."""
    looks = 0

    def work_clock() -> float:
        nonlocal looks
        looks += 1
        return looks * 0.02

    took = []
    for clock in (work_clock, lambda: 0.0):
        house = House(nursery, replace(UNHURRIED, bot_seconds=0), work_clock=clock)
        ana = await house.player(peer="192.0.2.7")
        await ana.create(options=RoomOptions(track="usa", laps=1, cars=3))
        for place in (1, 2):
            await ana.bot(place, "steady")
        await ana.start()
        began = trio.current_time()
        await ana.ok(Act(ana.id(), None, GiveUp()))
        ben = await house.player(peer="192.0.2.8")
        await ben.create()
        assert trio.current_time() == began
        await ana.wait_for(LobbyView, lambda room: room.phase == "ended")
        took.append(trio.current_time() - began)
    dear, free = took
    assert dear > 20 > free
