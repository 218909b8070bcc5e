"""The symbols of upgrade cards: what each does, in part, when it is refused, and one awkward case."""

from __future__ import annotations

import pytest

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import CATALOGUE, HEAT, REACT_SYMBOLS, STRESS
from heat_core.choices import DiscardChoice, ValueChoice, choice_of
from heat_core.data.facts import HEAT_FAMILY
from heat_core.data.upgrades import ADVANCED_UPGRADES, BASIC_UPGRADES, EXPANSION_UPGRADES
from heat_core.engine import step
from heat_core.race import Race
from heat_core.view import view_event, view_race
from tests.core.support_modules import (
    begin,
    discard,
    leave_react,
    play_directly,
    react_choice,
    refusal,
    refused_use,
    reveal,
    slipstream_choice,
    space,
    speed,
    symbol,
    to_discard,
    use,
)

GEAR_1 = "lap 1 space 20 gear 1"
GEAR_2 = "lap 1 space 20 gear 2"
GEAR_4 = "lap 1 space 14 gear 4"
FLIPS = "draw 1 2 3 4 1 2 3"


def flipped(events: list[e.Event]) -> list[tuple[str, int]]:
    return [(event.card, event.value) for event in events if isinstance(event, e.CardFlipped)]


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
    assert refusal(race, c.ChooseValue((3,))) == "The card 'brakes-4' cannot be played at 3."
    assert refusal(race, c.ChooseValue(())) == "Values are needed: 1, not 0."
    step(race, 0, c.ChooseValue((5,)))
    assert (speed(race), space(race)) == (8, 28)


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
    assert refused_use(race, "cooldown", "cooling-2") == "The cooldown of the cooling-2 is used."
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
    assert refused_use(race, "reduce_stress", "body-3") == "The reduce_stress of the body-3 is used."


def test_stress_is_not_put_away_in_a_tunnel_but_behind_it() -> None:
    race = begin("lap 1 space 16 gear 4 engine 6 hand body-1 1 1 1 stress draw 4 4", on="spain")
    reveal(race, "body-1", "1", "1", "1")
    assert space(race) == 22
    assert refused_use(race, "reduce_stress", "body-1") == "Stress cannot be put away in a tunnel."
    use(race, "boost", "gear")
    assert space(race) == 26
    use(race, "reduce_stress", "body-1")
    assert STRESS not in race.seat(0).hand


# heat: turbocharger


def test_heat_is_paid_before_the_other_symbols_work_and_before_the_phase_is_left() -> None:
    race = begin(f"{GEAR_2} engine 2 hand turbo-1 1 heat heat heat")
    reveal(race, "turbo-1", "1")
    use_heat = symbol(race, "heat", "turbo-1")
    assert (use_heat.least, use_heat.most, use_heat.heat) == (2, 2, 2)
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
    reason = "It works once the Heat of its card is paid."
    assert refused_use(race, "scrap", "wings-1") == reason
    assert refused_use(race, "reduce_stress", "body-4") == reason
    use(race, "heat", "body-4")
    use(race, "reduce_stress", "body-4")
    assert refused_use(race, "scrap", "wings-1") == reason, "its own Heat is still owed"
    race = begin({"ana": f"{GEAR_1} engine 0 hand front-wing-6 1 draw 1 1", "ben": "lap 1 space 28 hand 1 1"})
    reveal(race, "front-wing-6")
    assert refused_use(race, "heat", "front-wing-6") == "It costs 1 Heat, and the engine has 0."
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
    assert refusal(race, c.UseSymbol(number, 2, ("4",))) == "2 cards are to be named, not 1."
    assert refusal(race, c.UseSymbol(number, 2, ("2", "4"))) == ("You named 1 of the card '2' and have 0.")
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
    assert refused_use(race, "salvage", "fuel-1") == "The discard pile is empty."


# super cool: air intake


def test_super_cool_takes_heat_from_the_discard_pile() -> None:
    race = begin(f"{GEAR_1} engine 1 hand sponsor-6 1 heat draw 1 discard heat 2 heat heat")
    reveal(race, "sponsor-6")
    assert symbol(race, "super_cool", "sponsor-6").most == 2
    use(race, "super_cool", "sponsor-6", 1)
    assert (race.seat(0).engine, race.seat(0).discard_pile) == (2, ["2", "heat", "heat"])
    race = begin(f"{GEAR_1} hand intake-4 1 heat draw 1 1 2 2")
    reveal(race, "intake-4")
    assert refused_use(race, "super_cool", "intake-4") == "There is no Heat in the discard pile."


