"""A command counts once or not at all, whatever is late, sent twice, or cut off by the end of a server."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.messages import Act, Error, Ok, RoomOptions, Update
from heat_server.store.contract import Store
from tests.server.restarts import in_race, stored_log
from tests.server.stores import WallClock, open_store
from tests.server.support import Player, server_on

pytestmark = pytest.mark.trio

TWO_CARS = RoomOptions(laps=1, cars=2)


def choices_in(store: Store) -> list[e.ChoiceMade]:
    (match,) = store.open_matches()
    return [event for event in stored_log(store, match.match) if isinstance(event, e.ChoiceMade)]


async def test_an_act_whose_answer_was_lost_is_answered_again_and_counts_once(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing(TWO_CARS)
        await ana.send(Act(ana.id(), 1, c.ShiftGear(2)))
        await trio.testing.wait_all_tasks_blocked()  # it is done; nobody reads the answer
    async with server_on(store) as house:
        ana, ben = await in_race(house, ana), await in_race(house, ben)
        assert ana.view.own is not None
        assert ana.view.own.chosen == c.ShiftGear(2)
        for _ in range(2):
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(1)))
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        made = [(choice.seat, choice.decision, choice.command) for choice in choices_in(store)]
        assert made == [(0, 1, c.ShiftGear(2)), (1, 2, c.ShiftGear(1))]


@pytest.mark.spec("NET-11")
async def test_late_doubled_and_foreign_commands_are_refused_and_honest_ones_are_not_late(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    clock = WallClock(1_000_000)
    with open_store(tmp_path / "store.sqlite3", clock) as store:
        async with server_on(store) as house:
            ana, ben = await house.racing(TWO_CARS)
            ana_asked, ben_asked = ana.view.own, ben.view.own
            assert ana_asked is not None
            assert ben_asked is not None
            assert (ana_asked.decision, ben_asked.decision) == (1, 2)
            clock.now_ms = 2_000_000
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
            before = choices_in(store)
            assert await ana.refused(Act(ana.id(), 2, c.ShiftGear(2))) == "act/late", "ben's"
            assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(1))) == "act/late", "another answer"
            assert await ana.refused(Act(ana.id(), 99, c.ShiftGear(1))) == "act/late", "not yet asked"
            assert await ana.refused(Act(ana.id(), None, c.ShiftGear(1))) == "act/late"
            assert choices_in(store) == before
            clock.now_ms = 3_000_000
            await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))  # he has not read that ana has chosen
            assert await ben.refused(Act(ben.id(), 2, c.ShiftGear(1))) == "act/late"
            (match,) = store.open_matches()
            steps = store.races(match.match)[0].steps
            assert [step.at_ms for step in steps] == [1_000_000, 2_000_000, 3_000_000]


@pytest.mark.parametrize("run", range(5))
async def test_answers_in_the_very_moment_in_which_the_time_runs_out(
    run: int, store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing(TWO_CARS)
        began = trio.current_time()
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(1)))
        await trio.sleep_until(began + 60 - run * 2.0**-20)
        answer = await ben.answer(Act(ben.id(), 2, c.ShiftGear(2)))
        (choice,) = [choice for choice in choices_in(store) if choice.decision == 2]
        if isinstance(answer, Ok):
            assert choice.command == c.ShiftGear(2)
        else:
            assert isinstance(answer, Error)
            assert answer.code == "act/late"
            assert choice.command == c.ShiftGear(1)


@pytest.mark.spec("SIS-4")
async def test_a_secret_choice_survives_and_turns_up_gears_for_all_at_once_cards_car_by_car(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing(TWO_CARS)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.wait_for(Update, lambda update: update.decisions[0].has_chosen)
        made = [event for update in ben.updates for event in update.events if isinstance(event, e.ChoiceMade)]
        assert [(choice.seat, choice.command) for choice in made] == [(0, None)]
        hand = ana.view.own.hand if ana.view.own else ()
        await ana.hang_up()
        ana = await in_race(house, ana)
    async with server_on(store) as house:
        ana, ben = await in_race(house, ana), await in_race(house, ben)
        assert ana.view.own is not None
        assert (ana.view.own.hand, ana.view.own.chosen) == (hand, c.ShiftGear(2))
        assert [decision.has_chosen for decision in ben.update.decisions] == [True, False]  # type: ignore[union-attr]
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(1)))
        for player in (ana, ben):
            update = await player.wait_for(Update, lambda update: update.view.phase == 2)
            kinds = [type(event) for event in update.events]
            shifted = [event for event in update.events if isinstance(event, e.GearShifted)]
            assert [(event.seat, event.gear) for event in shifted] == [(0, 2), (1, 1)], "in one update"
            assert kinds.index(e.ChoicesTurnedUp) < kinds.index(e.GearShifted)
        for player in (ana, ben):
            await player.ok(act_of(player))
        update = await ben.wait_for(Update, lambda update: update.view.turn is not None)
        revealed = [event.seat for event in update.events if isinstance(event, e.CardsRevealed)]
        assert revealed == [update.view.turn_order[0]], "the leader's alone"


def act_of(player: Player) -> Act:
    act = player.next_act()
    assert act is not None
    return act
