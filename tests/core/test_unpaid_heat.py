"""Heat of played cards that the engine cannot pay. docs/rules.md: Heat that cannot be paid (GARAGE-5)."""

from __future__ import annotations

import pytest

from heat_core.cards import HEAT
from heat_core.decisions import UnpaidChoice, choice_of, enumerate_commands
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.state import Race
from tests.core.support_turns import (
    begin,
    leave_react,
    place_of,
    play_directly,
    react_choice,
    refusal,
    refused_use,
    reveal,
    slipstream_choice,
    space,
    speed,
    symbol,
    use,
)


def ways(race: Race) -> tuple[tuple[str, ...], ...]:
    choice = choice_of(race, 0)
    assert isinstance(choice, UnpaidChoice)
    return choice.ways


def lines(race: Race) -> tuple[int, ...]:
    assert race.turn is not None
    return race.turn.lines


def flips(events: list[e.Event]) -> list[tuple[str, str, str, int]]:
    found = [event for event in events if isinstance(event, e.CardFlipped)]
    return [(event.reason, event.source, event.card, event.value) for event in found]


def test_a_card_that_cannot_be_paid_goes_and_gives_a_flip_from_where_the_turn_began() -> None:
    race = begin("lap 1 space 20 spot other gear 2 engine 0 hand turbo-2 1 draw heat 4 2")
    reveal(race, "turbo-2", "1")
    assert (speed(race), space(race)) == (9, 29)
    step(race, 0, c.EndReact())
    assert ways(race) == (("turbo-2",),)
    assert list(enumerate_commands(choice_of(race, 0))) == [c.DropUnpaid(("turbo-2",))]
    assert refusal(race, c.DropUnpaid(())) == (
        "Drop as few as possible of the cards that you cannot pay for."
    )
    events = step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert flips(events) == [("unpaid", "turbo-2", "heat", 0), ("unpaid", "turbo-2", "4", 4)]
    moves = [(event.start, event.end, event.spaces) for event in events if isinstance(event, e.CarMoved)]
    assert moves == [(69 + 20, 69 + 25, 5)]
    assert (speed(race), space(race)) == (5, 25)
    assert [event for event in events if isinstance(event, e.SpeedSet)] == [
        e.SpeedSet(0, 5, (e.Part("1", 1), e.Part("unpaid", 4)))
    ]
    seat = race.seat(0)
    assert sorted(seat.discard_pile) == [HEAT, "turbo-2"]
    assert sorted(seat.played) == ["1", "4"]
    # Nothing of the card is left to use, and React goes on.
    assert symbol(race, "scrap", "turbo-2").is_used
    choice = react_choice(race)
    assert (choice.must, choice.must_kind, choice.must_amount) == ("", None, 0)
    leave_react(race)


def test_a_move_that_comes_to_nothing_keeps_the_spot_where_the_turn_began() -> None:
    race = begin("lap 1 space 20 spot other gear 1 engine 0 hand turbo-2 1 draw heat")
    reveal(race, "turbo-2")
    step(race, 0, c.EndReact())
    events = step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert any(isinstance(event, e.FlipFailed) for event in events)
    assert (speed(race), space(race), race.cars[0].spot) == (0, 20, 1)


def test_as_few_cards_as_possible_go_and_the_player_chooses_among_equals() -> None:
    race = begin("lap 1 space 14 gear 3 engine 2 hand turbo-1 wings-3 wings-1 draw 1 2 3")
    reveal(race, "turbo-1", "wings-1", "wings-3")
    assert speed(race) == 17
    step(race, 0, c.EndReact())
    # 5 are owed and 2 there: no single card is enough, and of the pairs only those that leave at most 2.
    assert ways(race) == (("turbo-1", "wings-1"), ("turbo-1", "wings-3"), ("wings-1", "wings-3"))
    assert refusal(race, c.DropUnpaid(("turbo-1", "wings-1", "wings-3")))
    step(race, 0, c.DropUnpaid(("turbo-1", "wings-1")))
    assert speed(race) == 6 + 1 + 2
    choice = react_choice(race)
    assert (choice.must, choice.must_kind, choice.must_amount) == ("2 Heat must be paid first.", "heat", 2)
    use(race, "heat", "wings-3")
    events = leave_react(race)
    assert not any(isinstance(event, e.DecisionsOpened) and event.kind == "unpaid" for event in events)


