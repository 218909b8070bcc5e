"""Reading track files: what may stand in one, and everything that can be wrong with it (TRACK-11)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from math import hypot
from typing import Final, TypeAlias

import msgspec

from heat_core.names import BadName, clean_name
from heat_core.shapes import shape_faults, shown
from heat_core.track import Side, TrackFacts

MAX_TRACK_BYTES: Final = 64 * 1024
MOST_NAME_CELLS: Final = 40

_MOST_FAULTS: Final = 50

_LEAST_STEP: Final = 1.0
"""Between two neighbouring points of an outline, in the units of its box."""

_LEAST_BULGE: Final = 0.1
"""How far a small circuit lies beside its longest straight at least, as a share of that."""

_MOST_CROSSINGS: Final = 8
"""Bridges of one circuit; no circuit of the world has more than one, and more cannot be told apart."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class BadTrack(ValueError):
    """A track that cannot be raced on.

    Attributes:
        faults: Everything that is wrong, each with its place and reason.
    """

    def __init__(self, faults: list[str]) -> None:
        """Name at least one fault."""
        super().__init__("; ".join(faults))
        self.faults = faults


def parse_track(data: bytes) -> TrackFacts:
    """Read a track file.

    Args:
        data: The JSON text; a byte-order mark in front is passed over.

    Raises:
        BadTrack: It is no JSON, keys are missing, unknown or out of range, or the parts do not fit together.
    """
    if len(data) > MAX_TRACK_BYTES:
        raise BadTrack([f"a track file has at most {MAX_TRACK_BYTES} bytes"])
    data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        values = msgspec.json.decode(data)
        json.loads(data, object_pairs_hook=_refuse_doubles)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadTrack([f"no JSON: {error}"]) from None
    if not isinstance(values, dict):
        raise BadTrack(["the file must hold one JSON object"])
    if faults := list(islice(shape_faults(values, TrackFacts, "a track file"), _MOST_FAULTS + 1)):
        raise BadTrack(faults if len(faults) <= _MOST_FAULTS else [*faults[:_MOST_FAULTS], "and more"])
    facts = msgspec.convert(values, TrackFacts)
    if faults := track_problems(facts):
        raise BadTrack(faults)
    return facts


def _refuse_doubles(pairs: list[tuple[str, object]]) -> None:
    """Refuse a key that stands twice: one would hold, and nobody sees which.

    Raises:
        BadTrack: One does.
    """
    count = Counter(key for key, _ in pairs)
    if doubles := [key for key, times in count.items() if times > 1]:
        raise BadTrack([f"{shown(key)}: stands more than once" for key in doubles[:_MOST_FAULTS]])


def track_problems(facts: TrackFacts) -> list[str]:
    """List everything that does not fit together in facts whose single values are in range."""
    problems = [
        f"{key}: {fault}" for key in ("name", "country", "set") if (fault := _text_fault(getattr(facts, key)))
    ]
    problems += _corner_problems(facts)
    for key in ("narrow", "flooded", "tunnel"):
        problems += [f"{key}: {fault}" for fault in _range_problems(getattr(facts, key), facts.spaces)]
    problems += _grid_problems(facts)
    if any(number > len(facts.corners) for number in facts.press_corners):
        problems.append("press_corners: names a corner that the track does not have")
    return problems + _outline_problems(facts)


def _text_fault(text: str) -> str | None:
    """Say what is wrong with a name, by the one rule for names; a country or set may be left empty."""
    try:
        name = clean_name(text, MOST_NAME_CELLS)
    except BadName as error:
        return str(error) if text else None
    return None if name == text else f"write it as {name!r}"


def _corner_problems(facts: TrackFacts) -> list[str]:
    problems = []
    lines = [corner.after_space for corner in facts.corners]
    for number, corner in enumerate(facts.corners, start=1):
        for key in ("after_space", "legends_line_after_space"):
            if getattr(corner, key) > facts.spaces:
                problems.append(f"corner {number}: {key} {getattr(corner, key)} is past space {facts.spaces}")
        if corner.legends_line_after_space == corner.after_space:
            problems.append(
                f"corner {number}: its Legends line lies on its corner line, where a Legend would stop"
            )
        if corner.chicane_with_corner and corner.chicane_with_corner != number - 1:
            problems.append(f"corner {number}: chicane_with_corner must name the corner before it")
        elif corner.chicane_with_corner and facts.corners[number - 2].chicane_with_corner:
            problems.append(
                f"corner {number}: corner {number - 1} ends a chicane already, and a chicane has two lines"
            )
    if lines != sorted(set(lines)):
        problems.append(f"corners: their lines must lie in driving order, each once, not {lines}")
    return problems


