"""The facts of a track file, as they are in JSON, in records and on the wire."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

Side: TypeAlias = Literal["left", "right"]

_Space = Annotated[int, msgspec.Meta(ge=1, le=400)]
_Limit = Annotated[int, msgspec.Meta(ge=2, le=20)]
_Spaces = Annotated[int, msgspec.Meta(ge=0, le=20)]
MOST_RIGHT: Final = 150
MOST_DOWN: Final = 100
_Right = Annotated[float, msgspec.Meta(ge=0, le=MOST_RIGHT)]
_Down = Annotated[float, msgspec.Meta(ge=0, le=MOST_DOWN)]
Range: TypeAlias = tuple[_Space, _Space]


class Corner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A corner line and what belongs to it; units are spaces and speed.

    Attributes:
        after_space: The line lies between this space and the next.
        limit: The printed speed limit. Of 1, with a road token that takes 1 away, no car with an empty
            engine would ever get past.
        legends_line_after_space: Behind which space Legends begin to mind this corner.
        race_line_from_here: Side of the race line from this line to the next corner line.
        chevron_within: From how many spaces before the line a Legend with chevrons may cross one more line.
        double_chevron_within: The same for two more lines.
        chicane_with_corner: Number (from 1) of the corner that forms a chicane with this one, 0 for none.
    """

    after_space: _Space
    limit: _Limit
    legends_line_after_space: _Space
    race_line_from_here: Side
    chevron_within: _Spaces = 0
    double_chevron_within: _Spaces = 0
    chicane_with_corner: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0


OWN_SET: Final = "own"
"""Of the tracks that are none of the game's boards."""


class TrackFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A track file as it is in JSON (TRACK-1). Ranges of spaces include both ends.

    Attributes:
        outline: Control points of the middle of the road, (space, x, y) in a box 150 wide and 100 high, y
            down; a closed smooth curve through them is the circuit's shape.
        grid: Places at the start, pole first: (space, side).
    """

    format: Literal[1]
    id: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[a-z0-9-]{1,32}\Z", description="text of 1 to 32 small letters, digits and hyphens"
        ),
    ]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    country: Annotated[str, msgspec.Meta(max_length=40)]
    laps: Annotated[int, msgspec.Meta(ge=1, le=4)]
    spaces: Annotated[int, msgspec.Meta(ge=10, le=400)]
    stress: Annotated[int, msgspec.Meta(ge=0, le=20)]
    heat: Annotated[int, msgspec.Meta(ge=0, le=20)]
    corners: Annotated[tuple[Corner, ...], msgspec.Meta(min_length=1, max_length=60)]
    grid: Annotated[tuple[tuple[_Space, Side], ...], msgspec.Meta(min_length=2, max_length=16)]
    outline: Annotated[tuple[tuple[_Space, _Right, _Down], ...], msgspec.Meta(max_length=400)]
    set: Annotated[str, msgspec.Meta(max_length=40)] = OWN_SET
    narrow: Annotated[tuple[Range, ...], msgspec.Meta(max_length=60)] = ()
    flooded: Annotated[tuple[Range, ...], msgspec.Meta(max_length=60)] = ()
    tunnel: Annotated[tuple[Range, ...], msgspec.Meta(max_length=60)] = ()
    press_corners: Annotated[tuple[_Space, ...], msgspec.Meta(max_length=60)] = ()
