"""The symbols of upgrade cards that move cards and Heat: what each does, in part, and when it is refused."""

from __future__ import annotations

import pytest

from heat_core.cards import HEAT, STRESS
from heat_core.decisions import ValueChoice, choice_of
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.events import Part, Symbol
from heat_core.rules.offers import SymbolUse
from heat_core.view.secrecy import view_event
from tests.core.support_turns import (
    GEAR_1,
    GEAR_2,
    begin,
    flipped,
    leave_react,
    react_choice,
    refusal,
    refused_use,
    reveal,
    space,
    speed,
    symbol,
    use,
)

# flip: 4-wheel drive


def test_a_flip_of_three_goes_on_through_a_reshuffle_with_what_was_just_passed_over() -> None:
    race = begin(f"{GEAR_1} hand 4wd-2 1 draw 2 heat discard 3 stress 4")
    events = reveal(race, "4wd-2")
    values = [value for _, value in flipped(events) if value]
    assert values[0] == 2
    assert sorted(values[1:]) == [3, 4]
    shuffled = [event.order or () for event in events if isinstance(event, e.PileReshuffled)]
    assert [sorted(order) for order in shuffled] == [["3", "4", "heat", "stress"]]
    assert (speed(race), space(race)) == (9, 29)
    assert sorted(race.seat(0).played) == ["2", "3", "4", "4wd-2"]


def test_flips_that_find_no_speed_card_give_nothing_and_the_card_still_counts() -> None:
    race = begin(f"{GEAR_1} hand 4wd-1 1 draw heat stress")
    events = reveal(race, "4wd-1")
    assert [type(event) for event in events if isinstance(event, e.CardFlipped | e.FlipFailed)] == [
        e.FlipFailed
    ]
    assert (speed(race), race.seat(0).draw_pile) == (4, ["stress", "heat"])


# values to choose from: brakes


def test_a_brake_is_set_after_the_flips_are_seen() -> None:
    race = begin(f"{GEAR_2} hand brakes-4 stress 1 draw heat 3 4")
    events = reveal(race, "brakes-4", "stress")
    assert flipped(events) == [("heat", 0), ("3", 3)]
    assert choice_of(race, 0) == ValueChoice(("brakes-4",), ((1, 5),))
    assert space(race) == 20, "it has not moved yet"
    assert refusal(race, c.ChooseValue((3,))) == "The card 'brakes-4' cannot be played at speed 3."
    assert refusal(race, c.ChooseValue(())) == "Speeds needed: 1, given: 0."
    events = step(race, 0, c.ChooseValue((5,)))
    assert (speed(race), space(race)) == (8, 28)
    parts = (Part("stress", 3), Part("brakes-4", 5))
    assert [event for event in events if isinstance(event, e.SpeedSet)] == [e.SpeedSet(0, 8, parts)]


def test_several_brakes_are_set_each_for_itself_and_move_the_car_once() -> None:
    race = begin(f"{GEAR_2} hand brakes-2 brakes-3 1")
    events = reveal(race, "brakes-2", "brakes-3", values=(3, 2))
    moves = [event.spaces for event in events if isinstance(event, e.CarMoved) and event.car == 0]
    assert (moves, speed(race)) == ([5], 5)


# cooldown: cooling system


def test_a_card_cools_in_part_and_once() -> None:
    race = begin(f"{GEAR_2} engine 3 hand cooling-2 1 heat heat heat")
    reveal(race, "cooling-2", "1")
    cooling = symbol(race, "cooldown", "cooling-2")
    assert (cooling.least, cooling.most, cooling.heat) == (1, 2, 0)
    assert refused_use(race, "cooldown", "cooling-2", 3) == "The amount must be 1 to 2, not 3."
    use(race, "cooldown", "cooling-2", 1)
    assert (race.seat(0).engine, race.seat(0).hand.count(HEAT)) == (4, 2)
    assert refused_use(race, "cooldown", "cooling-2") == "The cooldown of the cooling-2 has been used."
    # The gear's cooldown is a symbol of its own.
    use(race, "cooldown", "gear")
    use_left = symbol(race, "cooldown", "gear")
    assert (use_left.is_used, race.seat(0).engine) == (True, 5)


