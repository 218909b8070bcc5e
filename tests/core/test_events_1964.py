"""The event cards of 1964 and 1965: each special rule with its awkward case. docs/rules.md: Events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heat_core.cards import HEAT, STRESS
from heat_core.decisions import DiscardChoice, choice_of
from heat_core.engine import step
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.presets import RULEBOOK
from heat_core.race.state import Race
from tests.core.support import track_facts
from tests.core.support_events import SLOW, gains
from tests.core.support_turns import (
    FAR,
    begin,
    discard,
    leave_react,
    refusal,
    reveal,
    slipstream_choice,
    space,
    speed,
    to_discard,
)

# 1964


def test_going_global_gives_two_cards_at_a_press_corner_and_no_more_than_are_left() -> None:
    for left, count in ((35, 2), (1, 1)):
        race = begin("lap 1 space 32 gear 2 hand 3 2 draw 1", event="going-global")
        del race.sponsorship_deck[left:]
        reveal(race, "3", "2")
        assert gains(leave_react(race), "press") == [0] * count


@pytest.mark.parametrize(
    ("gear", "cards", "possible"), [(1, "3", False), (2, "2 1", False), (3, "1 1 1", True)]
)
def test_turbulent_winds_leave_a_slipstream_to_high_gears(gear: int, cards: str, possible: bool) -> None:
    cars = {
        "ana": f"lap 1 space 20 gear {gear} hand {cards} 4 4 draw 2",
        "ben": "lap 1 space 23 gear 1 hand 1 1 draw 1",
    }
    race = begin(cars, event="turbulent-winds")
    reveal(race, *cards.split())
    events = step(race, 0, c.EndReact())
    asked = any(isinstance(event, e.DecisionsOpened) and event.kind == "slipstream" for event in events)
    assert asked == possible
    if possible:
        assert slipstream_choice(race).spaces == (0, 2)


@pytest.mark.parametrize(
    ("event", "card", "other"), [("chicanes", HEAT, STRESS), ("tunnel-vision", STRESS, HEAT)]
)
def test_an_event_lets_heat_or_stress_be_discarded_but_not_in_a_tunnel(
    event: str, card: str, other: str
) -> None:
    words = "gear 1 engine 2 hand 1 4 stress stress heat heat draw 1"
    race = begin(f"lap 1 space 25 {words}", event=event, on="spain", garage="none")
    reveal(race, "1")
    leave_react(race)
    to_discard(race)
    choice = choice_of(race, 0)
    assert isinstance(choice, DiscardChoice)
    assert (choice.pool, choice.most) == (("4", card, card), 3)
    assert refusal(race, c.Discard((other,))) == f"The card {other!r} cannot be discarded now."
    events = step(race, 0, c.Discard((card, card, "4")))
    assert isinstance(events[0], e.ChoiceMade)
    race = begin(f"lap 1 space 17 {words}", event=event, on="spain", garage="none")
    reveal(race, "1")
    leave_react(race)
    to_discard(race)
    assert refusal(race, c.Discard((card,))) == f"The card {card!r} cannot be discarded now."


def test_sudden_rain_takes_the_adrenaline_away() -> None:
    for event, cars in ((None, (1,)), ("sudden-rain", ())):
        race = begin("lap 1 space 20 gear 1 hand 1 4 draw 1", event=event)
        reveal(race, "1")
        assert race.adrenaline == cars


# 1965


def test_hold_tight_allows_one_hand_card_a_turn_and_any_refresh() -> None:
    race = begin(
        "lap 1 space 20 gear 2 hand suspension-3 suspension-1 4 4 1 draw 1 1",
        event="hold-tight",
    )
    reveal(race, "suspension-1", "suspension-3")
    leave_react(race)
    to_discard(race)
    assert refusal(race, c.Discard(("4", "4"))) == "At most 1 card may be discarded each turn."
    step(race, 0, c.Discard(("4",), ("suspension-1", "suspension-3")))
    assert race.open[0].chosen is not None


@pytest.mark.parametrize(
    ("cards", "roads", "gain"),
    [
        ("1 1", "", True),
        ("2 1", "", False),  # 3 at a limit of 3
        ("2 1", "- limit+1 - -", True),
        ("4 2", "", False),  # pressing gains nothing
    ],
)
def test_smile_and_wave_rewards_who_crosses_below_the_limit(cards: str, roads: str, gain: bool) -> None:
    race = begin(
        f"lap 1 space 32 gear 2 hand {cards} draw 3",
        event="smile-and-wave",
        weather="snow" if roads else None,
        roads=roads,
    )
    reveal(race, *cards.split())
    assert gains(leave_react(race), "press") == [0] * gain


def test_smile_and_wave_does_not_care_for_slipstreams_but_for_the_speed() -> None:
    for card, gain in (("2", [0]), ("3", [])):
        race = begin(
            {
                "ana": f"lap 1 space {33 - int(card)} gear 1 hand {card} 1 draw 1",
                "ben": "lap 1 space 33 gear 1 hand 1 1 draw 1",
            },
            event="smile-and-wave",
        )
        reveal(race, card)
        events = leave_react(race, slipstream=2)
        assert space(race) == 35
        assert gains(events, "press") == gain
        assert gains(events, "slipstream") == []


def test_smile_and_wave_rewards_a_car_that_stands_still_and_slipstreams_over_the_slowest_corner() -> None:
    facts = track_facts("usa")
    hairpin = replace(facts.corners[1], limit=1)
    circuit = replace(facts, corners=(facts.corners[0], hairpin, *facts.corners[2:]))
    race = begin(
        {
            "ana": "lap 1 space 33 gear 1 hand start-0 1 draw 1",
            "ben": "lap 1 space 33 spot other gear 1 hand start-0 1 draw 1",
        },
        on=circuit,
        event="smile-and-wave",
        garage="none",
    )
    reveal(race, "start-0")
    assert (speed(race), space(race)) == (0, 33)
    assert gains(leave_react(race, slipstream=2), "press") == [0]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("engine 1 hand 4 heat draw heat 1 discard heat", "engine"),
        ("engine 0 hand 4 heat draw heat 1 discard heat", "hand"),
        ("engine 0 hand 4 4 draw heat 1 discard heat", "discard_pile"),
        ("engine 0 hand 4 4 draw heat 1", "draw_pile"),
        ("engine 0 hand 4 4 draw 1 1", None),
    ],
)
def test_pressure_cooker_takes_a_heat_card_from_the_first_place_that_has_one(
    words: str, place: str | None
) -> None:
    race = begin(
        {"ana": f"lap 1 space 68 gear 1 {words}", "ben": FAR}, event="pressure-cooker", garage="none"
    )
    before = heat_of(race)
    reveal(race, "4")
    events = leave_react(race)
    assert not any(isinstance(event, e.HeatLost) for event in events), "it is lost in phase 8"
    events = discard(race)
    lost = [event.place for event in events if isinstance(event, e.HeatLost)]
    assert lost == ([place] if place else [])
    assert heat_of(race) == before - len(lost)


def heat_of(race: Race) -> int:
    seat = race.seat(0)
    return seat.engine + [*seat.hand, *seat.draw_pile, *seat.discard_pile].count(HEAT)


def test_pressure_cooker_counts_a_lap_in_a_turn_with_a_spin_out_and_not_the_last_one() -> None:
    race = begin(
        {"ana": "lap 1 space 54 gear 4 engine 0 hand 4 4 3 1 heat draw 1 2", "ben": FAR},
        on="italy",
        event="pressure-cooker",
        garage="none",
    )
    reveal(race, "4", "4", "3", "1")
    events = leave_react(race)
    assert any(isinstance(event, e.SpunOut) for event in events)
    events = discard(race)
    assert [event.place for event in events if isinstance(event, e.HeatLost)] == ["hand"]
    race = begin(
        {"ana": f"lap 2 space 53 {SLOW}", "ben": FAR},
        on="italy",
        event="pressure-cooker",
        garage="none",
        laps=1,
        rules=RULEBOOK,
    )
    reveal(race, "4")
    events = leave_react(race)
    assert [event.lap for event in events if isinstance(event, e.LapCompleted)] == [2]
    assert race.cars[0].status == "finished"
    assert race.seat(0).heat_to_lose == 0
