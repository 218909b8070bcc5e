"""What corners ask for, as values. docs/rules.md: Check corners (TURN-14)."""

from __future__ import annotations

import msgspec

from heat_core.race.events import Part


class CornerBill(msgspec.Struct, frozen=True, gc=False):
    """What one crossed corner line asks for.

    Attributes:
        line: Progress of the space before the line.
        corner: Its number, from 0.
        limit: After all that changes it, never below 0.
        limit_parts: The printed limit and what changes it.
        owed: Heat to pay.
        owed_parts: The excess of speed and what else.
        paid: What the engine could give of it.
    """

    line: int
    corner: int
    limit: int
    limit_parts: tuple[Part, ...]
    owed: int
    owed_parts: tuple[Part, ...]
    paid: int


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """Phase 7 of one car.

    Attributes:
        bills: One for each line checked, in driving order; the one that spins the car out is the last.
        engine_left: Heat in the engine afterwards.
        spin_line: Progress of the space before the line at which the car spins out; it goes back to
            `first_free_behind` that place. None without a spin-out.
        stress: Stress cards that the spin-out brings.
    """

    bills: tuple[CornerBill, ...]
    engine_left: int
    spin_line: int | None
    stress: int
