"""What the map is given to show; plain values without the widget."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

HighlightName: TypeAlias = Literal["target", "danger", "maybe", "slipstream", "boost", "skid"]
"""What a marked space means."""


class CarMark(NamedTuple):
    """A car as the map shows it.

    Attributes:
        number: The car's number in the race.
        letter: One character that distinguishes it without colour.
        colour: red, blue, yellow, green, black, grey, orange or purple.
        progress: Lap x spaces + space.
        spot: 0 race line, 1 other.
        is_active: It has the turn.
        is_own: It belongs to the player who looks.
    """

    number: int
    letter: str
    colour: str
    progress: int
    spot: int
    is_active: bool
    is_own: bool
