"""Circuit files that players of the online version share, made into track files.

There each cell (one spot of one space) has a place in a picture; here a track has spaces, sides and an
outline in a box of its own. `heat_core.track_files.online_parts` reads what is needed into numbers
and finds every fault, this module places it on a track. What has no counterpart is
named, and so is what had to be assumed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from math import ceil, hypot
from typing import Any, Final, NamedTuple

from heat_core.names import BadName, clean_name
from heat_core.shapes import shown_value
from heat_core.track_facts import MOST_DOWN, MOST_RIGHT, Side, TrackFacts
from heat_core.track_files.file import BadTrack, parse_track
from heat_core.track_files.online_parts import Cell, Circuit, OnlineCorner, read_circuit

_MARGIN: Final = 8
"""Between the outline and its box, in the box's units."""

_MOST_POINTS: Final = 100
_LEAST_STEP: Final = 1.5
_MOST_PLACES: Final = 16
_SPACES_OF_A_START: Final = 4


class Imported(NamedTuple):
    """What became of a circuit file.

    Attributes:
        text: A track file, which can be raced on.
        notes: What has no counterpart and what was assumed, a sentence each.
    """

    text: str
    facts: TrackFacts
    notes: list[str]


def import_circuit(data: bytes, taken: Collection[str]) -> Imported:
    """Make a track file of a circuit file of the online version.

    Args:
        taken: Identifiers that the new track must not have.

    Raises:
        BadTrack: It is no such file, or no track that can be raced on; everything that is wrong is named.
    """
    circuit = read_circuit(data)
    notes = list(circuit.notes)
    name, identifier = _names(circuit, taken, notes)
    road = _Road(circuit.spaces)
    corners = [_corner(road, circuit.corners, number, notes) for number in range(len(circuit.corners))]
    values: dict[str, Any] = {
        "format": 1,
        "id": identifier,
        "name": name,
        "country": "",
        "set": "own",
        "laps": circuit.laps,
        "spaces": len(circuit.spaces),
        "stress": circuit.stress,
        "heat": circuit.heat,
        "corners": corners,
        "grid": _grid(road, circuit, corners, notes),
        "narrow": _ranges(space for space, cells in enumerate(circuit.spaces, start=1) if len(cells) == 1),
        "flooded": _ranges(circuit.flooded),
        "tunnel": _ranges(circuit.tunnel),
        "outline": _outline(road.middles),
    }
    text = _track_text({key: value for key, value in values.items() if value != []})
    try:
        return Imported(text, parse_track(text.encode()), notes)
    except BadTrack as error:
        raise BadTrack([f"as a track: {fault}" for fault in error.faults]) from None


def _names(circuit: Circuit, taken: Collection[str], notes: list[str]) -> tuple[str, str]:
    """Make name and identifier fit the rules for them."""
    try:
        name = clean_name(" ".join(circuit.name.split())[:40], 40)
    except BadName:
        name = "Own circuit"
    if name != circuit.name:
        notes.append(f"name: {shown_value(circuit.name)} became {shown_value(name)}")
    letters = (
        unicodedata.normalize("NFKD", circuit.identifier or name).encode("ascii", "ignore").decode().lower()
    )
    identifier = re.sub(r"[^a-z0-9]+", "-", letters)[:32].strip("-") or "own-circuit"
    if identifier in taken:
        identifier = f"{identifier[:28]}-own"
    if identifier != circuit.identifier:
        notes.append(f"id: {shown_value(circuit.identifier)} became {shown_value(identifier)}")
    return name, identifier


