"""Why something cannot be chosen, with its cost and what you have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.cards import HEAT, CardName
from heat_core.rules.shifting import GEARS, shift_bill
from heat_core.sentences.events import gear_name, heat_text

_MOST_STEPS: Final = 2
_WHY: Final = {"flooded": "shifting down on a flooded space"}


def why_no_gear(now: int, gear: int, engine: int, hand: Sequence[CardName], *, is_flooded: bool) -> str:
    """Say why a gear is not offered: too far, too dear, or the rules withhold it.

    Args:
        now: The gear now, in [1, 5).
        gear: The one that is wanted; any number, for it is what was pressed.
        engine: Heat in it.
        is_flooded: Whether the car is in a flooded space.
    """
    if gear not in GEARS:
        return "The gears are 1 to 4."
    if abs(gear - now) > _MOST_STEPS:
        return f"{gear_name(gear)} gear is {abs(gear - now)} steps away; you can shift two steps at most."
    bill = shift_bill(now, gear, is_flooded=is_flooded)
    cost = sum(part.amount for part in bill)
    if cost > engine:
        parts = " + ".join(f"{part.amount} for {_WHY.get(part.rule, part.rule)}" for part in bill)
        return f"{gear_name(gear)} gear costs {heat_text(cost)} ({parts}); your engine has {engine}."
    playable = len(hand) - list(hand).count(HEAT)
    return f"Your {playable} playable cards cannot fill {gear_name(gear)} gear."
