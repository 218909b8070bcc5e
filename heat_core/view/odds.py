"""The odds of flips: the sums that the next ones may have. docs/rules.md: Reveal and move (TURN-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heat_core.cards import SPEED_VALUES, CardName
from heat_core.view.observation import Observation


def flip_odds(draw: Mapping[int, int], discard: Mapping[int, int], flips: int) -> dict[int, float]:
    """Work out the sum of so many flips: sum -> probability.

    Args:
        draw: Basic Speed values in the draw pile, whose order is unknown, and how many of each.
        discard: The same of the discard pile, which is shuffled in when the draw pile has none left.
        flips: At least 0. A flip that finds no card anywhere gives 0.
    """
    if flips == 0:
        return {0: 1.0}
    pile, rest = (draw, discard) if any(draw.values()) else (discard, {})
    total = sum(pile.values())
    if not total:
        return {0: 1.0}
    odds: dict[int, float] = {}
    for value in sorted(pile):
        number = pile[value]
        if not number:
            continue
        for further, probability in flip_odds({**pile, value: number - 1}, rest, flips - 1).items():
            key = value + further
            odds[key] = odds.get(key, 0.0) + probability * number / total
    return odds


def own_flip_odds(observation: Observation, flips: int) -> dict[int, float]:
    """Work out the same for the own seat, which knows what is in its piles but not the order."""
    draw, discard = _values_in(observation.own.draw_pile), _values_in(observation.own_car.discard_pile)
    return dict(sorted(flip_odds(draw, discard, flips).items()))


def _values_in(pile: Iterable[CardName]) -> dict[int, int]:
    """Count the basic Speed values in a pile."""
    values: dict[int, int] = {}
    for card in pile:
        if card in SPEED_VALUES:
            value = SPEED_VALUES[card]
            values[value] = values.get(value, 0) + 1
    return values
