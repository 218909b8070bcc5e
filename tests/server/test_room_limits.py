"""How many rooms there may be, and how many that were made from one address."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from heat_core.race.commands import GiveUp
from heat_core.wire.messages import Act, Create, Error, LobbyView
from heat_server.config import ServerConfig
from heat_server.room.limits import duration_words
from heat_server.room.rooms import FEW_ROOMS
from heat_server.store.contract import Store
from tests.server.support import QUICK, UNHURRIED, House, Player, server_on

pytestmark = pytest.mark.trio

NAT = "192.0.2.7"
DEFAULTS = ServerConfig()


async def refusal(house: House, peer: str) -> str:
    """Ask for a room from an address that has too many; give the sentence."""
    player = await house.player(peer=peer)
    got = await player.answer(Create(player.id(), "eve", None, QUICK))
    assert isinstance(got, Error), got
    assert got.code == "room/too_many"
    return got.text


async def race_alone(house: House, peer: str) -> Player:
    """Begin a race against a bot."""
    ana = await house.player(peer=peer)
    await ana.create()
    await ana.bot(1, "steady")
    await ana.start()
    return ana


async def finished_race(house: House, peer: str) -> Player:
    """End a race whose results the driver then reads."""
    ana = await race_alone(house, peer)
    await ana.ok(Act(ana.id(), None, GiveUp()))
    await ana.wait_for(LobbyView, lambda room: room.phase == "ended")
    return ana


async def test_sixty_players_in_twelve_rooms_behind_one_address(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, DEFAULTS)
    for _ in range(12):
        players = [await house.player(peer=NAT) for _ in range(5)]
        code = await players[0].create()
        for number, player in enumerate(players[1:]):
            await player.join(code, f"driver {number}")
    assert len(house.server.rooms) == 12
    assert not house.server.figures.refused


async def test_races_that_are_over_left_or_asleep_keep_nobody_from_opening_a_room(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store, replace(DEFAULTS, connections_per_address=500)) as house:
        for _ in range(20):
            await (await race_alone(house, NAT)).hang_up()
        await trio.sleep(DEFAULTS.sleep_seconds + 60)
        assert len(house.server.rooms.sleeping) == 20
        for _ in range(20):
            await finished_race(house, NAT)
        await trio.sleep(60)
        for _ in range(20):
            await (await race_alone(house, NAT)).leave()
        assert len(house.server.rooms) == 40
        await (await house.player(peer=NAT)).create()


async def test_open_lobbies_and_running_races_count_and_the_refusal_says_until_when(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(rooms_per_address=2))
    racing = await race_alone(house, NAT)
    host = await house.player(peer=NAT)
    await host.create()
    assert await refusal(house, NAT) == (
        "Too many rooms are open from your address (2). Try again in 60 minutes, or close one."
    )
    await trio.sleep(90)
    assert "Try again in 59 minutes, or close one." in await refusal(house, NAT)
    await (await house.player(peer="192.0.2.8")).create()
    await host.bot(1, "steady")
    await host.start()
    assert await refusal(house, NAT) == (
        "Too many rooms are open from your address (2). Try again when one of them ends."
    )
    await racing.leave()
    again = await house.player(peer=NAT)
    await again.create()
    await again.leave()
    assert "Try again in 2 minutes, or close one." in await refusal(house, NAT)


async def test_one_address_cannot_fill_the_server_with_races_that_it_leaves(
    store: Store, autojump_clock: MockClock
) -> None:
    config = replace(UNHURRIED, left_rooms_per_address=3, hellos_per_minute=1000)
    async with server_on(store, config) as house:
        await (await race_alone(house, NAT)).leave()
        await trio.sleep(3600)
        await (await race_alone(house, NAT)).leave()
        back = await race_alone(house, NAT)
        await back.leave()
        assert await refusal(house, NAT) == (
            "Too many races from your address are saved for drivers who left (3). Try again in 23 hours."
        )
        await (await house.player(peer="192.0.2.8")).create()


@pytest.mark.parametrize(("networks", "most"), [("2001:db8:1:{}::/64", 2), ("2001:db8:1:{}00::/64", 4)])
async def test_a_wider_ipv6_network_has_limits_of_its_own(
    networks: str, most: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(rooms_per_address=1))
    for number in range(most):
        await (await house.player(peer=networks.format(number + 1))).create()
    assert f"({most})" in await refusal(house, networks.format(9))
    await (await house.player(peer="2001:db8:2:1::/64")).create()


@pytest.mark.parametrize(("factor", "most"), [("3", 3), ("off", 30)])
async def test_an_address_may_have_more_by_the_settings(
    factor: str, most: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(rooms_per_address=1, address_limits=f"{NAT}={factor}"))
    for _ in range(most):
        await (await house.player(peer=NAT)).create()
    if factor != "off":
        assert f"({most})" in await refusal(house, NAT)


async def test_a_few_addresses_that_open_all_the_rooms_they_may_fill_no_server(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    config = ServerConfig(most_rooms=40, rooms_per_address=20)
    house = House(nursery, config)
    for number in range(30):
        flooder = await house.player(peer=f"192.0.2.{number % 2}")
        if number % 3:
            await flooder.create()
        else:
            await finished_race(house, f"192.0.2.{number % 2}")
    text = "Too many rooms are open from your address while the server is nearly full (15). Try again in"
    assert (await refusal(house, "192.0.2.0")).startswith(text)
    for _ in range(FEW_ROOMS):
        await (await house.player(peer=NAT)).create()
    assert f"nearly full ({FEW_ROOMS})" in await refusal(house, NAT)
    for number in range(10 - FEW_ROOMS):
        await (await house.player(peer=f"198.51.100.{number}")).create()
    assert "The server has too many rooms." in await refusal(house, "198.51.100.99")


@pytest.mark.trio
async def test_durations_are_said_in_one_number() -> None:
    for seconds, words in {
        0: "1 second",
        1: "1 second",
        59.5: "60 seconds",
        119: "119 seconds",
        120: "2 minutes",
        121: "3 minutes",
        3600: "60 minutes",
        7200: "2 hours",
        86_400: "24 hours",
        14 * 86_400: "14 days",
    }.items():
        assert duration_words(seconds) == words
