"""Where a token leads whose rooms are on several servers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_core.wire.messages import Join
from heat_server.fleet import renew_lease
from heat_server.store.postgres.store import PostgresStore
from tests.server.fleets import Fleet
from tests.server.restarts import in_race
from tests.server.support import House, server_on

pytestmark = pytest.mark.trio


@asynccontextmanager
async def several(fleet: Fleet, count: int) -> AsyncIterator[tuple[list[PostgresStore], list[House]]]:
    """Run servers that know each other's addresses, each on a store of its own."""
    stores = [fleet.join() for _ in range(count)]
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(server_on(store)) for store in stores]
        for number, house in enumerate(houses):
            await renew_lease(house.server, f"s{number}.example:7777")
        yield stores, houses


async def test_a_token_leads_to_the_race_that_its_driver_is_in_not_to_one_left_before(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with several(fleet, 3) as (stores, (first, second, third)):
        dan = await first.player()
        own = await dan.create("dan")  # older than the one that ana leaves
        ana, _ = await first.racing()
        left = ana.code
        await ana.leave()
        await ana.join(own, "ana")
        await ana.seat(ready=True)
        await dan.start()
        fleet.expire(stores[0])
        for house, code in ((second, left), (third, own)):
            cy = await house.player()
            assert await cy.refused(Join(cy.id(), code, "cy")) == "room/begun"
        with pytest.raises(AssertionError, match=r"moved_to='s2.example:7777'"):
            await in_race(second, ana)
        again = await in_race(third, ana)
        assert again.code == own


async def test_a_seat_that_was_left_is_come_back_to_where_it_is(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with several(fleet, 2) as (stores, (first, second)):
        ana, _ = await first.racing()
        code = ana.code
        await ana.leave()
        await ana.hang_up()
        fleet.expire(stores[0])
        for house in (second, second):  # its room is woken, then awake
            again = await house.player(ana.token)
            assert again.room is None
        await again.join(code, "ana")


async def test_who_comes_back_by_a_new_line_is_led_to_the_room_though_the_old_line_seems_alive(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with several(fleet, 2) as (stores, (first, second)):
        ana, _ = await first.racing()
        fleet.expire(stores[0])
        await second.server.rooms.take_over()
        await renew_lease(first.server, "s0.example:7777")  # and ana's cable is cut: she hears nothing of it
        await wait_all_tasks_blocked()
        with pytest.raises(AssertionError, match=r"moved_to='s1.example:7777'"):
            await in_race(first, ana)
        await in_race(second, ana)
