"""A server without space for all who come: who goes, and for whom there is always a place."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.wire.messages import PROTOCOL, Hello, Update
from heat_server.config import ServerConfig
from heat_server.net.eviction import SILENT_SECONDS, UNANNOUNCED_PERCENT, reserved_for_drivers
from heat_server.store.contract import Store
from tests.server.support import House, HungUp, Player, server_on

pytestmark = pytest.mark.trio

FULL = ServerConfig(most_connections=100, connections_per_address=1000)


async def bye_of(player: Player) -> str:
    """Read on until the server hangs up; give the code that it said."""
    with pytest.raises(HungUp):
        await player.wait_for(int)
    assert player.bye is not None
    return str(player.bye.code)


async def crowd(house: House, count: int) -> list[Player]:
    """Let some come who are in no room."""
    return [await house.player() for _ in range(count)]


async def racing(house: House) -> tuple[Player, Player]:
    """Let two race."""
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    return ana, ben


def ben_is_there(house: House) -> bool:
    """Tell whether the second driver of the one race is there."""
    (room,) = house.server.rooms.values()
    return room.state.head_count()[0] == 2


async def test_who_has_a_seat_comes_back_to_a_full_server_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, FULL)
    ana, ben = await racing(house)
    idle = await crowd(house, 95 - 2)
    await ben.hang_up()
    await ana.wait_for(Update, lambda update: not ben_is_there(house))
    idle += await crowd(house, 1)
    for number in range(10):
        stranger = house.connect()
        await stranger.send(Hello(1, PROTOCOL, token=None if number % 2 else "x" * 43))
        assert await bye_of(stranger) == "bye/server_full"
    again = await house.player(ben.token)
    await again.wait_for(Update)
    assert trio.current_time() < SILENT_SECONDS
    for one in idle:
        await one.ping()


async def test_who_has_a_seat_in_a_race_that_sleeps_comes_back_too(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await racing(house)
    async with server_on(store, FULL) as house:
        await crowd(house, 95)
        await (await house.player(ana.token)).wait_for(Update)
        await (await house.player(ben.token)).wait_for(Update)


async def test_a_thousand_idle_connections_keep_no_driver_out(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(connections_per_address=10_000, hello_seconds=600))
    ana, ben = await racing(house)
    await ben.hang_up()
    for number in range(1_000):
        idle = house.connect()
        if number % 2:
            await idle.send(Hello(1, PROTOCOL))
    await trio.testing.wait_all_tasks_blocked()
    again = await house.player(ben.token)
    await again.wait_for(Update)
    assert trio.current_time() < 2
    await ana.ping()


async def test_the_longest_silent_in_no_room_makes_way(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, FULL)
    seated = await house.player()
    await seated.create()
    early = await crowd(house, 1)
    await trio.sleep(1)
    late = await crowd(house, 93)
    await trio.sleep(SILENT_SECONDS - 2)
    for one in late[1:]:
        await one.ping()
    await trio.sleep(1)
    (first,) = await crowd(house, 1)
    assert await bye_of(early[0]) == "bye/idle"
    await trio.sleep(1)
    (second,) = await crowd(house, 1)
    assert await bye_of(late[0]) == "bye/idle"
    for one in [seated, first, second, *late[1:]]:
        await one.ping()


async def test_who_holds_the_last_places_and_shows_no_token_makes_way_for_the_next(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, FULL)
    ana, ben = await racing(house)
    await crowd(house, 93)
    await ben.hang_up()
    await ana.wait_for(Update, lambda update: not ben_is_there(house))
    await crowd(house, 1)
    holders = []
    for _ in range(reserved_for_drivers(100)):
        holders.append(house.connect())
        await trio.testing.wait_all_tasks_blocked()
    again = await house.player(ben.token)
    assert await bye_of(holders[0]) == "bye/server_full"
    holders.append(house.connect())
    assert await bye_of(holders[1]) == "bye/server_full"
    await again.ping()
    assert trio.current_time() < 10


async def test_a_server_full_of_drivers_is_full(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(most_connections=2))
    ana, ben = await racing(house)
    await trio.sleep(SILENT_SECONDS)
    assert await bye_of(house.connect()) == "bye/server_full"
    await ana.ping()
    await ben.ping()


async def test_who_says_no_hello_makes_way_for_newcomers(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, replace(FULL, hello_seconds=600))
    seated = await house.player()
    await seated.create()
    unannounced = []
    for number in range(94):
        unannounced.append(house.connect(peer=f"192.0.2.{number}"))
        await trio.testing.wait_all_tasks_blocked()
    newcomers = await crowd(house, 94 - UNANNOUNCED_PERCENT)
    assert await bye_of(unannounced[0]) == "bye/no_hello"
    late = house.connect()
    await late.send(Hello(1, PROTOCOL))
    assert await bye_of(late) == "bye/server_full", "a quarter has time to say hello"
    for one in [seated, *newcomers]:
        await one.ping()
    assert trio.current_time() < SILENT_SECONDS


async def test_addresses_with_many_connections_and_no_room_make_way_for_those_with_few(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, replace(FULL, address_limits="192.0.2.9=10"))
    ana, ben = await racing(house)
    holders = [await house.player(peer="192.0.2.7") for _ in range(10)]
    club = [await house.player(peer="192.0.2.9") for _ in range(80)]
    holders += [await house.player(peer="192.0.2.8") for _ in range(3)]
    newcomers = [await house.player(peer="192.0.2.1"), await house.player(peer="192.0.2.1")]
    for holder in holders[:2]:
        assert await bye_of(holder) == "bye/server_full"
    for _ in range(5):
        stranger = house.connect(peer="192.0.2.7")
        await stranger.send(Hello(1, PROTOCOL))
        assert await bye_of(stranger) == "bye/server_full", "who has many does not take from others"
    for one in [ana, ben, *newcomers, *club, *holders[2:]]:
        await one.ping()


async def test_the_silent_make_way_for_their_neighbours_too(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(connections_per_address=2))
    silent = await house.player(peer="192.0.2.7")
    await trio.sleep(1)
    elsewhere, other = await house.player(peer="192.0.2.8"), await house.player(peer="192.0.2.7")
    assert await bye_of(house.connect(peer="192.0.2.7")) == "bye/address_full"
    await trio.sleep(SILENT_SECONDS - 1)
    newcomer = await house.player(peer="192.0.2.7")
    assert await bye_of(silent) == "bye/idle"
    for one in (newcomer, elsewhere, other):
        await one.ping()
