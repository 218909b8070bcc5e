"""Rooms are woken a few at a time: those that race have to wait for what is read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_server.config import ServerConfig
from heat_server.room.actor import RoomActor
from heat_server.room.hibernation import Hibernation, Sleeper
from heat_server.room.waking import MOST_WAKING, Waker

pytestmark = pytest.mark.trio

CODES = [f"R{number}" for number in range(3 * MOST_WAKING)]


class Slow:
    """Rooms that take a second to be read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sleeping = Hibernation(ServerConfig())
        for code in CODES:
            self.sleeping.put(Sleeper(f"match of {code}", code, "racing", 0.0, ()))
        self.reading = self.most = 0
        self.awake: list[object] = []
        context: Any = None
        self.waker = Waker(context, self.sleeping, self.awake.append)
        monkeypatch.setattr(RoomActor, "woken", self._woken)

    @asynccontextmanager
    async def others_come_first(self) -> AsyncIterator[trio.Nursery]:
        """Have all rooms but the last woken; most of them wait for their turn when this begins."""
        async with trio.open_nursery() as nursery:
            for code in CODES[:-1]:
                nursery.start_soon(self.waker.wake, code)
            await wait_all_tasks_blocked()
            yield nursery

    async def _woken(self, context: object, sleeper: Sleeper) -> str:
        self.reading += 1
        self.most = max(self.most, self.reading)
        await trio.sleep(1)
        self.reading -= 1
        return sleeper.code


async def test_many_that_come_at_once_wake_their_rooms_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    slow = Slow(monkeypatch)
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        for code in [*CODES, *CODES]:  # two come for each
            nursery.start_soon(slow.waker.wake, code)
    assert sorted(map(str, slow.awake)) == sorted(CODES)
    assert (slow.most, len(slow.sleeping)) == (MOST_WAKING, 0)
    assert trio.current_time() - began == pytest.approx(len(CODES) / MOST_WAKING)


async def test_who_hangs_up_before_the_turn_leaves_the_room_asleep_for_others(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    slow, last = Slow(monkeypatch), CODES[-1]
    async with slow.others_come_first():
        with trio.move_on_after(0.5) as hasty:
            await slow.waker.wake(last)
        assert hasty.cancelled_caught
        assert last in slow.sleeping
        await slow.waker.wake(last)
    assert last in slow.awake


async def test_a_room_that_is_lost_before_its_turn_is_not_read(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    slow, last = Slow(monkeypatch), CODES[-1]
    async with slow.others_come_first() as nursery:
        nursery.start_soon(slow.waker.wake, last)
        await wait_all_tasks_blocked()
        slow.sleeping.take(last)
    assert last not in slow.awake
    assert len(slow.awake) == len(CODES) - 1
