"""What a circuit file of the online version says, as numbers; digits in quotes count as a number, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from heat_core.shapes import shown_key, shown_value
from heat_core.text import listed
from heat_core.track_files.file import BadTrack, read_json_object

MOST_SPACES: Final = 400
_MOST_NAMED: Final = 30
_MOST_PIXELS: Final = 1_000_000

_NUMBER: Final = re.compile(r"\s*[+-]?\d{1,9}(?:\.\d{1,9})?\s*")

_KNOWN: Final = {"id", "name", "nbrLaps", "stressCards", "heatCards", "cells", "corners", "startingCells"}
_OF_CORNERS: Final = {"position", "speed", "legend", "lane", "chicane"}
_FLOODED: Final = ("floodedSpaces", "flooded")
_TUNNEL: Final = ("tunnelsSpaces", "tunnels")
_GRAVEL: Final = ("gravelSpaces", "gravel")


class Cell(NamedTuple):
    """One spot: its lane, 1 or 2, its space from 1, its place in the picture in pixels (y down)."""

    lane: int
    space: int
    x: float
    y: float


class OnlineCorner(NamedTuple):
    """A corner.

    Attributes:
        space: Behind which its line lies.
        speed: Its limit.
        legend: Behind which space its Legends line lies.
        lane: That of the race line from here on.
        ends_chicane: Whether it and the corner before it are a chicane.
    """

    space: int
    speed: int
    legend: int
    lane: int
    ends_chicane: bool


class Circuit(NamedTuple):
    """A whole file.

    Attributes:
        spaces: The cells of each space, from space 1 on: one or two.
        corners: In driving order.
        starting: The cells of the grid, pole first; empty where the file does not say.
        flooded: Spaces; `tunnel` too.
        notes: What of it has no counterpart.
    """

    identifier: str
    name: str
    laps: int
    stress: int
    heat: int
    spaces: list[list[Cell]]
    corners: list[OnlineCorner]
    starting: list[Cell]
    flooded: set[int]
    tunnel: set[int]
    notes: list[str]


def read_circuit(data: bytes) -> Circuit:
    """Read a circuit file.

    Raises:
        BadTrack: It is none, or lacks what makes a track; everything that is wrong is named at once.
    """
    values = read_json_object(data, "a circuit file")
    if not isinstance(values.get("cells"), dict) or not isinstance(values.get("corners"), list):
        raise BadTrack(["this is not a circuit file of the online version: cells and corners are missing"])
    reader = _Reader(values)
    cells = reader.cells(values["cells"])
    spaces = reader.spaces(cells)
    corners = reader.corners(values["corners"])
    laps, stress, heat = (
        reader.whole(key, values.get(key)) for key in ("nbrLaps", "stressCards", "heatCards")
    )
    starting = reader.listed(("startingCells",), cells)
    flooded, tunnel = ({cell.space for cell in reader.listed(keys, cells)} for keys in (_FLOODED, _TUNNEL))
    if reader.faults:
        raise BadTrack(reader.faults)
    identifier, name = (value if isinstance(value := values.get(key), str) else "" for key in ("id", "name"))
    notes = list(_without_counterpart(values))
    return Circuit(
        identifier, name or identifier, laps, stress, heat, spaces, corners, starting, flooded, tunnel, notes
    )


class _Reader:
    """Reads part after part, and notes every fault; what is wrong becomes 0 and goes no further."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.faults: list[str] = []

    def number(self, place: str, value: object) -> float:
        if isinstance(value, str) and _NUMBER.fullmatch(value):
            value = float(value)
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _MOST_PIXELS:
            self.faults.append(f"{place} must be a number, not {shown_value(value)}")
            return 0
        return value

    def whole(self, place: str, value: object) -> int:
        number = self.number(place, value)
        if number != int(number):
            self.faults.append(f"{place} must be a whole number, not {shown_value(value)}")
        return int(number)

    def cells(self, values: Mapping[str, Any]) -> dict[int, Cell]:
        cells = {}
        for key, value in values.items():
            place = f"cell {shown_key(key)}"
            if not isinstance(value, dict):
                self.faults.append(f"{place} must be an object, not {shown_value(value)}")
                continue
            lane, space = (self.whole(f"{place}: {part}", value.get(part)) for part in ("lane", "position"))
            x, y = (self.number(f"{place}: {part}", value.get(part)) for part in ("x", "y"))
            cells[self.whole(place, key)] = Cell(lane, space, x, y)
        return cells

    def spaces(self, cells: Mapping[int, Cell]) -> list[list[Cell]]:
        """Put the cells of each space together; every space needs one, and each lane of it once."""
        count = max((cell.space for cell in cells.values()), default=0)
        if not 1 <= count <= MOST_SPACES:
            self.faults.append(
                f"cells: their positions must reach from 1 to {MOST_SPACES} at most, not {count}"
            )
            return []
        spaces: list[list[Cell]] = [[] for _ in range(count)]
        for number, cell in cells.items():
            if not 1 <= cell.space <= count or cell.lane not in (1, 2):
                self.faults.append(
                    f"cell {number}: position must be 1 or more, lane 1 or 2, not {cell.space}, {cell.lane}"
                )
            elif any(cell.lane == other.lane for other in spaces[cell.space - 1]):
                self.faults.append(
                    f"cell {number}: position {cell.space} has another cell of lane {cell.lane}"
                )
            else:
                spaces[cell.space - 1].append(cell)
        if empty := [str(number) for number, inside in enumerate(spaces, start=1) if not inside]:
            self.faults.append(f"cells: position {listed(empty[:_MOST_NAMED], 'and')} has none")
        return spaces

    def corners(self, values: list[Any]) -> list[OnlineCorner]:
        """Read the corners in driving order, whatever their order in the file."""
        read, partners = [], []
        for number, value in enumerate(values, start=1):
            place = f"corner {number}"
            if not isinstance(value, dict):
                self.faults.append(f"{place} must be an object, not {shown_value(value)}")
                continue
            space, speed, legend, lane = (
                self.whole(f"{place}: {part}", value.get(part))
                for part in ("position", "speed", "legend", "lane")
            )
            if lane not in (1, 2):
                self.faults.append(f"{place}: lane must be 1 or 2, not {shown_value(value.get('lane'))}")
            partner = value.get("chicane")
            partners.append(-1 if partner in (None, "") else self.whole(f"{place}: chicane", partner))
            read.append(OnlineCorner(space, speed, legend, lane, ends_chicane=False))
        if not values:
            self.faults.append("corners: a track needs at least one")
        order = sorted(range(len(read)), key=lambda number: read[number].space)
        pairs = {frozenset((number, partner)) for number, partner in enumerate(partners) if partner >= 0}
        in_order = [
            read[number]._replace(ends_chicane=place > 0 and frozenset((order[place - 1], number)) in pairs)
            for place, number in enumerate(order)
        ]
        found = sum(corner.ends_chicane for corner in in_order)
        if found < len(pairs):
            self.faults.append("corners: chicane must be the index, from 0, of the corner next to it")
        return in_order

    def listed(self, keys: Iterable[str], cells: Mapping[int, Cell]) -> list[Cell]:
        """Give the cells that a key lists by number; of several names for it the first that is there."""
        key = next((key for key in keys if self._values.get(key)), None)
        if key is None:
            return []
        numbers = self._values[key]
        if not isinstance(numbers, list):
            self.faults.append(f"{key} must be a list of cells, not {shown_value(numbers)}")
            return []
        found = []
        for value in numbers:
            number = self.whole(key, value)
            if number in cells:
                found.append(cells[number])
            else:
                self.faults.append(f"{key}: there is no cell {shown_value(value)}")
        return found


def _without_counterpart(values: Mapping[str, Any]) -> Iterable[str]:
    """Name what of a circuit file a track cannot say."""
    for key in _GRAVEL:
        if values.get(key):
            yield f"{key}: gravel is left out, no counterpart"
    known = {*_KNOWN, *_FLOODED, *_TUNNEL, *_GRAVEL}
    if others := [shown_key(key) for key in values if key not in known]:
        yield f"left out, no counterpart: {listed(others[:_MOST_NAMED], 'and')}"
    of_corners = dict.fromkeys(
        key for corner in values["corners"] for key in corner if key not in _OF_CORNERS
    )
    if drawing := [shown_key(key) for key in of_corners if key not in ("x", "y")]:
        yield f"of corners left out, no counterpart: {listed(drawing[:_MOST_NAMED], 'and')}"