# direct: gas pedal


def test_a_card_is_played_directly_and_counts_as_if_played() -> None:
    race = begin(f"{GEAR_1} hand gas-2 1 2 draw 3 3 4")
    reveal(race, "1")
    (direct,) = react_choice(race).direct
    assert (direct.card, direct.speeds, direct.heat, direct.reason) == ("gas-2", (2,), 0, "")
    assert refusal(race, c.UseSymbol(len(react_choice(race).symbols), 3, ("gas-2",))) == (
        "The card 'gas-2' cannot be played at 3."
    )
    assert refusal(race, c.UseSymbol(len(react_choice(race).symbols), 2, ("2",))) == (
        "Your hand has no such card that could be played now."
    )
    play_directly(race, "gas-2", 2)
    assert (speed(race), space(race), race.seat(0).hand) == (3, 23, ["2"])
    assert refusal(race, c.EndReact()) == "2 cards must be scrapped first for Gas pedal 2."
    use(race, "scrap", "gas-2")
    leave_react(race)
    to_discard(race)
    events = discard(race)
    assert any(isinstance(event, e.CardsDiscarded) and "gas-2" in event.played for event in events)


def test_a_direct_card_pays_its_heat_at_once_by_its_own_cooldown_if_needed() -> None:
    race = begin(f"{GEAR_1} engine 0 hand gas-4 1 heat")
    reveal(race, "1")
    (direct,) = react_choice(race).direct
    assert (direct.heat, direct.cooled, direct.reason) == (1, 1, "")
    play_directly(race, "gas-4", 4)
    seat = race.seat(0)
    assert (seat.engine, seat.hand, seat.discard_pile, speed(race)) == (0, [], [HEAT], 5)
    assert symbol(race, "cooldown", "gas-4").is_used
    # With Heat in the engine the cooldown is left for later.
    race = begin(f"{GEAR_1} engine 1 hand gas-4 1 heat")
    reveal(race, "1")
    play_directly(race, "gas-4", 4)
    assert (race.seat(0).engine, symbol(race, "cooldown", "gas-4").most) == (0, 1)


def test_a_direct_card_that_cannot_be_paid_is_not_offered() -> None:
    race = begin(f"{GEAR_1} engine 0 hand gas-4 1")
    reveal(race, "1")
    (direct,) = react_choice(race).direct
    assert direct.reason == "It costs 1 Heat, and the engine has 0."
    assert refusal(race, c.UseSymbol(len(react_choice(race).symbols), 4, ("gas-4",))) == direct.reason
    # Nor where there is no cooldown.
    race = begin(f"{GEAR_1} engine 0 hand gas-4 1 heat", weather="clouds")
    reveal(race, "1")
    assert react_choice(race).direct[0].reason == "It costs 1 Heat, and the engine has 0."


# accelerate: gas pedal, 4-wheel drive


def test_accelerate_counts_flips_of_stress_cards_and_boost_all_or_none() -> None:
    race = begin(f"{GEAR_4} engine 6 hand 4wd-4 stress 1 1 gas-5 draw 1 2 2 3 3 3")
    reveal(race, "4wd-4", "stress", "1", "1")
    assert speed(race) == 5
    use(race, "boost", "gear")
    assert speed(race) == 7
    assert refused_use(race, "accelerate", "4wd-4", 3) == "The amount must be 1 to 1, not 3."
    events = use(race, "accelerate", "4wd-4")
    assert (speed(race), space(race)) == (10, 24)
    assert [event.spaces for event in events if isinstance(event, e.CarMoved)] == [3]
    play_directly(race, "gas-5", 1)
    use(race, "accelerate", "gas-5")
    assert speed(race) == 14


def test_accelerate_without_a_flip_is_refused() -> None:
    race = begin(f"{GEAR_1} hand gas-5 1 draw 1 1 2 2 2")
    reveal(race, "gas-5")
    assert refused_use(race, "accelerate", "gas-5") == "No card has been flipped this turn."


# draft: front wing


