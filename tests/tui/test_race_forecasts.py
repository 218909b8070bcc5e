"""What the race screen foretells of upgrades: each value of a choice, and the Heat that cards ask for."""

from __future__ import annotations

import re

import pytest

from heat_core.table import Table
from heat_tui.flow.draft_marks import draft_marks
from heat_tui.map.palette import HIGHLIGHT_GLYPHS, HIGHLIGHT_PAINTS, ROAD_GLYPHS
from heat_tui.words.line import DANGER, WARN, Line
from heat_tui.words.wording import draft_outcomes
from tests.core.support_turns import begin
from tests.tui.support_race import table_at
from tests.tui.support_wording import draft_of, texts, told


@pytest.mark.parametrize(
    ("cards", "engine", "lines"),
    [
        (
            "brakes-3 2",
            6,
            [
                "picked Brakes 2/4 + 2 = speed 4 to 6, to space 34 to 36",
                "at 6: corner 2 (limit 3): 6 − 3 = 3 Heat",
                "at 4: corner 2 (limit 3): 4 − 3 = 1 Heat",
            ],
        ),
        (
            "brakes-1 1",
            3,
            [
                "picked Brakes 1/2/3/4 + 1 = speed 2 to 5, to space 32 to 35",
                "at 5: corner 2 (limit 3): 5 − 3 = 2 Heat",
                "at 2: no corner; 1 Heat for cards, 2 left",
            ],
        ),
        (
            "brakes-1 3",
            4,
            [
                "picked Brakes 1/2/3/4 + 3 = speed 4 to 7, to space 34 to 37",
                "at 7: SPIN-OUT to 33, 1 Stress, 1st gear",
                "at 4: corner 2 (limit 3): 4 − 3 = 1 Heat; 1 Heat for cards",
            ],
        ),
        (
            "cooling-1 2",
            4,
            [
                "picked Cooling 6 + 2 = speed 8, to space 38",
                "SPIN-OUT to 33, 1 Stress, 1st gear",
                "corner 2 (limit 3): 8 − 3 = 5 Heat, you have 3 after 1 Heat for cards",
            ],
        ),
        (
            "cooling-1 2",
            0,
            [
                "picked Cooling 6 + 2 = speed 8, to space 38",
                "your engine lacks 1 Heat for these cards: cool first, or flips replace them",
                "SPIN-OUT to 33, 1 Stress, 1st gear",
            ],
        ),
    ],
)
def test_cards_with_a_choice_or_with_heat_are_told_with_all_that_they_may_come_to(
    cards: str, engine: int, lines: list[str]
) -> None:
    setup = begin(f"lap 1 space 30 gear 2 engine {engine} hand {cards} draw 1 1").setup
    observation = Table(setup, {0: "human", 1: "human"}).observation(0)
    said = texts(told(observation, *cards.split()))
    assert said == lines
    assert all(len(line) < 80 for line in said)
    assert {
        outcome.speed for outcome in draft_outcomes(observation, draft_of(observation, *cards.split()))
    } >= {int(word) for word in re.findall(r"\d+", said[0].partition("speed ")[2].partition(",")[0])}


LEGENDS_AHEAD = {
    "Ana": "lap 1 space 25 gear 2 engine 2 hand 2 3 2 4 1 4 4 draw 1 3",
    "L": "lap 1 space 33 spot race legend easy",
    "M": "lap 1 space 33 spot other legend easy",
}
SEATS_AHEAD = {
    "Ben": "lap 1 space 28 spot race gear 2 engine 3 hand 1 2 3",
    "Cas": "lap 1 space 28 spot other gear 3 engine 3 hand 1 2 3",
}


@pytest.mark.parametrize(
    ("others", "cards", "lines"),
    [
        ({}, "4 4", ["picked 4 + 4 = speed 8, to space 33", "no corner crossed"]),
        (
            SEATS_AHEAD,
            "4 4",
            [
                "picked 4 + 4 = speed 8, to space 33 or 34",
                "no corner crossed; slipstream if a car is on 33 or 34",
                "34 only if 33 is full: SPIN-OUT to 32, 5 Heat, you have 2",
            ],
        ),
        (
            SEATS_AHEAD,
            "4 2",
            [
                "picked 4 + 2 = speed 6, to space 31 or 32",
                "no corner crossed; slipstream if a car is on 31 or 32",
                "32 only if 31 is full",
            ],
        ),
    ],
)
def test_what_other_cars_may_change_is_told_as_what_can_happen(
    others: dict[str, str], cards: str, lines: list[str]
) -> None:
    said = told(table_at(LEGENDS_AHEAD | others).observation(0), *cards.split())
    assert texts(said) == lines
    assert all(len(line.text) < 80 for line in said)
    assert DANGER not in [line.style for line in said], "nothing is certain of a spin-out"


def test_flips_are_told_with_where_other_cars_may_stop() -> None:
    cars = LEGENDS_AHEAD | {"Ana": "lap 1 space 27 gear 2 engine 2 hand 4 stress draw 2"} | SEATS_AHEAD
    observation = table_at(cars).observation(0)
    alone, *_ = texts(told(observation, "4", "stress"))
    assert alone == "picked 4 + Stress = speed 6, to space 33 or 34"
    several = table_at(cars | {"Ana": cars["Ana"].replace("draw 2", "draw 1 2")}).observation(0)
    head, warning, bill = told(several, "4", "stress")
    assert head.text == "picked 4 + Stress = speed 5 to 6, to space 32 to 33, perhaps 34"
    assert warning == Line("SPIN-OUT in up to 50 % of cases, to 32, 1 Stress, 1st gear", WARN)
    assert bill.text == "corner 2 (limit 3): 0 to 3 Heat of your 2"


def test_a_space_that_stays_full_is_named() -> None:
    """Lapped cars drive later: it is certain that 30 is full."""
    cars = {
        "Ana": "lap 2 space 27 gear 1 engine 2 hand 3 1 draw 1",
        "Ben": "lap 1 space 30 spot race gear 1 hand 1 1",
        "Cas": "lap 1 space 30 spot other gear 1 hand 1 1",
    }
    assert texts(told(table_at(cars, laps=3).observation(0), "3")) == [
        "picked 3 = speed 3, to space 31 (30 is full)",
        "no corner crossed",
    ]


@pytest.mark.parametrize(
    ("cards", "space", "name"), [("1 2", 33, "target"), ("3 4", 37, "costs"), ("4 5", 39, "danger")]
)
def test_the_target_on_the_map_has_the_colour_and_the_sign_of_what_it_costs(
    cards: str, space: int, name: str
) -> None:
    cars = {"Ana": "lap 1 space 30 gear 2 engine 5 hand 1 2 3 4 start-5 draw 1 2 3 4"}
    observation = table_at(cars | {"Ben": "lap 1 space 20 gear 2 hand 1 1"}).observation(0)
    marks = draft_marks(observation, draft_of(observation, *cards.replace("5", "start-5").split()))
    assert marks == {(space, 0): name}
    state = {"target": "free", "costs": "heat", "danger": "spin_out"}[name]
    assert HIGHLIGHT_PAINTS[name] == HIGHLIGHT_PAINTS[state]
    assert HIGHLIGHT_GLYPHS[name] == ROAD_GLYPHS[state]  # type: ignore[index]  # one of the three


def test_map_and_road_mark_where_other_cars_may_send_the_own_one() -> None:
    observation = table_at(LEGENDS_AHEAD | SEATS_AHEAD).observation(0)
    marks = draft_marks(observation, draft_of(observation, "4", "4"))
    assert marks == {(33, 0): "target", (34, 0): "maybe"}
