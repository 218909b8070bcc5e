"""Adding up what a rule bills, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from heat_core.race.events import Part


def total(parts: Iterable[Part]) -> int:
    """Add up the lines of a bill."""
    amount = 0
    for part in parts:
        amount += part.amount
    return amount
