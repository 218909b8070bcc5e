"""What the race screen foretells of upgrades: each value of a choice, and the Heat that cards ask for."""

from __future__ import annotations

import re

import pytest

from heat_core.table import Table
from heat_tui.race.wording import draft_outcomes
from tests.core.support_modules import begin
from tests.tui.test_race_wording import draft_of, texts, told


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
                "at 2: no corner crossed; 1 Heat for your cards, 2 left",
            ],
        ),
        (
            "brakes-1 3",
            4,
            [
                "picked Brakes 1/2/3/4 + 3 = speed 4 to 7, to space 34 to 37",
                "at 7: SPIN-OUT to 33, 1 Stress, 1st gear",
                "at 4: corner 2 (limit 3): 4 − 3 = 1 Heat; 1 Heat for your cards",
            ],
        ),
        (
            "cooling-1 2",
            4,
            [
                "picked Cooling 6 + 2 = speed 8, to space 38",
                "SPIN-OUT to 33, 1 Stress, 1st gear",
                "corner 2 (limit 3): 8 − 3 = 5 Heat, you have 3 after 1 Heat for your cards",
            ],
        ),
        (
            "cooling-1 2",
            0,
            [
                "picked Cooling 6 + 2 = speed 8, to space 38",
                "the engine lacks 1 Heat for your cards: cool first, or they go for flips",
                "SPIN-OUT to 33, 1 Stress, 1st gear",
            ],
        ),
    ],
)
def test_cards_with_a_choice_or_with_heat_are_told_with_all_that_they_may_come_to(
    cards: str, engine: int, lines: list[str]
) -> None:
    setup = begin(f"lap 1 space 30 gear 2 engine {engine} hand {cards} draw 1 1").setup
    sight = Table(setup, {0: "human", 1: "human"}).sight(0)
    said = texts(told(sight, *cards.split()))
    assert said == lines
    assert all(len(line) < 80 for line in said)
    assert {outcome.speed for outcome in draft_outcomes(sight, draft_of(sight, *cards.split()))} >= {
        int(word) for word in re.findall(r"\d+", said[0].partition("speed ")[2].partition(",")[0])
    }
