"""A stopwatch on every answer that others see: it cannot tell the forced ones from the free ones (TURN-2)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.decisions import CardsChoice, DiscardChoice, only_command, sample_command
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.rng import Stream
from heat_core.view.race_view import OwnView
from heat_core.wire.messages import Act, Update
from heat_server.store.contract import Store
from tests.server.held_races import (
    AT_ONCE,
    FREE,
    HANDS,
    THREE,
    TIMED,
    Heard,
    answer_of,
    listen,
    own_of,
    race_from,
)
from tests.server.restarts import in_race
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio


async def heard_by_the_first(hand: str, *, answers_at_once: bool) -> list[Heard]:
    """Give what the first of three is sent while the last answers a free hand after 4 s, with its time.

    Args:
        hand: Of the second.
        answers_at_once: Whether the second gives the only answer that there is, as a program would.
    """
    async with trio.open_nursery() as nursery:
        first, second, last = await race_from(House(nursery, TIMED), 3, [FREE, hand, FREE])
        began = trio.current_time()
        heard: list[Heard] = []
        nursery.start_soon(listen, first, heard)
        await trio.sleep(AT_ONCE)
        if answers_at_once:
            act = answer_of(second)
            await second.ok(act)
            own = await own_update(second)
            assert own.chosen == act.command
            assert trio.current_time() == began + AT_ONCE, "the own ok and the own view come at once"
        await trio.sleep_until(began + 4)
        await last.ok(answer_of(last, THREE))
        await trio.sleep(4)
        nursery.cancel_scope.cancel()
    return [Heard(round(at - began, 3), payload) for at, payload in heard]


async def own_update(player: Player) -> OwnView:
    update = await player.wait_for(Update)
    assert [decision.has_chosen for decision in update.decisions] == [False, True, False]
    assert update.view.own is not None
    return update.view.own


@pytest.mark.parametrize("hand", HANDS)
async def test_every_byte_and_its_time_could_be_that_of_a_free_hand(
    autojump_clock: MockClock, hand: str
) -> None:
    """A program answers at once for a hand that leaves nothing; with another hand its driver thinks."""
    forced = await heard_by_the_first(HANDS[hand], answers_at_once=True)
    assert [at for at, _ in forced] == [4], "the first has yet to choose, and so the second is waited for"
    assert forced == await heard_by_the_first(FREE, answers_at_once=False)


@pytest.mark.parametrize("hand", HANDS)
async def test_it_is_shown_a_while_after_the_last_free_one(autojump_clock: MockClock, hand: str) -> None:
    gaps = []
    for _ in range(8):
        async with trio.open_nursery() as nursery:
            first, second, last = await race_from(House(nursery, TIMED), 3, [FREE, HANDS[hand], FREE])
            act = answer_of(second)
            await second.ok(act)
            await trio.sleep(3)
            await first.ok(answer_of(first, THREE))
            await trio.sleep(3)
            began = trio.current_time()
            await last.ok(answer_of(last, THREE))
            update = await first.wait_for(Update, lambda update: update.view.decisions[2].has_chosen)
            assert [decision.has_chosen for decision in update.view.decisions] == [True, False, True]
            assert [decision.has_chosen for decision in update.decisions] == [True, False, True]
            assert update.decisions[1].milliseconds_left == 54_000, "time runs as for somebody who thinks"
            await second.ok(Act(second.id(), act.decision, act.command))
            await first.wait_for(Update, lambda update: update.view.phase != 2)
            gaps.append(trio.current_time() - began)
            nursery.cancel_scope.cancel()
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.1, "by lot"


@pytest.mark.parametrize("bots", [0, 3])
async def test_where_nobody_has_a_choice_it_takes_as_long_as_a_bot(
    autojump_clock: MockClock, bots: int
) -> None:
    """Behind the bots: all of them may have had a choice."""
    gaps = []
    for _ in range(8):
        async with trio.open_nursery() as nursery:
            house = House(nursery, TIMED)
            hands = [HANDS["cluttered"]] * (2 if not bots else 1) + [FREE] * bots
            players = await race_from(house, len(hands) - bots, hands)
            began = trio.current_time()
            for player in players:
                await player.ok(answer_of(player))
            (room,) = house.server.rooms.values()
            assert room.state.race is not None
            table = room.state.race.table
            await players[0].wait_for(Update, lambda update: update.view.phase != 2)
            gaps.append(trio.current_time() - began)
            made = [event.seat for event in table.log if isinstance(event, e.ChoiceMade)]
            assert not bots or made[bots] == 0
            nursery.cancel_scope.cancel()
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.05


NO_HEAT, ONE_HEAT = FREE, "hand 1 2 2 3 4 4 heat"


async def seconds_to_leave_react(
    *, hand: str, gear: int = 1, engine: int = 0, modules: Modules = BASE_GAME
) -> float:
    """Have the first of three leave phase 5 without a reaction; give when the others see it."""
    async with trio.open_nursery() as nursery:
        house = House(nursery, TIMED)
        hands = [hand, FREE, FREE]
        players = await race_from(house, 3, hands, gear=gear, engine=engine, modules=modules)
        for player in players:
            await player.ok(answer_of(player, c.PlayCards(("1", "2", "2")[:gear])))
        first, second, _ = players
        for player in (first, second):
            await player.wait_for(Update, lambda update: update.view.phase == 5)
        began = trio.current_time()
        act = answer_of(first, c.EndReact())
        await first.ok(act)
        assert trio.current_time() == began
        await first.ok(Act(first.id(), act.decision, act.command))
        await second.wait_for(Update, lambda update: update.view.turn is None or update.view.turn.car != 0)
        gap = trio.current_time() - began
        nursery.cancel_scope.cancel()
    return gap


async def test_who_cannot_react_for_want_of_heat_in_hand_leaves_phase_5_as_late_as_a_bot_would(
    autojump_clock: MockClock,
) -> None:
    gaps = [await seconds_to_leave_react(hand=NO_HEAT) for _ in range(8)]
    assert all(0.5 <= gap <= 1.5 for gap in gaps)
    assert max(gaps) - min(gaps) > 0.1, "by lot"
    assert await seconds_to_leave_react(hand=ONE_HEAT) == 0, "a choice is shown when it has been made"


async def test_a_reaction_that_all_see_to_be_impossible_is_not_waited_for(autojump_clock: MockClock) -> None:
    """In 3rd gear, the engine empty: no cooldown, no boost; but an upgrade in the hand might do something."""
    assert await seconds_to_leave_react(hand=ONE_HEAT, gear=3) == 0
    garage = Modules(garage="basic")
    assert 0.5 <= await seconds_to_leave_react(hand=NO_HEAT, gear=3, modules=garage) <= 1.5


async def test_a_held_answer_is_given_for_who_leaves_and_one_who_gives_up_has_none(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        players = await race_from(House(nursery, TIMED), 3, [FREE, HANDS["cluttered"], FREE])
        first, second, last = players
        await second.ok(answer_of(second))
        left_at = trio.current_time()
        await second.leave()
        await first.wait_for(
            Update, lambda update: update.away == (1,) and update.view.decisions[1].has_chosen
        )
        assert trio.current_time() == left_at, "as the choice of anybody who is away is made at once"
        nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        players = await race_from(House(nursery, TIMED), 3, [FREE, HANDS["cluttered"], FREE])
        first, second, last = players
        await second.ok(answer_of(second))
        await second.ok(Act(second.id(), None, c.GiveUp()))
        update = await first.wait_for(Update, lambda update: update.view.cars[1].status == "gave_up")
        assert [decision.seat for decision in update.decisions] == [0, 2]
        await first.ok(answer_of(first, THREE))
        await last.ok(answer_of(last, THREE))
        await first.wait_for(Update, lambda update: update.view.phase != 2)
        nursery.cancel_scope.cancel()


async def test_a_held_answer_is_on_disk_and_counts_after_a_kill(
    store: Store, autojump_clock: MockClock, seed: str
) -> None:
    async with server_on(store, TIMED) as house:
        ana, ben = await house.racing()
        forced, other = await first_forced(ana, ben)
        act = answer_of(forced)
        await forced.ok(act)
        number = other.view.event_number
    async with server_on(store, TIMED) as house:
        again, other = await in_race(house, forced), await in_race(house, other)
        assert own_of(again).chosen == act.command
        update = await other.look()
        assert update.number == number
        assert [decision.has_chosen for decision in update.decisions] == [False, False]
        await again.ok(Act(again.id(), act.decision, act.command))
        assert (await other.look()).number == number
        choice = own_of(other).choice
        assert choice is not None
        began = trio.current_time()
        await other.ok(answer_of(other, sample_command(choice, Stream("other"))))
        await other.wait_for(Update, lambda update: act.decision in chosen_in(update))
        assert 0.5 <= trio.current_time() - began <= 1.5


def chosen_in(update: Update) -> list[int | None]:
    return [event.decision for event in update.events if isinstance(event, e.ChoiceMade)]


async def first_forced(ana: Player, ben: Player) -> tuple[Player, Player]:
    """Race at random until a hand of one leaves nothing and one of the other does; give both."""
    stream = Stream("until something is forced")
    while True:
        for player in (ana, ben):
            await player.ping()
        choices = {player: own_of(player).choice for player in (ana, ben) if own_of(player).chosen is None}
        for player, choice in choices.items():
            other = choices.get(ben if player is ana else ana)
            if isinstance(choice, (CardsChoice, DiscardChoice)) and only_command(choice) is not None:
                if other is not None and only_command(other) is None:
                    return player, ben if player is ana else ana
        player, choice = next((player, choice) for player, choice in choices.items() if choice is not None)
        await player.ok(Act(player.id(), own_of(player).decision, sample_command(choice, stream)))
        await trio.sleep(2)
