"""What a server's metrics show of its part in a fleet, and of the fleet."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_server.drain import STEP_SECONDS
from heat_server.fleet import keep_lease, renew_lease
from heat_server.store.errors import StoreFailed
from heat_server.store.ownership import ServerLoad
from tests.server.fleets import Fleet
from tests.server.restarts import in_race
from tests.server.scraping import scrape, values_of
from tests.server.support import House, server_on

pytestmark = pytest.mark.trio

FIRST, SECOND = "first.example:7777", "second.example:7777"


async def fleet_values(house: House) -> dict[str, float]:
    """Read the figures of the fleet, without the beginning of their names."""
    values = values_of(await scrape(house))
    names = ("draining", "lease_", "room_moves", "fleet_")
    short = {name.removeprefix("heat_server_"): value for name, value in values.items()}
    return {name: value for name, value in short.items() if name.startswith(names) and "created" not in name}


@pytest.mark.spec("FLEET-5.2")
async def test_a_server_shows_its_lease_the_fleet_as_it_sees_it_and_no_names_or_addresses(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    own = fleet.join()
    async with server_on(own) as house:
        await renew_lease(house.server, FIRST)
        assert await fleet_values(house) == {
            "draining": 0,
            "lease_age_seconds": 0,
            "lease_failures_total": 0,
            "room_moves_total taken_over": 0,
            "room_moves_total moved": 0,
            "room_moves_total lost": 0,
            "fleet_servers running": 1,
            "fleet_servers draining": 0,
            "fleet_servers silent": 0,
            "fleet_rooms": 0,
            "fleet_rooms_without_owner": 0,
        }
        ana, _ = await house.racing()
        drained, silent = fleet.join(), fleet.join()
        drained.renew(ServerLoad(SECOND, 7, 5, is_draining=True))
        silent.renew(ServerLoad("third.example:7777", 9, 5))
        fleet.expire(silent)
        await renew_lease(house.server, FIRST)
        await trio.sleep(1.5)
        values = await fleet_values(house)
        assert [values[f"fleet_servers {state}"] for state in ("running", "draining", "silent")] == [1, 1, 1]
        assert (values["fleet_rooms"], values["lease_age_seconds"]) == (8, 1.5)
        text = await scrape(house)
        for secret in ("example", "7777", ana.code, ana.token, own._leases.server):
            assert secret.lower() not in text.lower()


async def test_rooms_that_change_their_server_are_counted_on_both(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        for _ in range(2):
            await renew_lease(first.server, FIRST)
            await renew_lease(second.server, SECOND)
        first.nursery.start_soon(first.server.drain.run, first.server.rooms)
        ana, _ = await first.racing()
        first.server.drain.begin(0)
        await trio.sleep(STEP_SECONDS)
        values = await fleet_values(first)
        assert (values["draining"], values["room_moves_total moved"]) == (1, 1)
        assert "fleet_rooms_without_owner" not in values, "it does not look while it takes none"
        await in_race(second, ana)
        assert (await fleet_values(second))["room_moves_total taken_over"] == 1
        first.server.drain.cancel()
        fleet.expire(stores[1])
        await first.server.rooms.take_over()
        await renew_lease(second.server, SECOND)
        await trio.testing.wait_all_tasks_blocked()
        assert (await fleet_values(second))["room_moves_total lost"] == 1


async def test_renewals_that_fail_are_counted_and_the_lease_ages(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fleet.join()

    def fails(load: object) -> list[str]:
        raise StoreFailed("the database is shut down")

    async with server_on(store) as house:
        await renew_lease(house.server, FIRST)
        monkeypatch.setattr(store, "renew", fails)
        house.nursery.start_soon(keep_lease, house.server, FIRST)
        await trio.sleep(5)
        values = await fleet_values(house)
        assert (values["lease_failures_total"], values["lease_age_seconds"]) == (2, 5)


async def test_a_server_without_others_shows_nothing_of_a_fleet(nursery: trio.Nursery) -> None:
    assert await fleet_values(House(nursery)) == {}