def test_draft_symbols_add_up_to_one_move_right_behind_a_car() -> None:
    cars = {
        "ana": f"{GEAR_2} hand front-wing-4 front-wing-3 draw 1 1 2 2",
        "ben": "lap 1 space 29 hand 1 1",
    }
    race = begin(cars)
    reveal(race, "front-wing-3", "front-wing-4")
    gap = space(race, 1) - space(race) - 1
    assert (space(race), gap) == (25, 4)
    assert refused_use(race, "draft", "front-wing-4") == "No car is within reach to draft."
    cars["ben"] = "lap 1 space 28 hand 1 1"
    race = begin(cars)
    reveal(race, "front-wing-3", "front-wing-4")
    number = symbol(race, "draft", "front-wing-4")
    assert (number.least, number.most) == (3, 3)
    events = use(race, "draft", "front-wing-4")
    moves = [(event.reason, event.spaces) for event in events if isinstance(event, e.CarMoved)]
    assert (moves, space(race), speed(race)) == ([("draft", 3)], 28, 5)
    assert symbol(race, "draft", "front-wing-3").is_used
    assert symbol(race, "draft", "front-wing-4").is_used


def test_a_draft_uses_up_no_more_symbols_than_it_needs() -> None:
    cars = {"ana": f"{GEAR_2} hand front-wing-4 front-wing-3 draw 1 1 2 2", "ben": "lap 1 space 27 hand 1 1"}
    race = begin(cars)
    reveal(race, "front-wing-3", "front-wing-4")
    assert (space(race), space(race, 1)) == (25, 28)
    use(race, "draft", "front-wing-3")
    assert space(race) == 27
    assert not symbol(race, "draft", "front-wing-4").is_used
    assert refused_use(race, "draft", "front-wing-4") == "No car is within reach to draft."


def test_draft_crosses_lines_that_are_checked_at_the_speed_unchanged() -> None:
    cars = {
        "ana": "lap 1 space 29 gear 1 engine 6 hand front-wing-1 1 draw 3 1",
        "ben": "lap 1 space 34 gear 1 hand 1 1 draw 1",
    }
    race = begin(cars)
    reveal(race, "front-wing-1")
    assert (space(race, 0), space(race, 1), speed(race)) == (32, 35, 3)
    use(race, "draft", "front-wing-1")
    assert (space(race), speed(race)) == (34, 3)
    events = leave_react(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.speed, bill.limit, bill.owed) == (3, 3, 0)


def test_draft_is_not_possible_where_a_car_stands_in_the_very_next_space() -> None:
    race = begin({"ana": f"{GEAR_1} hand front-wing-3 1 draw 1 1 2 2", "ben": "lap 1 space 22 hand 1 1"})
    reveal(race, "front-wing-3")
    assert (space(race), space(race, 1)) == (22, 23)
    assert refused_use(race, "draft", "front-wing-3") == "No car is within reach to draft."


# slipstream: R.P.M.


def test_slipstream_symbols_are_each_optional_and_add_up_with_the_sector() -> None:
    cars = {"ana": f"{GEAR_2} hand rpm-1 body-6 draw 1", "ben": "lap 1 space 23 hand 1 1"}
    race = begin(cars)
    reveal(race, "rpm-1", "body-6")
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 3, 4, 5)
    race = begin(cars, weather="storm")
    reveal(race, "rpm-1", "body-6")
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 3, 4, 5, 6, 7)
    assert refusal(race, c.Slipstream(8)) == "A slipstream of 8 spaces is not possible."
    events = step(race, 0, c.Slipstream(7))
    assert (space(race), [event.speed for event in events if isinstance(event, e.CornerChecked)]) == (30, [])


def test_slipstream_symbols_bring_no_slipstream_without_a_car_beside_or_ahead() -> None:
    race = begin(f"{GEAR_2} hand rpm-1 body-6 draw 1")
    reveal(race, "rpm-1", "body-6")
    step(race, 0, c.EndReact())
    assert 0 not in race.open or race.open[0].kind != "slipstream"


# adjust: tyres, wings


@pytest.mark.parametrize(
    ("cards", "limit"), [(("wings-3", "1"), 5), (("tyres-1", "tyres-4"), 0), (("wings-3", "tyres-1"), 4)]
)
def test_adjust_symbols_add_up_and_no_limit_goes_below_zero(cards: tuple[str, str], limit: int) -> None:
    race = begin(
        f"lap 1 space 56 gear 2 engine 6 hand {' '.join(cards)} draw 1",
        weather="fog",
        roads="- - - limit-1" if limit == 0 else "",
    )
    reveal(race, *cards)
    if "wings-3" in cards:
        use(race, "heat", "wings-3")
    (bill,) = [event for event in leave_react(race) if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed) == (limit, bill.speed - limit)
    assert sum(part.amount for part in bill.limit_parts) <= limit


