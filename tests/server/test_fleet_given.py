"""Rooms that a server lets go to another one, which may be dead, be leaving, or get very many."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from heat_server.fleet import renew_lease
from heat_server.room import claims
from heat_server.store.ownership import Release
from heat_server.store.postgres import leases
from tests.server.fleets import LOAD, Fleet
from tests.server.restarts import in_race
from tests.server.support import server_on
from tests.server.test_drain import SECOND, THIRD
from tests.server.test_fleet_seats import several
from tests.server.test_store_leases import made
from tests.server.test_store_releases import LATER

pytestmark = pytest.mark.trio

AT_ONCE = 10


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a transaction claim fewer rooms."""
    for module in (leases, claims):
        monkeypatch.setattr(module, "MOST_CLAIMED_AT_ONCE", AT_ONCE)


@pytest.mark.usefixtures("few_at_once")
async def test_a_dead_servers_rooms_are_taken_over_at_one_look_however_many_they_are(fleet: Fleet) -> None:
    dead = fleet.join()
    async with server_on(fleet.join()) as house:
        for number in range(2 * AT_ONCE + 3):
            dead.write(made(f"m{number}"))
        fleet.expire(dead)
        await house.server.rooms.take_over()
        assert len(house.server.rooms.sleeping) == 2 * AT_ONCE + 3


@pytest.mark.usefixtures("few_at_once")
async def test_who_comes_to_the_last_of_very_many_rooms_that_a_server_was_given_is_in(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    given = LOAD._replace(address=SECOND)
    async with server_on(fleet.join()) as first, server_on(fleet.join(given)) as second:
        before = fleet.join()
        names = [f"m{number}" for number in range(3 * AT_ONCE)]
        for name in names:
            before.write(made(name))
        before.release([Release(name, SECOND) for name in names])
        ana, _ = await first.racing()
        (room,) = first.server.rooms.values()
        await first.server.worker.release([Release(room.match, SECOND)])
        await in_race(second, ana)
        assert second.server.rooms.taken_over == len(names) + 1


@pytest.mark.spec("FLEET-4")
async def test_who_comes_for_a_room_whose_heir_died_is_in_a_second_later_at_any_server(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    """The heir still has its lease: it was killed just before the room was let go to it."""
    async with several(fleet, 2) as (_, (first, third)):
        fleet.join(LOAD._replace(address=SECOND))
        ana, _ = await first.racing()
        (room,) = first.server.rooms.values()
        await first.server.worker.release([Release(room.match, SECOND)])
        with pytest.raises(AssertionError, match=f"moved_to='{SECOND}'"):
            await in_race(third, ana)
        fleet.execute(LATER)
        await in_race(third, ana)
        assert list(third.server.rooms) == [ana.code]


async def test_who_comes_for_a_room_that_was_given_to_a_server_that_is_drained_is_in_at_once_elsewhere(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with several(fleet, 2) as (_, (first, third)), server_on(fleet.join()) as second:
        await renew_lease(second.server, SECOND)
        await renew_lease(third.server, THIRD)
        await renew_lease(second.server, SECOND)
        ana, _ = await first.racing()
        (room,) = first.server.rooms.values()
        await first.server.worker.release([Release(room.match, SECOND)])
        second.server.drain.begin(0)
        await renew_lease(second.server, SECOND)
        await in_race(third, ana)
        assert list(third.server.rooms) == [ana.code]
