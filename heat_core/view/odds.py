"""The odds of flips: the sums that the next ones may have. docs/rules.md: Reveal and move (TURN-7)."""

from __future__ import annotations

from collections import Counter

from heat_core.cards import SPEED_VALUES
from heat_core.view.observation import Observation


def flip_odds(draw: Counter[int], discard: Counter[int], flips: int) -> dict[int, float]:
    """Work out the sum of so many flips: sum -> probability.

    Args:
        draw: Basic Speed values in the draw pile, whose order is unknown, and how many of each.
        discard: The same of the discard pile, which is shuffled in when the draw pile has none left.
        flips: At least 0. A flip that finds no card anywhere gives 0.
    """
    if flips == 0:
        return {0: 1.0}
    pile, rest = (draw, discard) if draw.total() else (discard, Counter[int]())
    total = pile.total()
    if not total:
        return {0: 1.0}
    odds: dict[int, float] = {}
    for value in sorted(pile):
        left = pile.copy()
        left[value] -= 1
        for further, probability in flip_odds(+left, rest, flips - 1).items():
            key = value + further
            odds[key] = odds.get(key, 0.0) + probability * pile[value] / total
    return odds


def own_flip_odds(observation: Observation, flips: int) -> dict[int, float]:
    """Work out the same for the own seat, which knows what is in its piles but not the order."""
    draw = Counter(SPEED_VALUES[card] for card in observation.own.draw_pile if card in SPEED_VALUES)
    discard = Counter(SPEED_VALUES[card] for card in observation.own_car.discard_pile if card in SPEED_VALUES)
    return dict(sorted(flip_odds(draw, discard, flips).items()))
