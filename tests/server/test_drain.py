"""A server that is drained: its rooms go to the others, whole, and it takes none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_core.race import commands as c
from heat_core.wire.messages import (
    Act,
    Create,
    Error,
    ErrorData,
    Join,
    Ok,
    Pause,
    RoomOptions,
    SeasonOptions,
    TakeSeat,
    Update,
)
from heat_core.wire.operator import CancelDrain, Done, Draining, NotDone, StartDrain
from heat_server.drain import MOST_MOVED_AT_ONCE, STEP_SECONDS
from heat_server.fleet import renew_lease
from heat_server.monitoring.health import why_not_ready
from heat_server.operator.handlers import answer_operator
from heat_server.operator.status import drain_of, status_of
from heat_server.room.moving import Move
from heat_server.room.room_exit import RoomExit
from heat_server.store.ownership import Release
from heat_server.store.postgres.store import PostgresStore
from tests.server import test_season as season
from tests.server.fleets import Fleet
from tests.server.restarts import in_race, stored_log
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio

FIRST, SECOND, THIRD = "first.example:7777", "second.example:7777", "third.example:7777"

GIVEN, TAKEN = 2, 3
"""The epochs of a new room that its server has let go to another one, before and after that knows of it."""


class Drained:
    """Two servers, of which the first is to be drained."""

    def __init__(self, fleet: Fleet, first: House, second: House, stores: tuple[PostgresStore, ...]) -> None:
        self.fleet = fleet
        self.first, self.second = first, second
        self.first_store, self.second_store = stores

    async def renew(self) -> None:
        """Let both see each other as they are."""
        await renew_lease(self.first.server, FIRST)
        await renew_lease(self.second.server, SECOND)
        await renew_lease(self.first.server, FIRST)

    async def drain(self, within_seconds: float | None = None) -> Draining:
        answer = await answer_operator(self.first.server, StartDrain(within_seconds))
        assert isinstance(answer, Draining), answer
        await self.renew()
        await trio.sleep(2 * STEP_SECONDS)
        return answer

    @property
    def left(self) -> int:
        return drain_of(self.first.server).rooms_left


@asynccontextmanager
async def two(fleet: Fleet) -> AsyncIterator[Drained]:
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        servers = Drained(fleet, first, second, stores)
        await servers.renew()
        first.nursery.start_soon(first.server.drain.run, first.server.rooms)
        yield servers


async def asleep(house: House) -> Player:
    """Have a race whose people have hung up sleep; give one of them."""
    ana, ben = await house.racing()
    for player in (ana, ben):
        await player.hang_up()
    await trio.sleep(200)
    assert len(house.server.rooms.sleeping) == 1
    return ana


async def sent_on(player: Player) -> str:
    """Read the words by which a room sends its people on; give where."""
    while not player.unasked:
        await player.receive()
    (error,) = player.unasked
    assert error.code == "room/closed"
    assert error.data is not None
    return error.data.moved_to or ""


async def refused(player: Player, request: Create | Join) -> Error:
    answer = await player.answer(request)
    assert isinstance(answer, Error)
    return answer


async def test_a_lobby_moves_at_once_with_its_people_ready_marks_and_chat(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.full_lobby(["ana", "ben"])
        await ana.say("hello")
        assert (await servers.drain()).rooms == {"lobby": 1, "racing": 0, "between": 0, "ended": 0}
        assert [await sent_on(player) for player in (ana, ben)] == [SECOND, SECOND]
        assert servers.left == 0
        assert servers.fleet.epoch(ana.code) == GIVEN, "it has an owner, who does not know of it yet"
        ana, ben = [await servers.second.back(player) for player in (ana, ben)]
        assert servers.fleet.epoch(ana.code) == TAKEN
        assert ana.room is not None
        assert [place.name for place in ana.room.places if place.name] == ["ana", "ben"]
        await ana.ok(TakeSeat(ana.id(), ready=True))
        await ana.start()
        await ben.wait_for(Update)
        assert "hello" in ana.lines
        assert servers.first.server.rooms.exits == {RoomExit.MOVED: 1}


async def test_who_comes_in_while_a_room_moves_is_sent_on(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they asked is refused with the address, so that their client asks there by itself."""
    async with two(fleet) as servers:
        (ana,) = await servers.first.full_lobby(["ana"])
        ben = await servers.first.player()
        worker = servers.first.server.worker
        release, answers = worker.release, []

        async def slowly(releases: Sequence[Release]) -> None:
            await release(releases)
            servers.first.nursery.start_soon(ask)
            await wait_all_tasks_blocked()

        async def ask() -> None:
            answers.append(await refused(ben, Join(ben.id(), ana.code, "ben")))

        monkeypatch.setattr(worker, "release", slowly)
        await servers.drain()
        (answer,) = answers
        assert (answer.code, answer.data) == ("room/closed", ErrorData(moved_to=SECOND))
        ben = await servers.second.player()
        await ben.join(ana.code, "ben")