def test_the_cards_that_go_are_named_in_the_order_of_the_hand() -> None:
    race = begin("lap 1 space 14 gear 2 engine 0 hand body-4 brakes-1 draw 1 2")
    reveal(race, "brakes-1", "body-4", values=(1,))
    step(race, 0, c.EndReact())
    assert ways(race) == (("brakes-1", "body-4"),)


def test_a_single_card_goes_where_one_is_enough_whichever_the_player_says() -> None:
    race = begin("lap 1 space 14 gear 2 engine 2 hand turbo-1 wings-1 draw 1 2 3")
    reveal(race, "turbo-1", "wings-1")
    step(race, 0, c.EndReact())
    assert ways(race) == (("turbo-1",), ("wings-1",))
    step(race, 0, c.DropUnpaid(("wings-1",)))
    assert speed(race) == 7 + 1


def test_heat_that_can_be_paid_must_be_and_cooling_may_be_waived() -> None:
    words = "lap 1 space 20 gear 1 engine 0 hand turbo-2 1 heat draw 4 2 2 3 3 3 1"
    race = begin(words)
    reveal(race, "turbo-2")
    use(race, "cooldown", "gear")
    assert refusal(race, c.EndReact()) == "1 Heat must be paid first."
    use(race, "heat", "turbo-2")
    use(race, "scrap", "turbo-2")
    assert speed(race) == 8
    race = begin(words)
    reveal(race, "turbo-2")
    step(race, 0, c.EndReact())
    step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert speed(race) == 4
    # What was waived can still be used.
    use(race, "cooldown", "gear")
    assert race.seat(0).engine == 1


def test_all_else_of_the_turn_is_kept() -> None:
    words = "lap 1 space 14 gear 4 engine 1 hand brakes-4 stress turbo-2 1 gas-2 draw 2 4 heat 3"
    race = begin({"ana": words, "ben": "lap 1 space 30 gear 1 hand 1 1 draw 2"})
    reveal(race, "brakes-4", "stress", "turbo-2", "1", values=(5,))
    assert speed(race) == 5 + 2 + 8 + 1
    use(race, "boost", "gear")
    assert (speed(race), race.seat(0).engine) == (20, 0)
    use(race, "speed", "adrenaline")
    play_directly(race, "gas-2", 2)
    assert speed(race) == 23
    use(race, "scrap", "gas-2")
    step(race, 0, c.EndReact())
    events = step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert [event.speed for event in events if isinstance(event, e.SpeedSet)] == [15 + value_of(events)]
    assert space(race) == 14 + speed(race)
    for kind, source in (("boost", "gear"), ("speed", "adrenaline"), ("scrap", "gas-2")):
        assert symbol(race, kind, source).is_used, "used symbols stay used"
    assert "gas-2" in race.seat(0).played


def value_of(events: list[e.Event]) -> int:
    return sum(value for *_, value in flips(events))


def test_accelerate_does_not_count_the_flip_of_an_unpaid_card() -> None:
    race = begin("lap 1 space 14 gear 2 engine 0 hand turbo-2 4wd-4 1 draw 2 3 4")
    reveal(race, "4wd-4", "turbo-2")
    step(race, 0, c.EndReact())
    step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert speed(race) == 2 + 3
    use(race, "accelerate", "4wd-4")
    assert speed(race) == 6


def test_lines_that_only_the_first_move_crossed_are_forgotten() -> None:
    race = begin("lap 1 space 30 gear 1 engine 0 hand turbo-2 1 draw 1 2")
    reveal(race, "turbo-2")
    assert lines(race) == (69 + 33,)
    step(race, 0, c.EndReact())
    step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert lines(race) == ()
    events = leave_react(race)
    assert not any(isinstance(event, e.CornerChecked | e.SpunOut) for event in events)


def test_lines_behind_the_last_finish_line_do_not_count_in_the_new_move_either() -> None:
    """Japan: lines after 10 and 12, a few spaces behind the finish line."""
    for laps, crossed in ((2, ()), (3, (190, 192))):
        ana = "lap 2 space 58 gear 4 engine 0 hand turbo-2 4 4 3 draw 4"
        race = begin({"ana": ana, "ben": "lap 1 space 20 gear 1 hand 1 1"}, on="japan", laps=laps)
        reveal(race, "turbo-2", "4", "4", "3")
        step(race, 0, c.EndReact())
        step(race, 0, c.DropUnpaid(("turbo-2",)))
        assert (speed(race), space(race), lines(race)) == (15, 13, crossed)