# reduce Stress: body


def test_stress_goes_from_the_hand_to_the_discard_pile_in_part_or_whole() -> None:
    race = begin(f"{GEAR_1} hand body-3 stress stress")
    reveal(race, "body-3")
    assert symbol(race, "reduce_stress", "body-3").most == 2
    use(race, "reduce_stress", "body-3", 1)
    assert (race.seat(0).hand, race.seat(0).discard_pile) == ([STRESS], [STRESS])
    assert refused_use(race, "reduce_stress", "body-3") == "The reduce_stress of the body-3 has been used."


def test_stress_is_not_put_away_in_a_tunnel_but_behind_it() -> None:
    race = begin("lap 1 space 16 gear 4 engine 6 hand body-1 1 1 1 stress draw 4 4", on="spain")
    reveal(race, "body-1", "1", "1", "1")
    assert space(race) == 22
    assert refused_use(race, "reduce_stress", "body-1") == "Stress cannot be discarded in a tunnel."
    use(race, "boost", "gear")
    assert space(race) == 26
    use(race, "reduce_stress", "body-1")
    assert STRESS not in race.seat(0).hand


@pytest.mark.parametrize(("place", "is_tunnel"), [(16, False), (17, True), (24, True), (25, False)])
def test_a_tunnel_reaches_from_its_first_space_to_its_last(place: int, is_tunnel: bool) -> None:
    race = begin(f"lap 1 space {place - 3} gear 1 hand body-1 1 stress", on="spain")
    reveal(race, "body-1")
    assert space(race) == place
    assert bool(symbol(race, "reduce_stress", "body-1").reason) == is_tunnel


def test_without_stress_in_the_hand_there_is_none_to_put_away() -> None:
    race = begin(f"{GEAR_1} hand body-3 1 discard stress")
    reveal(race, "body-3")
    assert refused_use(race, "reduce_stress", "body-3") == "You have no Stress in your hand."


# heat: turbocharger


def test_heat_is_paid_before_the_other_symbols_work_and_before_the_phase_is_left() -> None:
    race = begin(f"{GEAR_2} engine 2 hand turbo-1 1 heat heat heat")
    reveal(race, "turbo-1", "1")
    use_heat = symbol(race, "heat", "turbo-1")
    assert use_heat == SymbolUse(Symbol("heat", 2, "turbo-1", 1), False, 2, 2, 2, "")
    assert refusal(race, c.EndReact()) == "2 Heat must be paid first."
    # Its cooldown works unpaid, and may come first.
    use(race, "cooldown", "turbo-1", 3)
    assert race.seat(0).engine == 5
    use(race, "heat", "turbo-1")
    assert (race.seat(0).engine, race.seat(0).discard_pile) == (3, [HEAT, HEAT])
    leave_react(race)


def test_symbols_of_an_unpaid_card_wait_but_for_cooling_and_draft() -> None:
    race = begin(f"{GEAR_2} engine 1 hand wings-1 body-4 stress draw 1 1 1 discard heat")
    reveal(race, "body-4", "wings-1")
    reason = "Pay the Heat of its card first."
    assert refused_use(race, "scrap", "wings-1") == reason
    assert refused_use(race, "reduce_stress", "body-4") == reason
    use(race, "heat", "body-4")
    use(race, "reduce_stress", "body-4")
    assert refused_use(race, "scrap", "wings-1") == reason, "its own Heat is still owed"
    race = begin({"ana": f"{GEAR_1} engine 0 hand front-wing-6 1 draw 1 1", "ben": "lap 1 space 28 hand 1 1"})
    reveal(race, "front-wing-6")
    assert refused_use(race, "heat", "front-wing-6") == "It costs 1 Heat; your engine has 0."
    assert symbol(race, "heat", "front-wing-6").heat == 1
    use(race, "draft", "front-wing-6")
    assert (space(race), space(race, 1), speed(race)) == (28, 29, 6)


# scrap