async def test_a_race_moves_when_it_ends_and_nothing_is_lost(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        await servers.drain()
        await trio.sleep(10)
        assert servers.left == 1
        assert not ana.unasked
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ana.race)
            nursery.start_soon(ben.race)
        assert await sent_on(ana) == SECOND
        assert servers.left == 0
        ana = await in_race(servers.second, ana)
        assert ana.view.status == "ended"
        (room,) = servers.second.server.rooms.values()
        assert len(stored_log(servers.second_store, room.match)) == ana.view.event_number


async def test_by_its_time_a_race_moves_in_the_midst_with_all_that_was_acknowledged(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    """What a seat has chosen and nobody else has seen is there, too, and so is the time that is left."""
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        await servers.drain(within_seconds=30)
        again = await servers.drain()
        assert again.seconds_left == 30 - 2 * STEP_SECONDS, "whoever asks how far it is changes nothing"
        await trio.sleep(20 - 2 * STEP_SECONDS)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        (room,) = servers.first.server.rooms.values()
        before = stored_log(servers.first_store, room.match)
        assert room.state.race is not None
        timers = room.state.race.timers(trio.current_time()).seconds_left
        assert servers.left == 1
        await trio.sleep(10)
        assert [await sent_on(player) for player in (ana, ben)] == [SECOND, SECOND]
        assert servers.left == 0
        ana = await in_race(servers.second, ana)
        assert servers.fleet.epoch(ana.code) == TAKEN
        assert ana.view.own is not None
        assert ana.view.own.decision is None or ana.view.own.chosen is not None
        (there,) = servers.second.server.rooms.values()
        assert stored_log(servers.second_store, there.match)[: len(before)] == before
        assert there.state.race is not None
        ((_, _, left),) = there.state.race.timers(trio.current_time()).seconds_left
        assert left == pytest.approx(timers[0][2] - 10, abs=1.5)
        ben = await in_race(servers.second, ben)
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))


async def test_what_is_asked_of_a_room_that_moves_is_done_before_or_not_at_all(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        servers.first.server.drain.begin(0)
        await wait_all_tasks_blocked()  # it has gone, and nobody has read so yet
        assert servers.left == 0
        assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(2))) == "room/in_none"
        ana, ben = [await in_race(servers.second, player) for player in (ana, ben)]
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        (room,) = servers.second.server.rooms.values()
        await ben.send(Act(ben.id(), 2, c.ShiftGear(2)))
        room.move(Move(FIRST))
        answer = None
        while not ben.unasked:
            got = await ben.receive()
            answer = got if isinstance(got, Ok) else answer
        assert answer is not None, "what waits when the room is to go is done first"
        servers.first.server.drain.cancel()
        await servers.first.server.rooms.find(room.code)
        assert servers.fleet.epoch(room.code) == TAKEN + 2
        ben = await in_race(servers.first, ben)
        assert await ben.refused(Act(ben.id(), 2, c.ShiftGear(1))) == "act/late"


