"""A server that is drained while all others play by other rules: races stay on it, all else goes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race.rules_version import RULES_VERSION
from heat_core.wire.messages import Act, Create, ErrorData, Join, Rematch, Start
from heat_core.wire.operator import Draining, NotDone, StartDrain
from heat_server.fleet import renew_lease
from heat_server.monitoring.health import why_not_ready
from heat_server.operator.draining import drain_line
from heat_server.operator.handlers import answer_operator
from heat_server.operator.status import drain_of
from heat_server.room.moving import Move
from heat_server.store.postgres.store import PostgresStore
from tests.server.fleets import Fleet
from tests.server.restarts import in_race
from tests.server.support import server_on
from tests.server.test_drain import SECOND, TAKEN, THIRD, Drained, asleep, refused, sent_on

pytestmark = pytest.mark.trio

NEWER = RULES_VERSION + 1


def join_with(fleet: Fleet, rules: int) -> PostgresStore:
    """Start one more server, which plays by other rules as far as the others can see."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heat_server.store.postgres.store.RULES_VERSION", rules)
        return fleet.join()


@asynccontextmanager
async def two(fleet: Fleet, rules: int = NEWER) -> AsyncIterator[Drained]:
    """A server that is to be drained, and one of other rules."""
    stores = fleet.join(), join_with(fleet, rules)
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        servers = Drained(fleet, first, second, stores)
        await servers.renew()
        first.nursery.start_soon(first.server.drain.run, first.server.rooms)
        yield servers


async def test_new_rooms_are_made_there_and_the_server_is_not_ready(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        await servers.drain()
        ana = await servers.first.player()
        answer = await refused(ana, Create(ana.id(), "ana"))
        assert (answer.code, answer.data) == ("room/too_many", ErrorData(moved_to=SECOND))
        assert why_not_ready(servers.first.server) == "draining"


async def test_a_lobby_moves_and_is_raced_by_the_newer_rules(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.full_lobby(["ana", "ben"])
        await servers.drain()
        assert [await sent_on(player) for player in (ana, ben)] == [SECOND, SECOND]
        assert servers.left == 0
        with pytest.raises(AssertionError, match="server/not_read"):
            await servers.first.connect().hello(ana.token)
        cy = await servers.first.player()
        answer = await refused(cy, Join(cy.id(), ana.code, "cy"))
        assert answer.data == ErrorData(moved_to=SECOND), "it cannot be taken back"
        ana, ben = [await servers.second.back(player) for player in (ana, ben)]
        await ana.start()
        assert fleet.epoch(ana.code) == TAKEN


async def test_a_race_stays_until_it_ends_awake_or_asleep_and_then_its_people_are_free(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        await asleep(servers.first)
        await servers.drain()
        await trio.sleep(10)
        progress = drain_of(servers.first.server)
        assert (progress.rooms["racing"], progress.sleeping) == (1, 1)
        assert drain_line(progress) == (
            "2 rooms left: 1 racing, 1 asleep. "
            f"2 races play version {RULES_VERSION} of the rules, which no other server plays. They end here."
        )
        await servers.second.server.rooms.take_over()
        assert not servers.second.server.rooms.sleeping, "it could not wake it"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ana.race)
            nursery.start_soon(ben.race)
        assert not ana.unasked
        await ana.ok(Rematch(ana.id()))
        assert await sent_on(ana) == SECOND, "a rematch begins in a lobby"


async def test_who_comes_back_to_a_sleeping_race_wakes_it_where_it_can_continue(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana = await asleep(servers.first)
        await servers.drain()
        with pytest.raises(AssertionError, match="server/not_read"):
            await servers.second.connect().hello(ana.token)
        ana = await in_race(servers.first, ana)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))


async def test_races_of_a_server_of_the_same_rules_that_dies_are_taken_over_all_the_same(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        third = fleet.join()
        async with server_on(third) as house:
            ana, _ = await house.racing()
            house.server.drain.begin()
            await renew_lease(house.server, THIRD)
            await servers.drain()
            assert drain_of(servers.first.server).rules_only_here == RULES_VERSION
            fleet.expire(third)
            await servers.renew()
            await servers.second.server.rooms.take_over()
            await servers.first.server.rooms.take_over()
            assert servers.left == 1
            await in_race(servers.first, ana)


async def test_a_lobby_whose_race_begins_in_the_moment_of_its_move_stays(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.full_lobby(["ana", "ben"])
        (room,) = servers.first.server.rooms.values()
        await ana.send(Start(ana.id()))
        await ana.send(Act(ana.id(), 1, c.ShiftGear(2)))
        room.move(Move(SECOND, NEWER))
        await in_race(servers.first, ben)
        assert room.moves_to is None
        assert fleet.epoch(ana.code) == 1
        assert servers.left == 1


async def test_races_that_cannot_move_move_no_sooner_either(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with two(fleet) as servers:
        await servers.first.racing()
        refused_words = NotDone(
            f"no other server plays version {RULES_VERSION} of the rules, so no race can move; "
            "drain without --now and --within, and the races end on this server"
        )
        for seconds in (0.0, 60.0):
            assert await answer_operator(servers.first.server, StartDrain(seconds)) == refused_words
        assert not servers.first.server.drain.is_on
        await servers.drain()
        assert await answer_operator(servers.first.server, StartDrain(0.0)) == refused_words
        fleet.execute(f"UPDATE heat.servers SET rules = {RULES_VERSION} WHERE address = '{SECOND}'")
        await servers.renew()
        answer = await answer_operator(servers.first.server, StartDrain(0.0))
        assert isinstance(answer, Draining)
        assert answer.rules_only_here is None


async def test_lobbies_go_to_no_server_of_older_rules(fleet: Fleet, autojump_clock: MockClock) -> None:
    """It may not know what they can be set to; new rooms are made there."""
    async with two(fleet, RULES_VERSION - 1) as servers:
        ana, _ = await servers.first.full_lobby(["ana", "ben"])
        await servers.drain()
        await trio.sleep(10)
        assert not ana.unasked
        assert servers.left == 1
        cy = await servers.first.player()
        answer = await refused(cy, Create(cy.id(), "cy"))
        assert answer.data == ErrorData(moved_to=SECOND)


async def test_where_one_of_the_same_rules_is_there_too_it_gets_the_rooms(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        third = fleet.join()
        async with server_on(third) as house:
            for _ in range(3):
                await house.player()
            await renew_lease(house.server, THIRD)
            await servers.renew()
            ana, _ = await servers.first.full_lobby(["ana", "ben"])
            await servers.drain()
            assert await sent_on(ana) == THIRD
