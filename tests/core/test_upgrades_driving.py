"""The symbols of upgrade cards for speed, spaces and limits, and refresh: what each does, and when not."""

from __future__ import annotations

import pytest

from heat_core.cards import HEAT
from heat_core.decisions import DiscardChoice, choice_of
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.rules.offers import DirectUse
from tests.core.support_turns import (
    GEAR_1,
    GEAR_2,
    GEAR_4,
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

# direct: gas pedal


def test_a_card_is_played_directly_and_counts_as_if_played() -> None:
    race = begin(f"{GEAR_1} hand gas-2 1 2 draw 3 3 4")
    reveal(race, "1")
    (direct,) = react_choice(race).direct
    assert (direct.card, direct.speeds, direct.heat, direct.reason) == ("gas-2", (2,), 0, "")
    assert refusal(race, react_choice(race).play_directly("gas-2", 3)) == (
        "The card 'gas-2' cannot be played at speed 3."
    )
    assert refusal(race, react_choice(race).play_directly("2", 2)) == (
        "Your hand has no such card that can be played now."
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
    assert direct == DirectUse("gas-4", (4,), 1, 0, "It costs 1 Heat; your engine has 0.")
    assert refusal(race, react_choice(race).play_directly("gas-4", 4)) == direct.reason
    # Nor where there is no cooldown.
    race = begin(f"{GEAR_1} engine 0 hand gas-4 1 heat", weather="clouds")
    reveal(race, "1")
    assert react_choice(race).direct[0].reason == "It costs 1 Heat; your engine has 0."


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


def test_accelerate_does_not_count_a_flip_that_gave_nothing() -> None:
    race = begin(f"{GEAR_4} engine 4 hand 4wd-4 stress stress stress heat heat draw 2")
    reveal(race, "4wd-4", "stress", "stress", "stress")
    # One Stress found the only Speed card; for the others none is left.
    assert speed(race) == 2
    assert refused_use(race, "accelerate", "4wd-4", 3) == "The amount must be 1 to 1, not 3."
    use(race, "accelerate", "4wd-4")
    assert speed(race) == 3


def test_accelerate_without_a_flip_is_refused() -> None:
    race = begin(f"{GEAR_1} hand gas-5 1 draw 1 1 2 2 2")
    reveal(race, "gas-5")
    assert refused_use(race, "accelerate", "gas-5") == "You have flipped no card this turn."


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
    assert (number.is_used, number.least, number.most, number.heat) == (False, 3, 3, 0)
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


def test_a_draft_symbol_that_is_used_lends_its_spaces_to_no_other() -> None:
    cars = {
        "ana": f"{GEAR_2} hand front-wing-4 front-wing-3 draw 1 1 2 2",
        "ben": "lap 1 space 27 hand 1 1 draw 1",
        "cy": "lap 1 space 30 hand 1 1 draw 1",
    }
    race = begin(cars)
    reveal(race, "front-wing-3", "front-wing-4")
    use(race, "draft", "front-wing-3")
    use(race, "speed", "adrenaline")
    assert [space(race, car) for car in range(3)] == [28, 28, 31], "two empty spaces, and one symbol of 1"
    assert refused_use(race, "draft", "front-wing-4") == "No car is within reach to draft."
    cars["cy"] = "lap 1 space 29 hand 1 1 draw 1"
    race = begin(cars)
    reveal(race, "front-wing-3", "front-wing-4")
    use(race, "draft", "front-wing-3")
    use(race, "speed", "adrenaline")
    use(race, "draft", "front-wing-4")
    assert [space(race, car) for car in range(3)] == [29, 28, 30], "a draft of a single space"


def draft_parts(events: list[e.Event]) -> list[tuple[int, int]]:
    """List the symbols that a draft used, each with its spaces."""
    used = [event for event in events if isinstance(event, e.SymbolUsed)]
    assert {event.seat for event in used} == {0}
    return [(event.number, event.amount) for event in used]


def test_a_draft_takes_the_unused_symbols_in_their_order_and_only_the_spaces_it_needs() -> None:
    # Drafts of 2, 1 and 1, in places 0, 3 and 6 of the turn's list.
    cards = ("front-wing-3", "front-wing-4", "front-wing-5")
    cars = {
        "ana": f"lap 1 space 14 gear 3 hand {' '.join(cards)} draw 1 1 2 2",
        "ben": "lap 1 space 25 hand 1 1 draw 1",
        "cy": "lap 1 space 28 hand 1 1 draw 1",
    }
    race = begin(cars)
    reveal(race, *cards)
    assert [space(race, car) for car in range(3)] == [23, 26, 29]
    assert draft_parts(use(race, "draft", "front-wing-5")) == [(6, 1), (0, 1)]
    race = begin(cars | {"ben": "lap 1 space 24 hand 1 1 draw 1"})
    reveal(race, *cards)
    assert draft_parts(use(race, "draft", "front-wing-4")) == [(3, 1)]
    use(race, "speed", "adrenaline")
    assert [space(race, car) for car in range(3)] == [25, 25, 29]
    assert draft_parts(use(race, "draft", "front-wing-3")) == [(0, 2), (6, 1)]


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


def test_nobody_drafts_a_car_that_has_left_the_track() -> None:
    race = begin({"ana": f"{GEAR_1} hand front-wing-3 1 draw 1 1", "ben": "lap 1 space 24 hand 1 1 draw 1"})
    reveal(race, "front-wing-3")
    assert (space(race), space(race, 1)) == (22, 25)
    assert symbol(race, "draft", "front-wing-3").most == 2
    step(race, 1, c.GiveUp())
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


def test_a_slipstream_symbol_is_there_whatever_else_of_its_card_was_used() -> None:
    cars = {"ana": f"{GEAR_1} hand intake-2 1 stress draw 1 discard heat", "ben": "lap 1 space 20 hand 1 1"}
    race = begin(cars)
    reveal(race, "intake-2")
    use(race, "super_cool", "intake-2")
    use(race, "reduce_stress", "intake-2")
    step(race, 0, c.EndReact())
    assert slipstream_choice(race).spaces == (0, 2, 3)


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


@pytest.mark.parametrize(
    ("card", "kind", "reason"),
    [
        ("rpm-1", "slipstream", "It works in phase 6."),
        ("tyres-1", "adjust", "It changes corner limits in phase 7."),
        ("suspension-3", "refresh", "It works in phase 8."),
    ],
)
def test_symbols_of_later_phases_are_not_used_in_phase_5(card: str, kind: str, reason: str) -> None:
    race = begin(f"{GEAR_1} hand {card} 1 draw 1")
    reveal(race, card)
    assert refused_use(race, kind, card) == reason
    assert symbol(race, kind, card).heat == 0


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
