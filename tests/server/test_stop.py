"""A server of a fleet that is stopped hands its rooms on, whole, to the others that can take them."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race.rules_version import RULES_VERSION
from heat_core.wire.messages import Act, Create, ErrorData, Update
from heat_server.drain import HAND_ON_SECONDS, WAVE_SECONDS
from heat_server.fleet import renew_lease
from heat_server.heirs import LEAST_IN_WAVE, LEAST_SHARE, MOST_WAVES
from heat_server.room.room_exit import RoomExit
from heat_server.server import SHARED_FAREWELL_SECONDS
from heat_server.store.errors import StoreFailed
from tests.server.fleets import Fleet
from tests.server.restarts import FailingDisk, in_race, stored_log
from tests.server.support import House, Player, server_on
from tests.server.test_drain import FIRST, SECOND, TAKEN, THIRD, Drained, asleep, refused, sent_on, two
from tests.server.test_drain_rules import two as two_of_other_rules
from tests.server.test_hostile import read_to_the_end

pytestmark = pytest.mark.trio


async def bye_of(player: Player) -> str:
    await read_to_the_end(player)
    assert player.bye is not None
    return player.bye.code


async def seconds_to_stop(house: House) -> float:
    began = trio.current_time()
    await house.server.stop()
    return trio.current_time() - began


async def lobbies(house: House, number: int) -> list[Player]:
    """Open rooms, each with one player."""
    players = [await house.player() for _ in range(number)]
    for count, player in enumerate(players):
        await player.create(f"p{count}")
    return players


async def gone_of(players: list[Player]) -> list[str]:
    """Let players hang up as soon as they are sent on, as clients do; give where to."""
    where = dict[int, str]()

    async def go(number: int, player: Player) -> None:
        where[number] = await sent_on(player)
        await player.hang_up()

    async with trio.open_nursery() as nursery:
        for number, player in enumerate(players):
            nursery.start_soon(go, number, player)
    return [where[number] for number in range(len(players))]


@pytest.mark.spec("FLEET-4")
async def test_all_rooms_are_handed_on_at_once_with_all_that_was_acknowledged(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        host, guest = await servers.first.full_lobby(["host", "guest"])
        watcher = await servers.first.player()
        await watcher.watch(ana.code, "watcher")
        nowhere = await servers.first.player()
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        (room,) = (room for room in servers.first.server.rooms.values() if room.code == ana.code)
        before = stored_log(servers.first_store, room.match)
        assert await seconds_to_stop(servers.first) <= SHARED_FAREWELL_SECONDS
        for player in (ana, ben, host, guest, watcher):
            assert await sent_on(player) == SECOND
        assert not nowhere.unasked
        assert await bye_of(nowhere) == "bye/server_stops"
        assert servers.first.server.rooms.exits == {RoomExit.MOVED: 2}
        ana, watcher = await in_race(servers.second, ana), await in_race(servers.second, watcher)
        assert servers.second.server.rooms.taken_over == 2, "the first who comes brings all of them"
        assert fleet.epoch(ana.code) == TAKEN
        assert ana.view.own is not None
        assert ana.view.own.decision is None or ana.view.own.chosen is not None
        assert stored_log(servers.second_store, room.match)[: len(before)] == before
        ben = await in_race(servers.second, ben)
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))
        await watcher.wait_for(Update)
        host = await servers.second.back(host)
        assert [place.name for place in host.room.places if place.name] == ["host", "guest"]  # type: ignore[union-attr]


async def test_rooms_that_sleep_are_free_once_the_server_has_ended(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana = await asleep(servers.first)
        await servers.first.server.stop()
        servers.first_store.close()
        await in_race(servers.second, ana)
        assert fleet.epoch(ana.code) == 2


async def test_many_rooms_go_in_a_few_waves_within_half_a_second_and_race_until_their_turn(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        players = await lobbies(servers.first, MOST_WAVES * LEAST_IN_WAVE + 3)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(servers.first.server.stop)
            await trio.sleep(WAVE_SECONDS / 2)
            left = servers.left
            assert 0 < left < len(players)
            assert await gone_of(players) == [SECOND] * len(players)
        assert trio.current_time() < 1


async def test_the_rooms_go_to_the_servers_with_the_fewest_players_and_to_none_much_more_than_its_share(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(server_on(fleet.join())) for _ in range(3)]
        await lobbies(houses[1], 40)
        for _ in range(2):
            for house, address in zip(houses, (FIRST, SECOND, THIRD), strict=True):
                await renew_lease(house.server, address)
        few = await lobbies(houses[0], LEAST_SHARE)
        many = await lobbies(houses[0], LEAST_SHARE)
        players = [*few, *many]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(houses[0].server.stop)
            where = await gone_of(players)
        assert (where.count(SECOND), where.count(THIRD)) == (LEAST_SHARE, LEAST_SHARE)


async def test_nobody_opens_a_room_at_a_server_that_is_stopped(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        cy, players = await servers.first.player(), await lobbies(servers.first, 2 * LEAST_IN_WAVE)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(servers.first.server.stop)
            await sent_on(players[0])
            answer = await refused(cy, Create(cy.id(), "cy"))
            assert (answer.code, answer.data) == ("room/too_many", ErrorData(moved_to=SECOND))


# --- where rooms cannot go ------------------------------------------------------------------------------


async def test_without_another_server_nothing_is_waited_for(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with server_on(fleet.join()) as house:
        await renew_lease(house.server, FIRST)
        ana, *_ = await lobbies(house, 2 * MOST_WAVES * LEAST_IN_WAVE)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(house.server.stop)
            assert await bye_of(ana) == "bye/server_stops"
            assert trio.current_time() == 0
        assert not ana.unasked


async def test_to_other_servers_that_are_drained_nobody_is_sent(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, _ = await servers.first.racing()
        servers.second.server.drain.begin(0)
        await servers.renew()
        await servers.first.server.stop()
        assert await bye_of(ana) == "bye/server_stops"
        assert not ana.unasked


async def test_where_all_others_play_by_newer_rules_only_lobbies_go(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two_of_other_rules(fleet, RULES_VERSION + 1) as servers:
        ana, _ = await servers.first.racing()
        host, _ = await servers.first.full_lobby(["host", "guest"])
        assert await seconds_to_stop(servers.first) <= SHARED_FAREWELL_SECONDS
        assert await sent_on(host) == SECOND
        assert await bye_of(ana) == "bye/server_stops"
        assert not ana.unasked


async def test_while_the_database_is_away_the_server_only_says_goodbye(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(fleet) as servers:
        ana, _ = await servers.first.racing()
        monkeypatch.setattr(servers.first_store._link, "trouble", "nothing answers at its host and port")
        assert await seconds_to_stop(servers.first) <= SHARED_FAREWELL_SECONDS
        assert await bye_of(ana) == "bye/server_stops"
        assert not ana.unasked


async def test_a_room_that_cannot_be_let_go_is_tried_once_and_its_people_read_goodbye(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0

    def fails(releases: object) -> None:
        nonlocal tried
        tried += 1
        raise StoreFailed("the database takes too long")

    async with two(fleet) as servers:
        ana, _ = await servers.first.racing()
        monkeypatch.setattr(servers.first_store, "release", fails)
        assert await seconds_to_stop(servers.first) <= SHARED_FAREWELL_SECONDS
        assert await bye_of(ana) == "bye/server_stops"
        assert not ana.unasked
        assert tried == 1


async def test_a_commit_that_does_not_end_is_waited_for_two_seconds(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    stores = fleet.join(), fleet.join()
    disk = FailingDisk(stores[0])
    async with server_on(stores[0], worker=disk) as first, server_on(stores[1]) as second:
        servers = Drained(fleet, first, second, stores)
        ana, ben = await first.racing()
        await servers.renew()
        disk.gate = trio.Event()
        seconds = await seconds_to_stop(first)
        assert HAND_ON_SECONDS <= seconds <= HAND_ON_SECONDS + SHARED_FAREWELL_SECONDS
        for player in (ana, ben):
            assert await bye_of(player) == "bye/server_stops"
            assert not player.unasked


async def test_a_server_with_a_file_says_goodbye_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    (ana,) = await lobbies(house, 1)
    nursery.start_soon(house.server.stop)
    assert await bye_of(ana) == "bye/server_stops"
    assert trio.current_time() == 0