def test_scrap_turns_the_top_of_the_draw_pile_away_and_must_be_done() -> None:
    race = begin(f"{GEAR_1} hand gas-2 1 draw 3 heat 4")
    reveal(race, "gas-2")
    assert refusal(race, c.EndReact()) == "2 cards must be scrapped first for Gas pedal 2."
    assert refused_use(race, "scrap", "gas-2") == "The amount must be 2 to 2, not 1."
    use(race, "scrap", "gas-2")
    assert (race.seat(0).draw_pile, race.seat(0).discard_pile) == (["4"], ["3", "heat"])
    leave_react(race)


def test_scrap_refills_a_small_pile_and_goes_as_far_as_it_goes() -> None:
    race = begin(f"{GEAR_1} hand gas-5 1 draw 3 discard 4")
    reveal(race, "gas-5")
    events = use(race, "scrap", "gas-5")
    assert any(isinstance(event, e.PileReshuffled) for event in events)
    assert sorted([*race.seat(0).draw_pile, *race.seat(0).discard_pile]) == ["3", "4"]
    assert sum(isinstance(event, e.CardScrapped) for event in events) == 5
    race = begin(f"{GEAR_1} hand gas-5 1 draw")
    reveal(race, "gas-5")
    events = use(race, "scrap", "gas-5")
    assert not any(isinstance(event, e.CardScrapped) for event in events), "both piles are empty"
    leave_react(race)


# salvage: fuel


def test_salvage_shuffles_chosen_cards_into_the_draw_pile_in_a_hidden_order() -> None:
    race = begin(f"{GEAR_1} hand fuel-1 1 draw 1 2 discard 4 heat 4 3")
    reveal(race, "fuel-1")
    choice = react_choice(race)
    assert (choice.salvageable, symbol(race, "salvage", "fuel-1").most) == (("3", "4", "4", "heat"), 2)
    number = [item.symbol.kind for item in choice.symbols].index("salvage")
    assert refusal(race, c.UseSymbol(number, 2, ("4",))) == "Name 2 cards, not 1."
    assert refusal(race, c.UseSymbol(number, 2, ("2", "4"))) == ("You named the card '2' 1 times and have 0.")
    (salvaged,) = [
        event for event in use(race, "salvage", "fuel-1", 2, ("4", "4")) if isinstance(event, e.CardsSalvaged)
    ]
    assert race.seat(0).discard_pile == ["heat", "3"]
    assert (sorted(race.seat(0).draw_pile), salvaged.count) == (["1", "2", "4", "4"], 4)
    assert sorted(salvaged.order or ()) == ["1", "2", "4", "4"]
    for seat in (0, 1, None):
        shown = view_event(salvaged, seat)
        assert isinstance(shown, e.CardsSalvaged)
        assert (shown.order, shown.cards) == (None, ("4", "4"))


def test_salvage_in_part_and_not_from_an_empty_pile() -> None:
    race = begin(f"{GEAR_1} hand fuel-1 1 draw 1 discard 4 3")
    reveal(race, "fuel-1")
    use(race, "salvage", "fuel-1", 1, ("3",))
    assert race.seat(0).discard_pile == ["4"]
    race = begin(f"{GEAR_1} hand fuel-1 1 draw 1")
    reveal(race, "fuel-1")
    assert refused_use(race, "salvage", "fuel-1") == "Your discard pile is empty."


# super cool: air intake


def test_super_cool_takes_heat_from_the_discard_pile() -> None:
    race = begin(f"{GEAR_1} engine 1 hand sponsor-6 1 heat draw 1 discard heat 2 heat heat")
    reveal(race, "sponsor-6")
    assert symbol(race, "super_cool", "sponsor-6").most == 2
    use(race, "super_cool", "sponsor-6", 1)
    assert (race.seat(0).engine, race.seat(0).discard_pile) == (2, ["2", "heat", "heat"])
    race = begin(f"{GEAR_1} hand intake-4 1 heat draw 1 1 2 2")
    reveal(race, "intake-4")
    assert refused_use(race, "super_cool", "intake-4") == "Your discard pile has no Heat."
