"""What the map is given to show; plain values without the widget."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

MapStyle: TypeAlias = Literal["smooth", "half", "ascii"]
"""How the map is drawn: blocks down to an eighth of a cell, half cells only, or plain ASCII."""
HighlightName: TypeAlias = Literal["target", "costs", "danger", "maybe", "slipstream", "boost", "skid"]
"""What a marked space means; a choice ends on one of the first three: free, for Heat, in a spin-out."""

RoadState: TypeAlias = Literal["free", "heat", "spin_out", "target", "slipstream"]
"""What it means to stop on a space: nothing to pay, Heat to pay, a spin-out; where the choice made so far
ends; where a slipstream can end."""
CornerState: TypeAlias = Literal["free", "heat", "spin_out"]
"""What crossing a corner costs."""


class CornerMark(NamedTuple):
    """What crossing a corner means for the choice made so far.

    Attributes:
        state: Whether it is free, costs Heat or ends in a spin-out.
        heat: Heat to pay, shown as ▲n.
        bill: A few words beside the plate, such as "6 - 3 = 3 Heat"; empty: none.
    """

    state: CornerState
    heat: int = 0
    bill: str = ""


class RoadMarks(NamedTuple):
    """The road painted with what a choice leads to.

    Attributes:
        spaces: By space (from 1): what stopping there means.
        corners: By number (from 0) of the corner: what crossing it means.
    """

    spaces: Mapping[int, RoadState] = MappingProxyType({})
    corners: Mapping[int, CornerMark] = MappingProxyType({})


BARE_ROAD: Final = RoadMarks()
"""Nothing is painted."""


class Skid(NamedTuple):
    """The marks that a spin-out left.

    Attributes:
        start: Progress of where the car spun out.
        end: Where it came to stand, farther back.
        spot: The line that it slid along.
    """

    start: int
    end: int
    spot: int


class Way(NamedTuple):
    """How a car drives from where it is to another place.

    Attributes:
        progress: Where it drives to, forwards or back.
        spot: The same.
        share: How much of the way lies behind it, in [0.0, 1.0].
        turn: By how much it is turned out of the road's direction, in whole turns.
    """

    progress: int
    spot: int
    share: float
    turn: float = 0.0


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
        is_ghost: It is only an outline: a car of another race, which nothing else minds.
        way: From where it is to where it drives; None: it stands.
    """

    number: int
    letter: str
    colour: str
    progress: int
    spot: int
    is_active: bool
    is_own: bool
    is_ghost: bool = False
    way: Way | None = None
