"""A bill at a corner: it is paid Heat by Heat while the corner's plate flashes."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from heat_core.race import events as e
from heat_tui.map.marks import CornerMark, CornerState

_HEAT_SECONDS: Final = 0.15
_LONGEST_SECONDS: Final = 1.5
_LIT_SECONDS: Final = 0.12
_FLASH_SECONDS: Final = 0.34
"""From one flash to the next: never more than three a second, also where corners follow each other."""


class Beat(NamedTuple):
    """What is shown of a bill for a moment.

    Attributes:
        paid: How much Heat so far.
        is_lit: Whether the plate of the corner shows what it costs.
    """

    seconds: float
    paid: int
    is_lit: bool


def bill_seconds(paid: int) -> float:
    """Say how long a bill of so much Heat is shown."""
    return min(_LONGEST_SECONDS, max(2 * _FLASH_SECONDS, paid * _HEAT_SECONDS))


def beats(paid: int, pace: float) -> list[Beat]:
    """Give what a bill shows, moment by moment; together they take `bill_seconds` at the usual pace.

    Args:
        paid: Heat.
        pace: By which times are multiplied. At a faster one than the usual the plate is lit all the time, and
            long enough: its flashes would be too close.
    """
    pace = max(pace, _FLASH_SECONDS / bill_seconds(paid))
    end = bill_seconds(paid)
    step = min(_HEAT_SECONDS, end / max(1, paid))
    payments = [step * heat for heat in range(1, paid + 1)]
    times = sorted({0.0, end, *payments, *(() if pace < 1 else (_LIT_SECONDS, _FLASH_SECONDS))})
    return [
        Beat(
            (following - now) * pace,
            sum(payment <= now for payment in payments),
            pace < 1 or not _LIT_SECONDS <= now < _FLASH_SECONDS,
        )
        for now, following in pairwise(times)
    ]


def bill_mark(bill: e.CornerChecked) -> CornerMark:
    """Say on the map what crossing a corner has cost."""
    state: CornerState = "spin_out" if bill.paid < bill.owed else "heat"
    return CornerMark(state, bill.owed, f"{bill.speed} - {bill.limit} = {bill.owed} Heat")