# refresh: suspension


def test_refreshed_cards_go_on_top_of_the_draw_pile_in_the_order_said() -> None:
    race = begin(f"{GEAR_2} hand suspension-3 suspension-1 4 4 4 3 3 3 heat draw 1 2")
    reveal(race, "suspension-1", "suspension-3")
    leave_react(race)
    to_discard(race)
    choice = choice_of(race, 0)
    assert isinstance(choice, DiscardChoice)
    assert sorted(choice.refreshable) == ["suspension-1", "suspension-3"]
    assert refusal(race, c.Discard((), ("4",))) == "Only played cards with a refresh can be refreshed."
    discard(race, refresh=("suspension-3", "suspension-1"))
    assert race.seat(0).draw_pile == ["2", "1", "suspension-1", "suspension-3"]
    assert race.seat(0).discard_pile == []


def test_refreshed_cards_are_the_next_to_be_drawn_and_the_others_are_discarded() -> None:
    race = begin(f"{GEAR_2} hand suspension-3 suspension-1 4 4 4 3 3 draw 1 2")
    reveal(race, "suspension-1", "suspension-3")
    leave_react(race)
    discard(race, "4", refresh=("suspension-1",))
    assert "suspension-1" in race.seat(0).hand
    assert race.seat(0).discard_pile == ["suspension-3", "4"]
    assert sorted(race.seat(0).hand) == ["1", "2", "3", "3", "4", "4", "suspension-1"]


# all of them


ALL = [
    facts.name
    for facts in (*BASIC_UPGRADES, *ADVANCED_UPGRADES, *EXPANSION_UPGRADES)
    if facts.family != HEAT_FAMILY
]


@pytest.mark.spec("GARAGE-3")
@pytest.mark.parametrize("card", ALL)
def test_every_card_plays_by_its_line_of_data(card: str) -> None:
    race = begin(f"{GEAR_1} engine 6 hand {card} 1 {FLIPS}")
    facts = CATALOGUE[card]
    events = reveal(race, card, values=(facts.speeds[-1],) if len(facts.speeds) > 1 else ())
    flips = [value for _, value in flipped(events) if value]
    assert len(flips) == sum(number for kind, number in facts.symbols if kind == "flip")
    assert speed(race) == facts.speeds[-1] + sum(flips)
    got = [(use.symbol.kind, use.symbol.number) for use in react_choice(race).symbols if use.symbol.card]
    assert got == list(REACT_SYMBOLS[card]) == [item for item in facts.symbols if item[0] != "flip"]
    for kind, _ in got:
        if kind in ("heat", "scrap"):
            use(race, kind, card)
    leave_react(race)
    assert view_race(race, 1).cars[0].engine == race.seat(0).engine


def mandatory_left(race: Race) -> str:
    return react_choice(race).must


def test_mandatory_symbols_keep_the_seat_in_phase_5_until_the_last_is_used() -> None:
    race = begin(f"{GEAR_2} engine 6 hand wings-3 turbo-2 {FLIPS}")
    reveal(race, "turbo-2", "wings-3")
    assert mandatory_left(race) == "3 Heat must be paid first."
    use(race, "heat", "wings-3")
    assert mandatory_left(race) == "1 Heat must be paid first."
    use(race, "heat", "turbo-2")
    assert mandatory_left(race) == "6 cards must be scrapped first for Turbocharger 8."
    use(race, "scrap", "turbo-2")
    assert mandatory_left(race) == ""
    leave_react(race)


SYMBOLS: list[tuple[str, str, str, int | None, dict[str, object]]] = [
    # card, what lies about, symbol used (none: by itself), amount, what comes of it
    ("4wd-1", "draw 3", "", None, {"speed": 7, "played": ["4wd-1", "3"]}),
    ("gas-3", "draw 1 2 3", "scrap", None, {"discard": ["1", "2", "3"], "draw": []}),
    ("intake-4", "draw 2 2 2 discard heat", "super_cool", None, {"engine": 5, "discard": []}),
    ("intake-1", "draw 1 discard 4 4 4", "salvage", 3, {"draw_size": 4, "discard": []}),
    ("cooling-2", "draw 1", "cooldown", 2, {"engine": 6, "hand": ["1"]}),
    ("body-1", "draw 1", "reduce_stress", 1, {"discard": ["stress"]}),
    ("4wd-4", "draw 3", "accelerate", None, {"speed": 4, "space": 24}),
    ("front-wing-3", "draw 1", "draft", 2, {"speed": 2, "space": 24}),
    ("turbo-2", "draw 1", "heat", None, {"engine": 3, "discard": ["heat"]}),
]


