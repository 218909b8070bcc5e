"""Where a token leads whose rooms are on several servers."""

from __future__ import annotations

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_core.wire.messages import Join, Update
from heat_server.fleet import renew_lease
from tests.server.fleets import Fleet
from tests.server.restarts import in_race
from tests.server.support import server_on

pytestmark = pytest.mark.trio


async def test_a_token_leads_to_the_race_that_its_driver_is_in_not_to_one_left_before(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    stores = fleet.join(), fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second, server_on(stores[2]) as third:
        for number, house in enumerate((first, second, third)):
            await renew_lease(house.server, f"s{number}.example:7777")
        dan = await first.player()
        own = await dan.create("dan")  # older than the one that ana leaves
        ana, ben = await first.full_lobby(["ana", "ben"])
        await ana.start()
        await ben.wait_for(Update)
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
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        for number, house in enumerate((first, second)):
            await renew_lease(house.server, f"s{number}.example:7777")
        ana, ben = await first.full_lobby(["ana", "ben"])
        await ana.start()
        await ben.wait_for(Update)
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
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        for number, house in enumerate((first, second)):
            await renew_lease(house.server, f"s{number}.example:7777")
        ana, ben = await first.full_lobby(["ana", "ben"])
        await ana.start()
        await ben.wait_for(Update)
        fleet.expire(stores[0])
        await second.server.rooms.take_over()
        await renew_lease(first.server, "s0.example:7777")  # and ana's cable is cut: she hears nothing of it
        await wait_all_tasks_blocked()
        with pytest.raises(AssertionError, match=r"moved_to='s1.example:7777'"):
            await in_race(first, ana)
        await in_race(second, ana)