async def test_a_paused_race_and_one_that_all_have_left_move_at_once(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        left = await servers.first.racing()
        for player in left:
            await player.hang_up()
        for player in (ana, ben):
            await player.ok(Pause(player.id(), True))
        await servers.drain()
        assert servers.left == 0
        assert await sent_on(ana) == SECOND
        await servers.second.server.rooms.take_over()
        assert len(servers.second.server.rooms.sleeping) == 2


async def test_rooms_that_sleep_are_released_at_once_and_none_is_claimed(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana = await asleep(servers.first)
        assert (await servers.drain()).sleeping == 1
        await servers.first.server.rooms.take_over()
        assert servers.left == 0
        cy = await servers.first.player()
        answer = await refused(cy, Join(cy.id(), ana.code, "cy"))
        assert (answer.code, answer.data) == ("server/not_read", ErrorData(moved_to=SECOND))
        stranger = servers.first.connect()
        with pytest.raises(AssertionError, match="server/not_read"):
            await stranger.hello(ana.token)
        await in_race(servers.second, ana)
        assert servers.fleet.epoch(ana.code) == 2


async def test_a_season_moves_between_two_races_and_continues(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    options = RoomOptions(laps=1, season=SeasonOptions(tracks=("usa", "italy", "france")))
    async with two(fleet) as servers:
        ana, ben = await season.grid(servers.first, options)
        await season.start(ana, ben)
        await servers.drain()
        await season.race(ana, ben)
        standings = season.told(ana).view.standings
        assert await sent_on(ana) == SECOND
        ana, ben = [await servers.second.back(player) for player in (ana, ben)]
        await ben.seat(ready=True)
        await season.start(ana, ben)
        view = season.told(ana).view
        assert (view.race, view.standings) == (2, standings)
        await season.race(ana, ben)
        assert servers.fleet.epoch(ana.code) > 1


async def test_a_server_that_is_drained_takes_nobody_and_the_others_send_nobody_there(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        await servers.drain()
        ana = await servers.first.player()
        answer = await refused(ana, Create(ana.id(), "ana"))
        assert (answer.code, answer.data) == ("room/too_many", ErrorData(moved_to=SECOND))
        assert answer.text == f"This server takes no new rooms. Open yours on {SECOND}."
        assert why_not_ready(servers.first.server) == "draining"
        assert status_of(servers.first.server).draining
        assert not servers.second.server.peers.quietest
        assert servers.second.server.peers.addresses == (SECOND, FIRST)
        assert why_not_ready(servers.second.server) == ""
        assert await answer_operator(servers.first.server, CancelDrain()) == Done(
            "the drain is cancelled: the server takes rooms again"
        )
        assert why_not_ready(servers.first.server) == ""
        await ana.create("ana")
        assert await answer_operator(servers.first.server, CancelDrain()) == NotDone(
            "the server is not being drained"
        )


async def test_a_drain_that_no_other_server_could_bear_is_refused(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async def reason(house: House) -> str:
        answer = await answer_operator(house.server, StartDrain())
        assert isinstance(answer, NotDone)
        return answer.text

    async with two(fleet) as servers:
        servers.second.server.drain.begin(0)
        await servers.renew()
        told = await reason(servers.first)
        assert told == "all other servers are being drained, so none can take the rooms"
        fleet.expire(servers.second_store)
        await renew_lease(servers.first.server, FIRST)
        assert await reason(servers.first) == (
            "no other server is running that can take the rooms; `heat-server fleet` lists all"
        )


async def test_a_server_in_a_file_cannot_be_drained(nursery: trio.Nursery) -> None:
    answer = await answer_operator(House(nursery).server, StartDrain())
    assert answer == NotDone(
        "no other server can take the rooms: the store is a file, which only one server can use"
    )


async def test_two_drains_at_once_keep_the_rooms_where_they_are_until_one_is_cancelled(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        second = servers.second
        second.nursery.start_soon(second.server.drain.run, second.server.rooms)
        await servers.first.full_lobby(["ana", "ben"])
        await servers.renew()
        assert isinstance(await answer_operator(servers.second.server, StartDrain()), Draining)
        await renew_lease(servers.second.server, SECOND)
        servers.first.server.drain.begin(0)  # in the moment in which it does not know that of the other
        servers.first.server.peers.note(FIRST, [])
        await servers.renew()
        await trio.sleep(5)
        assert servers.left == 1
        for house in (servers.first, servers.second):
            assert (
                drain_of(house.server).waits_for
                == "all other servers are being drained, so none can take the rooms"
            )
            assert why_not_ready(house.server) == "", "somebody must take players"
        cy = await servers.first.player()
        await cy.create("cy")
        await answer_operator(servers.second.server, CancelDrain())
        await servers.renew()
        await trio.sleep(2)
        assert servers.left == 0


async def test_the_last_server_of_a_fleet_takes_over_though_it_is_drained(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()
        await servers.drain(within_seconds=0)
        ana = await in_race(servers.second, ana)
        fleet.expire(servers.second_store)
        await renew_lease(servers.first.server, FIRST)
        await servers.first.server.rooms.take_over()
        ben = await in_race(servers.first, ben)
        assert servers.fleet.epoch(ben.code) == TAKEN + 1
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))


async def test_of_many_rooms_a_few_move_at_once_and_the_quiet_ones_first(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with two(fleet) as servers:
        racers = await servers.first.racing()
        lobbies = [await servers.first.player() for _ in range(MOST_MOVED_AT_ONCE + 3)]
        for number, player in enumerate(lobbies):
            await player.create(f"p{number}")
        servers.first.server.drain.begin(0)
        await trio.sleep(STEP_SECONDS / 2)
        assert servers.left == 4
        await trio.sleep(STEP_SECONDS)
        assert servers.left == 0
        assert await sent_on(racers[0]) == SECOND
