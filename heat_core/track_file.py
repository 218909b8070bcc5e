"""Reading track files: what may stand in one, and everything that can be wrong with it (TRACK-11)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import hypot
from typing import Final, TypeAlias

import msgspec

from heat_core.shapes import shape_faults
from heat_core.track import Side, TrackFacts

MAX_TRACK_BYTES: Final = 64 * 1024

_LEAST_STEP: Final = 1.0
"""Between two neighbouring points of an outline, in the units of its box."""

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
    try:
        values = msgspec.json.decode(data.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadTrack([f"no JSON: {error}"]) from None
    if not isinstance(values, dict):
        raise BadTrack(["the file must hold one JSON object"])
    if faults := shape_faults(values, TrackFacts, "a track file"):
        raise BadTrack(faults)
    facts = msgspec.convert(values, TrackFacts)
    if faults := track_problems(facts):
        raise BadTrack(faults)
    return facts


def track_problems(facts: TrackFacts) -> list[str]:
    """List everything that does not fit together in facts whose single values are in range."""
    problems = [
        f"{key}: has characters that do not show"
        for key in ("name", "country", "set")
        if not getattr(facts, key).isprintable()
    ]
    problems += _corner_problems(facts)
    for key in ("narrow", "flooded", "tunnel"):
        problems += [f"{key}: {fault}" for fault in _range_problems(getattr(facts, key), facts.spaces)]
    problems += _grid_problems(facts)
    if any(number > len(facts.corners) for number in facts.press_corners):
        problems.append("press_corners: names a corner that the track does not have")
    return problems + _outline_problems(facts)


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
    found = 0
    for (number, first), (other, second) in combinations(enumerate(lines), 2):
        if 1 < other - number < len(lines) - 1 and _cut(first, second):
            found += 1
            if found > _MOST_CROSSINGS:
                return True
    return False


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
    most = _LEAST_STEP * hypot(x1 - x0, y1 - y0)
    return all(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < most for _, x, y in points)
