"""Turn timers, grace times, coming back. All times are the virtual clock's."""

from __future__ import annotations

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from heat_core.decisions import only_answer
from heat_core.race import commands as c
from heat_core.race.commands import Command
from heat_core.race.events import ChoiceMade, GearShifted
from heat_core.view.defaults import default_command
from heat_core.view.observation import Observation
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    Configure,
    Error,
    GiveTime,
    Hello,
    Join,
    LobbyView,
    Ok,
    RoomOptions,
    Update,
)
from heat_server.config import ServerConfig
from tests.server.support import QUICK, House, HungUp

LONG = replace(QUICK, laps=4)
"""Enough rounds for some hands that leave no choice, however the cards fall."""

pytestmark = pytest.mark.trio


async def test_who_misses_two_decisions_is_played_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    began = trio.current_time()
    await ana.race()
    assert 120 <= trio.current_time() - began < 121
    assert ana.update is not None
    assert ana.update.away == (1,)
    await ben.wait_for(Update, lambda update: update.away == (1,))


async def test_who_acts_again_is_waited_for_again(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        await ben.wait_for(Update, lambda update: update.view.round == 2)
        assert await ben.refused(Act(ben.id(), 1, c.ShiftGear(1))) == "act/late"
        await ben.wait_for(Update, lambda update: update.away == ())
        playing.cancel_scope.cancel()


async def test_what_a_program_answers_by_itself_is_no_sign_of_its_driver(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"], LONG)
    await ana.start()
    plain: list[Command] = []

    def only_what_is_plain(observation: Observation) -> Command | None:
        command = only_answer(observation.own.choice) if observation.own.choice is not None else None
        plain.extend([command] if command is not None else [])
        return command

    async with trio.open_nursery() as playing:
        playing.start_soon(ben.race, only_what_is_plain)
        await ana.wait_for(Update, lambda update: update.away == (0, 1))
        plain.clear()
        while not plain:
            await ana.wait_for(Update)
            assert ana.update is not None
            assert ana.update.away == (0, 1)
        assert ana.update is not None
        while ana.update.away != (1,):
            if (act := ana.next_act()) is not None:
                await ana.answer(act)  # refused where it has been chosen for her in the same moment
            else:
                await ana.wait_for(Update)
        playing.cancel_scope.cancel()


async def test_who_confirms_what_was_chosen_for_them_is_waited_for_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    async with trio.open_nursery() as playing:
        playing.start_soon(
            ana.race, lambda observation: default_command(observation) if observation.view.round < 3 else None
        )
        await ben.wait_for(Update, lambda update: update.view.round == 3 and update.decisions[1].has_chosen)
        assert ben.update is not None
        assert ben.update.away == (1,)
        own = ben.view.own
        assert own is not None
        assert own.chosen is not None
        number = ben.update.number
        await ben.ok(Act(ben.id(), own.decision, own.chosen))
        await ben.wait_for(Update, lambda update: update.away == ())
        assert ben.update.number == number, "nothing is chosen anew"
        playing.cancel_scope.cancel()


async def test_a_room_may_set_its_own_turn_time(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, _ = await House(nursery).full_lobby(["ana", "ben"], RoomOptions(laps=1, turn_milliseconds=200))
    await ana.start()
    left = [decision.milliseconds_left for decision in ana.updates[0].decisions]
    assert left == [200, 200]
    began = trio.current_time()
    await ana.race()
    assert 0.4 <= trio.current_time() - began < 0.5


async def test_alone_against_bots_the_timer_holds(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana = await House(nursery).player()
    await ana.create("ana", QUICK)
    await ana.bot(1, "steady")
    await ana.start()
    began = trio.current_time()
    await ana.wait_for(Update, lambda update: update.view.round == 4)
    assert trio.current_time() - began > 6 * 60


@pytest.mark.spec("NET-5.1")
@pytest.mark.parametrize(
    ("turn_seconds", "is_absent", "waited_seconds"), [(60, False, 60), (60, True, 20), (10, True, 10)]
)
async def test_all_who_owe_a_choice_are_waited_for_the_absent_until_their_grace_time_or_the_timer_ends(
    turn_seconds: int, is_absent: bool, waited_seconds: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    options = replace(QUICK, turn_milliseconds=1000 * turn_seconds)
    ana, ben, cy = await House(nursery).full_lobby(["ana", "ben", "cy"], options)
    await ana.start()
    began = trio.current_time()
    if is_absent:
        await cy.hang_up()
    for player in (ana, ben):
        await player.ok(Act(player.id(), (await player.look()).view.own.decision, c.ShiftGear(2)))  # type: ignore[union-attr]
    assert [decision.has_chosen for decision in (await ana.look()).decisions] == [True, True, False]
    assert ana.view.phase == 1
    update = await ana.wait_for(Update, lambda update: update.view.phase == 2)
    assert trio.current_time() - began == pytest.approx(waited_seconds, abs=0.1)
    shifted = [(event.seat, event.gear) for event in update.events if isinstance(event, GearShifted)]
    assert shifted == [(0, 2), (1, 2), (2, 1)]


@pytest.mark.spec("NET-10")
async def test_a_dropped_seat_is_waited_for_the_grace_time_then_played(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    await ben.hang_up()
    began = trio.current_time()
    await ana.wait_for(Update, lambda update: update.away == (1,))
    await ana.race()
    assert 20 <= trio.current_time() - began < 21


async def test_back_with_the_token_to_the_same_decision(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    before = await ben.wait_for(Update)
    await ben.hang_up()
    await trio.sleep(5)
    await ana.ok(ana.next_act() or pytest.fail("nothing to do"))
    again = await house.player(ben.token)
    after = await again.wait_for(Update)
    assert again.room is not None
    assert again.started is not None
    assert again.started.seat == 1
    assert after.view.own == before.view.own
    assert [event.seat for event in after.events[-1:] if hasattr(event, "seat")] == [0]
    assert [d.milliseconds_left for d in after.decisions if d.seat == 1] == [55_000]
    act = again.next_act()
    assert act is not None
    await again.ok(act)
    update = await ana.wait_for(Update, lambda update: update.away == () and update.view.phase == 2)
    assert update.view.cars[1].gear == 1


async def test_the_newest_connection_wins_and_the_older_is_told(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, old = await house.full_lobby(["ana", "ben"])
    await ana.start()
    new = await house.player(old.token)
    with pytest.raises(HungUp):
        await old.wait_for(Hello)  # reads on to the end of the stream
    assert old.bye is not None
    assert old.bye.code == "bye/newer_connection"
    await old.hang_up()
    await trio.sleep(60 - 1)
    await new.wait_for(Update)
    act = new.next_act()
    assert act is not None
    await new.ok(act)
    assert (await new.look()).away == ()


async def test_a_token_nobody_has_opens_nothing(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana = await house.player()
    stranger = house.connect()
    assert await stranger.refused(Hello(1, PROTOCOL, "x", "1", ana.token[:-1] + "~")) == "hello/unknown_token"
    await stranger.hello()
    assert stranger.token != ana.token
    assert len(ana.token) >= 40


async def test_a_race_without_people_stands_still_until_one_comes_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(deserted_seconds=1000))
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    number = ana.view.event_number
    await ana.hang_up()
    await ben.hang_up()
    await trio.sleep(990)
    back = await house.player(ana.token)
    update = await back.wait_for(Update, lambda update: update.standstill != "nobody")
    assert update.number == number
    assert [d.milliseconds_left for d in update.decisions] == [
        60_000,
        20_000,
    ]  # the grace time of who is gone
    await back.race()
    assert back.view.end == "finished"


async def test_a_deserted_race_is_removed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(deserted_seconds=1000))
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    await ana.hang_up()
    await ben.hang_up()
    await trio.sleep(1001)
    assert not house.server.rooms
    assert not len(house.server.clients)
    assert await house.connect().refused(Hello(1, PROTOCOL, "x", "1", ana.token)) == "hello/unknown_token"


async def test_who_left_the_race_may_come_back_by_its_code(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"])
    await ana.start()
    assert ana.room is not None
    code = ana.room.code
    await ana.leave()
    state = await ben.wait_for(LobbyView, lambda state: state.host != 0)
    assert state.places[0].is_connected is False
    await ben.wait_for(Update, lambda update: update.away == (0,))
    assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(1))) == "room/in_none"
    ana.started = None
    await ana.ok(Join(ana.id(), code, "anything"))
    await ana.wait_for(Update)
    assert ana.observation.own.seat == 0
    stranger = await house.player()
    assert await stranger.refused(Join(stranger.id(), code, "dee")) == "room/begun"
    del cy


@pytest.mark.parametrize(("seconds", "counts"), [(59.999, True), (60.001, False)])
async def test_an_answer_counts_up_to_the_last_moment_and_both_ends_agree(
    nursery: trio.Nursery, autojump_clock: MockClock, seconds: float, counts: bool
) -> None:
    _, ben = await House(nursery).racing()
    act = ben.next_act(lambda observation: c.ShiftGear(2))
    assert act is not None
    await trio.sleep(seconds)
    got = await ben.answer(act)
    if counts:
        assert isinstance(got, Ok)
    else:
        assert isinstance(got, Error)
        assert got.code == "act/late"
    await trio.sleep(1)
    update = await ben.look(0)
    made = [e for e in update.events if isinstance(e, ChoiceMade) and e.decision == act.decision]
    assert [event.command for event in made] == [act.command if counts else c.ShiftGear(1)]
    assert ben.observation.own_car.gear == (2 if counts else 1)
    assert len(ben.observation.own.hand) == 7


async def test_results_stay_for_a_while_then_the_room_goes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(ended_seconds=100))
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        playing.start_soon(ben.race)
    await trio.sleep(99)
    assert (await ana.look()).view.standings
    await trio.sleep(2)
    await ana.ping()
    assert [error.code for error in ana.unasked] == ["room/closed"]
    assert not house.server.rooms
    await ana.create("ana", QUICK)


async def test_a_lobby_that_idles_is_removed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana = await house.player()
    await ana.create()
    await trio.sleep(3599)
    assert house.server.rooms
    await trio.sleep(2)
    assert not house.server.rooms
    error = await ana.wait_for(Error)
    assert (error.re, error.code) == (None, "room/closed")


@pytest.mark.spec("EAR-4")
async def test_without_a_clock_nobody_is_told_of_time_and_only_the_idle_are_played_for(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"], replace(QUICK, turn_milliseconds=0))
    assert ana.room is not None
    assert ana.room.turn_milliseconds == 0
    await ana.start()
    assert [decision.milliseconds_left for decision in ana.updates[0].decisions] == [None, None]
    began = trio.current_time()
    await ana.ok(Act(ana.id(), (await ana.look()).view.own.decision, c.ShiftGear(2)))  # type: ignore[union-attr]
    await ben.wait_for(Update, lambda update: update.view.phase == 2)
    assert trio.current_time() - began == pytest.approx(3_600, abs=0.1)
    await ben.hang_up()
    began = trio.current_time()
    await ana.look()
    act = ana.next_act()
    assert act is not None
    await ana.ok(act)
    await ana.wait_for(Update, lambda update: update.view.phase != 2)
    assert trio.current_time() - began < 60, "the absent are waited for no longer than elsewhere"


async def test_a_time_too_short_for_anybody_is_refused(nursery: trio.Nursery) -> None:
    ana, _ = await House(nursery).full_lobby(["ana", "ben"], QUICK)
    assert await ana.refused(Configure(ana.id(), replace(QUICK, turn_milliseconds=49))) == "options/bad"


@pytest.mark.spec("EAR-4")
async def test_the_host_gives_a_driver_more_time_for_the_open_decision_and_the_next_ones(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"], replace(QUICK, turn_milliseconds=10_000))
    assert await ben.refused(GiveTime(ben.id(), 1, 5_000)) == "room/not_host"
    assert await ana.refused(GiveTime(ana.id(), 2, 5_000)) == "place/unknown"
    await ana.ok(GiveTime(ana.id(), 1, 5_000))
    await ana.start()
    assert [decision.milliseconds_left for decision in ana.updates[0].decisions] == [10_000, 15_000]
    await ana.ok(GiveTime(ana.id(), 1, 30_000))
    update = await ben.look()
    assert [decision.milliseconds_left for decision in update.decisions] == [10_000, 40_000]
    assert ben.room is not None
    assert ben.room.places[1].more_milliseconds == 30_000
    await ana.ping()
    assert "ben has 30 seconds more for each decision." in ana.news
    await ana.ok(GiveTime(ana.id(), 1, 0))
    assert [decision.milliseconds_left for decision in (await ben.look()).decisions] == [10_000, 10_000]
    await ana.ping()
    assert "ben has the usual time for each decision." in ana.news
