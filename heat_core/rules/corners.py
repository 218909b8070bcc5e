"""What a corner costs, and where a spin-out ends. RULES, phase 7."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from heat_core.events import Part
from heat_core.rules.movement import first_free_behind
from heat_core.track import Track


class CornerBill(NamedTuple):
    """What one crossed corner line asks for.

    Attributes:
        line: Progress of the space before the line.
        corner: Its number, from 0.
        limit: After all that changes it, never below 0.
        limit_parts: The printed limit and what changes it.
        owed: Heat to pay.
    """

    line: int
    corner: int
    limit: int
    limit_parts: tuple[Part, ...]
    owed: int


def corner_bill(track: Track, line: int, speed: int) -> CornerBill:
    """Work out what a corner line costs at a speed (TURN-14)."""
    corner = track.corner_at(line)
    limit = track.corners[corner].limit
    return CornerBill(line, corner, limit, (Part("printed limit", limit),), max(0, speed - limit))


def stress_of_spin_out(gear: int) -> int:
    """Give the Stress cards of a spin-out in a gear in [1, 5) (TURN-15)."""
    return 1 if gear <= 2 else 2


def end_of_spin_out(track: Track, occupied: Set[int], line: int) -> tuple[int, int]:
    """Give progress and spot of the first free place before a corner line."""
    return first_free_behind(track, occupied, line)
