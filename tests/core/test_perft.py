"""Perft: how many legal sequences of commands lead on from pinned positions.

A count that changes means that either the listing of commands or the state after one has changed. The numbers
were counted by this engine and looked over; the vectors and the rule tests say that they are right.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import pytest

from heat_core.decisions import choice_of, enumerate_commands
from heat_core.engine import decide
from heat_core.race.phase import Phase
from heat_core.race.presets import PRESETS, PresetName
from heat_core.race.state import Race
from tests.core.support import position


class Pinned(NamedTuple):
    """A position and its counts for depth 1, 2, 3 and so on."""

    name: str
    on: str
    preset: PresetName
    cars: dict[str, str]
    counts: tuple[int, ...]
    phase: Literal["shift", "play"] = "play"


PINNED = (
    Pinned(
        "two cars side by side before a corner",
        "usa",
        "standard",
        {
            "ana": "lap 1 space 30 gear 2 hand 4 3 2 1 stress draw 1 2 3 4",
            "ben": "lap 1 space 30 gear 2 hand 4 4 2 heat draw 1 2 3 4",
        },
        (10, 20, 20, 80, 248, 630, 1976),
    ),
    Pinned(
        "gears of three seats, one without Heat",
        "usa",
        "standard",
        {
            "ana": "lap 1 space 20 gear 2 engine 0 hand 4 3 2 draw 1 1 2",
            "ben": "lap 1 space 18 gear 3 hand 1 2 3 4 draw 1 1 2",
            "cy": "lap 1 space 17 gear 1 hand 1 1 draw 1 2 2",
        },
        (3, 12, 36, 84, 315, 315, 315, 336),
        "shift",
    ),
    Pinned(
        "boost in 4th gear over a corner",
        "italy",
        "standard",
        {
            "ana": "lap 1 space 4 gear 4 engine 4 hand 4 3 2 1 draw heat 3 1",
            "ben": "lap 1 space 12 gear 1 hand 2 1 heat draw 4 4 1",
        },
        (1, 2, 4, 8, 17, 23, 32, 64),
    ),
    Pinned(
        "Stress flips that reshuffle",
        "gb",
        "standard",
        {
            "ana": "lap 1 space 10 gear 2 hand stress stress 1 heat draw heat discard 1 2 3",
            "ben": "lap 1 space 9 gear 1 hand 1 2 heat heat draw 4 4 1",
        },
        (2, 4, 8, 24, 75, 152, 275, 622),
    ),
    Pinned(
        "flooded spaces shift dear",
        "japan",
        "standard",
        {
            "ana": "lap 1 space 8 gear 3 engine 1 hand 1 2 3 4 draw 1 1",
            "ben": "lap 1 space 40 gear 4 engine 2 hand 1 2 3 4 draw 1 1",
        },
        (3, 9, 33, 121, 132, 264, 540, 1532),
        "shift",
    ),
    Pinned(
        "a tunnel keeps the hand",
        "spain",
        "standard",
        {
            "ana": "lap 1 space 18 gear 1 hand 1 2 3 draw 4 4 4",
            "ben": "lap 1 space 50 gear 1 hand 1 2 draw 4 4 4",
        },
        (3, 6, 6, 12, 12, 18, 48, 144),
    ),
    Pinned(
        "each car's own discard",
        "france",
        "rulebook",
        {
            "ana": "lap 1 space 30 gear 1 hand 1 2 3 draw 4 4 4",
            "ben": "lap 1 space 29 gear 1 hand 1 2 draw 4 4 4",
        },
        (3, 6, 12, 30, 96, 216, 408, 1000),
    ),
    Pinned(
        "a gear that the hand cannot fill is withheld",
        "netherlands",
        "rulebook",
        {
            "ana": "lap 1 space 30 gear 3 hand 1 heat heat heat draw 4 4",
            "ben": "lap 1 space 29 gear 2 hand 1 2 3 draw 4 4",
        },
        (1, 3, 3, 7, 35, 77, 91, 169),
        "shift",
    ),
    Pinned(
        "a cluttered hand",
        "mexico",
        "standard",
        {
            "ana": "lap 2 space 30 gear 3 hand 1 2 heat heat draw 4 4 4",
            "ben": "lap 2 space 28 gear 2 hand 1 2 3 draw 4 4 4",
        },
        (1, 3, 6, 9, 24, 90, 336, 1980),
    ),
    Pinned(
        "the last round",
        "usa",
        "standard",
        {
            "ana": "lap 2 space 68 gear 2 hand 3 4 heat draw 4 4",
            "ben": "lap 2 space 66 gear 3 hand 1 2 3 4 draw 4 4",
            "cy": "lap 2 space 60 gear 1 hand 1 2 3 draw 4 4 4",
        },
        (1, 4, 12, 24, 24, 36, 48, 48),
    ),
)


def count_sequences(race: Race, depth: int) -> int:
    """Count the sequences of so many commands, each given by the first seat that owes one."""
    due = [seat for seat, decision in race.open.items() if decision.chosen is None]
    if depth == 0 or race.phase is Phase.ENDED:
        return 1
    commands = enumerate_commands(choice_of(race, due[0]))
    return sum(count_sequences(decide(race, due[0], command)[0], depth - 1) for command in commands)


@pytest.mark.parametrize("pinned", PINNED, ids=lambda pinned: pinned.name)
def test_perft(pinned: Pinned) -> None:
    race = position(pinned.cars, on=pinned.on, phase=pinned.phase, rules=PRESETS[pinned.preset])
    counts = tuple(count_sequences(race, depth) for depth in range(1, len(pinned.counts) + 1))
    assert counts == pinned.counts
