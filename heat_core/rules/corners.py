"""What corners cost. docs/rules.md: Check corners (TURN-14, TURN-15).

Pure functions, shared by the engine and by forecasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from heat_core.data.weather import CornerToken, RoadName
from heat_core.race.bills import total
from heat_core.race.events import Part
from heat_core.rules.corner_bills import CornerBill, Settlement
from heat_core.rules.sectors import corner_token
from heat_core.track import Track

OVERHEAT: Final = 1
"""Heat that the token of that name adds where any is owed."""

_LIMIT_CHANGE: Final[dict[CornerToken, int]] = {"limit-1": -1, "limit+1": 1, "overheat": 0}


def corner_limit(track: Track, corner: int, token: CornerToken | None, adjust: int) -> tuple[Part, ...]:
    """Itemise a corner's limit: printed, road token, adjust symbols.

    Args:
        corner: Its number, from 0.
        token: What lies there.
        adjust: Sum of the car's adjust symbols this turn.
    """
    parts = [Part("printed limit", track.corners[corner].limit)]
    if token is not None and _LIMIT_CHANGE[token]:
        parts.append(Part("road token", _LIMIT_CHANGE[token]))
    if adjust:
        parts.append(Part("adjust", adjust))
    return tuple(parts)


def limit_at(track: Track, roads: Sequence[RoadName | None], corner: int) -> int:
    """Give a corner's limit with its road token, without any car's adjust symbols."""
    return max(0, total(corner_limit(track, corner, corner_token(track, roads, corner), 0)))


@lru_cache(maxsize=64)
def corner_limits(track: Track, roads: tuple[RoadName | None, ...]) -> tuple[int, ...]:
    """Give the limit of each corner by number: in a race they change only when its road tokens turn up."""
    return tuple([limit_at(track, roads, corner) for corner in range(len(track.corners))])


def settle_corners(
    track: Track,
    lines: Sequence[int],
    *,
    speed: int,
    engine: int,
    gear: int,
    roads: Sequence[RoadName | None] = (),
    adjust: int = 0,
) -> Settlement:
    """Check the corner lines crossed this turn, up to one that spins the car out.

    Args:
        lines: In driving order, as progress of the space before each.
        engine: Heat in the engine.
        gear: Of this turn, in [1, 5).
        roads: The road token of each corner, by number from 0; empty where there are none.
        adjust: Sum of the adjust symbols this turn.
    """
    bills = []
    for line in lines:
        corner = track.corner_at(line)
        token = corner_token(track, roads, corner)
        limit_parts = corner_limit(track, corner, token, adjust)
        limit = max(0, total(limit_parts))
        owed_parts: tuple[Part, ...] = ()
        if speed > limit:
            owed_parts = (Part("over the limit", speed - limit),)
            if token == "overheat":
                owed_parts += (Part("overheat", OVERHEAT),)
        owed = total(owed_parts)
        paid = min(owed, engine)
        engine -= paid
        bills.append(CornerBill(line, corner, limit, limit_parts, owed, owed_parts, paid))
        if paid < owed:
            return Settlement(tuple(bills), engine, line, stress_of_spin_out(gear))
    return Settlement(tuple(bills), engine, None, 0)


def stress_of_spin_out(gear: int) -> int:
    """Give the Stress cards of a spin-out in a gear in [1, 5) (TURN-15)."""
    return 1 if gear <= 2 else 2