@pytest.mark.spec("GARAGE-4")
@pytest.mark.parametrize(("card", "piles", "kind", "amount", "result"), SYMBOLS)
def test_each_symbol_does_what_it_says(
    card: str, piles: str, kind: str, amount: int | None, result: dict[str, object]
) -> None:
    """With those below, each symbol of the cards once; mandatory ones hold the seat back, others do not."""
    hand = {"cooldown": "heat heat", "reduce_stress": "stress"}.get(kind, "")
    race = begin(
        {"ana": f"{GEAR_1} engine 4 hand {card} 1 {hand} {piles}", "ben": "lap 1 space 24 hand 1 1 draw 1"}
    )
    reveal(race, card)
    assert bool(mandatory_left(race)) == any(name in ("heat", "scrap") for name, _ in REACT_SYMBOLS[card])
    if kind:
        cards = ("4",) * (amount or 0) if kind == "salvage" else ()
        use(race, kind, card, amount, cards)
    seat = race.seat(0)
    now: dict[str, object] = {
        "speed": speed(race),
        "space": space(race),
        "engine": seat.engine,
        "hand": seat.hand,
        "played": seat.played,
        "discard": seat.discard_pile,
        "draw": seat.draw_pile,
        "draw_size": len(seat.draw_pile),
    }
    assert {name: now[name] for name in result} == result


@pytest.mark.spec("GARAGE-4")
def test_symbols_of_other_phases_do_what_they_say() -> None:
    """Direct play, a boost, a choice of speed, slipstream, adjust and refresh, all in one turn."""
    ana = "lap 1 space 45 gear 4 hand brakes-2 tyres-6 suspension-4 gas-1 1 4 4 4 3 3 draw 1 2 2 stress 1 3"
    race = begin({"ana": ana, "ben": "lap 1 space 54 gear 1 hand 1 1 draw 1"}, sponsorships=False)
    reveal(race, "brakes-2", "tyres-6", "suspension-4", "1", values=(1,))
    assert speed(race) == 1 + (1 + 2) + 1 + 1
    use(race, "boost", "gear")
    play_directly(race, "gas-1", 1)
    use(race, "scrap", "gas-1")
    assert (speed(race), space(race), race.seat(0).engine) == (9, 54, 5)
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 3)
    events = step(race, 0, c.Slipstream(3))
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed, space(race), race.seat(0).engine) == (3 + 2, 4, 57, 1)
    discard(race, refresh=("suspension-4",))
    # It is the first to be drawn again; of the seven cards one more is missing.
    assert race.seat(0).hand == ["1", "3", "3", "4", "4", "4", "suspension-4"]
    assert race.seat(0).draw_pile == ["3"]


@pytest.mark.spec("GARAGE-5")
def test_one_turn_with_corners_stress_boost_adrenaline_and_symbols_together() -> None:
    ana = "lap 1 space 27 gear 4 engine 3 hand 4wd-4 stress tyres-6 body-2 heat heat draw 1 1 2 2 3"
    race = begin({"ana": ana, "ben": "lap 1 space 41 gear 1 hand 1 1 draw 1"}, weather="snow")
    reveal(race, "4wd-4", "stress", "tyres-6", "body-2")
    # Four flips: 1 of the drive, 1 of Stress, 2 + 2 of the tyres; and the body's 5.
    assert (speed(race), space(race)) == (11, 38)
    assert symbol(race, "cooldown", "sector").most == 1
    use(race, "speed", "adrenaline")
    use(race, "boost", "gear")
    assert (speed(race), space(race), race.seat(0).engine) == (15, 42, 2)
    use(race, "accelerate", "4wd-4")
    assert (speed(race), space(race)) == (20, 47), "five flips, the boost's among them"
    use(race, "cooldown", "adrenaline")
    use(race, "cooldown", "sector")
    assert race.seat(0).engine == 4
    events = leave_react(race)
    (bill,) = [event for event in events if isinstance(event, e.CornerChecked)]
    assert (bill.limit, bill.owed, bill.paid) == (3 + 2, 15, 4), "the limit is adjusted, and it spins out"
    spin = next(event for event in events if isinstance(event, e.SpunOut))
    assert (spin.stress, space(race)) == (2, 33)