@pytest.mark.parametrize(("paid_first", "kept"), [(0, 1), (1, 4)])
def test_of_two_copies_the_one_that_was_paid_keeps_its_own_value(paid_first: int, kept: int) -> None:
    race = begin("lap 1 space 14 gear 2 engine 1 hand brakes-1 brakes-1 1 draw 2 3")
    reveal(race, "brakes-1", "brakes-1", values=(1, 4))
    kinds = [item.symbol.kind for item in react_choice(race).symbols]
    heats = [number for number, kind in enumerate(kinds) if kind == "heat"]
    step(race, 0, c.UseSymbol(heats[paid_first], 1))
    step(race, 0, c.EndReact())
    step(race, 0, c.DropUnpaid(("brakes-1",)))
    assert speed(race) == kept + 2


@pytest.mark.parametrize("values", [(1, 4), (4, 1)])
def test_of_two_copies_that_cannot_both_be_paid_the_slower_goes(values: tuple[int, int]) -> None:
    race = begin("lap 1 space 14 gear 2 engine 1 hand brakes-1 brakes-1 1 draw 2 3")
    reveal(race, "brakes-1", "brakes-1", values=values)
    step(race, 0, c.EndReact())
    assert ways(race) == (("brakes-1",),)
    step(race, 0, c.DropUnpaid(("brakes-1",)))
    assert speed(race) == 4 + 2
    assert react_choice(race).must == "1 Heat must be paid first.", "the one that is left"
    use(race, "heat", "brakes-1")
    leave_react(race)


def test_a_direct_card_may_take_the_heat_that_a_played_one_would_need() -> None:
    race = begin("lap 1 space 14 gear 1 engine 1 hand turbo-2 gas-4 draw 2 3")
    reveal(race, "turbo-2")
    play_directly(race, "gas-4", 4)
    assert refused_use(race, "heat", "turbo-2") == "It costs 1 Heat; your engine has 0."
    step(race, 0, c.EndReact())
    assert ways(race) == (("turbo-2",),), "what was played directly is paid"
    step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert speed(race) == 4 + 2


def test_a_sector_that_was_only_passed_gives_nothing_after_the_car_is_back() -> None:
    race = begin(
        "lap 1 space 30 gear 1 engine 0 hand turbo-2 1 draw 1 2",
        weather="snow",
    )
    reveal(race, "turbo-2")
    place_of(race, "cooldown", "sector")
    step(race, 0, c.EndReact())
    step(race, 0, c.DropUnpaid(("turbo-2",)))
    assert refused_use(race, "cooldown", "sector") == "Your car has left the sector that it belongs to."


def test_a_card_that_went_neither_adjusts_nor_lengthens_a_slipstream() -> None:
    ana = "lap 1 space 47 gear 2 engine 0 hand wings-1 rpm-5 1 heat heat draw 1 1 3"
    race = begin({"ana": ana, "ben": "lap 1 space 49 gear 1 hand 1 1 draw 1"})
    reveal(race, "wings-1", "rpm-5")
    step(race, 0, c.EndReact())
    assert ways(race) == (("rpm-5", "wings-1"),)
    step(race, 0, c.DropUnpaid(("wings-1", "rpm-5")))
    assert (speed(race), space(race), space(race, 1)) == (2, 49, 50)
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2)
    events = step(race, 0, c.Slipstream(2))
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert bill.limit == 3


def test_a_card_played_directly_is_a_card_of_the_turn_of_its_own() -> None:
    race = begin("lap 1 space 14 gear 1 engine 2 hand turbo-2 gas-2 draw 2 3")
    reveal(race, "turbo-2")
    play_directly(race, "gas-2", 2)
    cards = {item.symbol.source: item.symbol.card for item in react_choice(race).symbols if item.symbol.card}
    assert cards == {"turbo-2": 1, "gas-2": 2}
    assert symbol(race, "scrap", "gas-2").most == 2, "it does not wait for the other card's Heat"