class _Road:
    """The cells in driving order, and on which side of the road each lies."""

    def __init__(self, spaces: Sequence[Sequence[Cell]]) -> None:
        self.spaces = spaces
        self.middles = [
            (sum(cell.x for cell in cells) / len(cells), sum(cell.y for cell in cells) / len(cells))
            for cells in spaces
        ]

    def side_of(self, cell: Cell) -> Side:
        """Tell the side in driving direction; y points down in the picture."""
        (x1, y1), (x2, y2) = self.middles[cell.space - 2], self.middles[cell.space % len(self.middles)]
        x, y = self.middles[cell.space - 1]
        return "left" if (x2 - x1) * (cell.y - y) - (y2 - y1) * (cell.x - x) < 0 else "right"

    def side_of_lane(self, lane: int, first: int, last: int) -> Side | None:
        """Tell on which side a lane lies on the first wide space of a stretch, over the finish line too.

        Args:
            last: Itself included; None is given where all are narrow.
        """
        count = len(self.spaces)
        for number in range(first, last + 1):
            cells = self.spaces[(number - 1) % count]
            if len(cells) == 2:
                return next(self.side_of(cell) for cell in cells if cell.lane == lane)
        return None


def _corner(road: _Road, corners: Sequence[OnlineCorner], number: int, notes: list[str]) -> dict[str, Any]:
    corner = corners[number]
    following = corners[(number + 1) % len(corners)].space
    last = following if following > corner.space else following + len(road.spaces)
    side = road.side_of_lane(corner.lane, corner.space + 1, last)
    if side is None:
        notes.append(f"corner {number + 1}: the road after it is narrow, so its race line is set to left")
    values: dict[str, Any] = {
        "after_space": corner.space,
        "limit": corner.speed,
        "legends_line_after_space": corner.legend,
        "race_line_from_here": side or "left",
    }
    return values | ({"chicane_with_corner": number} if corner.ends_chicane else {})


def _grid(
    road: _Road, circuit: Circuit, corners: Sequence[dict[str, Any]], notes: list[str]
) -> list[tuple[int, Side]]:
    race_side: Side = corners[-1]["race_line_from_here"]
    if circuit.starting:
        if len(circuit.starting) > _MOST_PLACES:
            notes.append(
                f"startingCells: only the first {_MOST_PLACES} of {len(circuit.starting)} are places"
            )
        return [
            (cell.space, road.side_of(cell) if len(road.spaces[cell.space - 1]) == 2 else race_side)
            for cell in circuit.starting[:_MOST_PLACES]
        ]
    notes.append("startingCells is missing: the grid is set to the last four spaces, race line first")
    other: Side = "left" if race_side == "right" else "right"
    last = range(len(road.spaces), max(len(road.spaces) - _SPACES_OF_A_START, 0), -1)
    return [(space, side) for space in last for side in (race_side, other)[: len(road.spaces[space - 1])]]


def _ranges(spaces: Iterable[int]) -> list[list[int]]:
    """Put neighbouring spaces together: first and last of each range."""
    ranges: list[list[int]] = []
    for space in sorted(set(spaces)):
        if ranges and ranges[-1][1] == space - 1:
            ranges[-1][1] = space
        else:
            ranges.append([space, space])
    return ranges


def _outline(middles: Sequence[tuple[float, float]]) -> list[list[float]]:
    """Scale the middle of the road into the box, and leave out points that lie too near one another."""
    left, top = (min(place[part] for place in middles) for part in (0, 1))
    width, height = (max(place[part] for place in middles) - least for part, least in ((0, left), (1, top)))
    scale = min((MOST_RIGHT - 2 * _MARGIN) / (width or 1), (MOST_DOWN - 2 * _MARGIN) / (height or 1))
    right, down = (MOST_RIGHT - width * scale) / 2, (MOST_DOWN - height * scale) / 2
    points: list[list[float]] = []
    for number in range(0, len(middles), ceil(len(middles) / _MOST_POINTS)):
        x, y = middles[number]
        point = [number + 1, round(right + (x - left) * scale, 1), round(down + (y - top) * scale, 1)]
        if all(
            hypot(point[1] - near[1], point[2] - near[2]) >= _LEAST_STEP
            for near in [*points[-1:], *points[:1]]
        ):
            points.append(point)
    return points


def _track_text(values: dict[str, Any]) -> str:
    """Write a track file as people write it: a key a line, a corner a line."""
    lines = []
    for key, value in values.items():
        text = json.dumps(value, ensure_ascii=False)
        if key == "corners":
            inside = ",\n".join(f"    {json.dumps(corner)}" for corner in value)
            text = f"[\n{inside}\n  ]"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