def _grid_problems(facts: TrackFacts) -> list[str]:
    problems = []
    narrow = {space for first, last in facts.narrow for space in range(first, last + 1)}
    seen: set[tuple[int, Side]] = set()
    for place, (space, side) in enumerate(facts.grid, start=1):
        taken = any(other == space for other, _ in seen) if space in narrow else (space, side) in seen
        if space > facts.spaces:
            problems.append(f"grid place {place}: space {space} is past space {facts.spaces}")
        elif place > 1 and space > facts.grid[place - 2][0]:
            problems.append(
                f"grid place {place}: space {space} lies in front of place {place - 1}; pole stands first"
            )
        if taken:
            problems.append(f"grid place {place}: its spot in space {space} is taken already")
        seen.add((space, side))
    return problems


def _range_problems(ranges: tuple[tuple[int, int], ...], spaces: int) -> list[str]:
    problems = []
    behind = 0
    for first, last in ranges:
        if not behind < first <= last <= spaces:
            problems.append(f"[{first}, {last}] must lie in order within 1 to {spaces}, without overlap")
        behind = last
    return problems


def _outline_problems(facts: TrackFacts) -> list[str]:
    points = facts.outline
    if len(points) < 4:
        return ["outline: at least 4 points are needed to draw the circuit"]
    spaces = [space for space, _, _ in points]
    if spaces != sorted(set(spaces)) or spaces[-1] > facts.spaces:
        return [f"outline: points must stand in order of their spaces, within 1 to {facts.spaces}"]
    steps = [hypot(x2 - x1, y2 - y1) for (_, x1, y1), (_, x2, y2) in pairwise([*points, points[0]])]
    if min(steps) < _LEAST_STEP:
        number = steps.index(min(steps)) + 1
        return [f"outline: point {number} lies where the next one does; they must be {_LEAST_STEP} apart"]
    if _lie_in_one_line(points):
        return ["outline: its points lie in one line, so it encloses nothing"]
    if steps[-1] > 2 * sorted(steps)[len(steps) // 2]:
        return ["outline: there is a gap between the last point and the first"]
    if _has_too_many_crossings(points):
        return [f"outline: it crosses itself more than {_MOST_CROSSINGS} times"]
    return []


def _has_too_many_crossings(points: Sequence[tuple[int, float, float]]) -> bool:
    """Count where the straight lines between the points cut one another, no further than need be."""
    lines = [((x1, y1), (x2, y2)) for (_, x1, y1), (_, x2, y2) in pairwise([*points, points[0]])]
    # A sweep from left to right: only lines that share a column and a row can cut each other.
    swept = sorted(
        (min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2), number)
        for number, ((x1, y1), (x2, y2)) in enumerate(lines)
    )
    found = 0
    for place, (_, right, top, bottom, one) in enumerate(swept):
        for left, _, other_top, other_bottom, other in islice(swept, place + 1, None):
            if left > right or found > _MOST_CROSSINGS:
                break
            if other_top <= bottom and other_bottom >= top and 1 < abs(one - other) < len(lines) - 1:
                found += _cut(lines[one], lines[other])
    return found > _MOST_CROSSINGS


_Point: TypeAlias = tuple[float, float]


def _cut(first: tuple[_Point, _Point], second: tuple[_Point, _Point]) -> bool:
    """Tell whether two lines between points cut each other; lines that lie in one do not."""
    return _are_parted(second, first) and _are_parted(first, second)


def _are_parted(points: tuple[_Point, _Point], line: tuple[_Point, _Point]) -> bool:
    """Tell whether two points lie on different sides of a line; on it counts as the one side."""
    (x1, y1), (x2, y2) = line
    one, other = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in points)
    return (one > 0) != (other > 0)


def _lie_in_one_line(points: tuple[tuple[int, float, float], ...]) -> bool:
    _, x0, y0 = points[0]
    _, x1, y1 = max(points, key=lambda point: hypot(point[1] - x0, point[2] - y0))
    length = hypot(x1 - x0, y1 - y0)
    most = min(_LEAST_STEP, length * _LEAST_BULGE) * length
    return all(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < most for _, x, y in points)
