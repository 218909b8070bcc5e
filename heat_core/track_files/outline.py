"""Whether the outline of a circuit can be drawn: closed, without a gap, with few bridges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from math import hypot
from typing import Final, TypeAlias

_LEAST_STEP: Final = 1.0
"""Between two neighbouring points of an outline, in the units of its box."""

_LEAST_BULGE: Final = 0.1
"""How far a small circuit lies beside its longest straight at least, as a share of that."""

_MOST_CROSSINGS: Final = 8
"""Bridges of one circuit; no circuit of the world has more than one, and more could not be drawn clearly."""

_Point: TypeAlias = tuple[float, float]


def outline_problems(points: Sequence[tuple[int, float, float]], spaces: int) -> list[str]:
    """Say what is wrong with the points of an outline, (space, x, y) each; nothing where it can be drawn."""
    if len(points) < 4:
        return ["outline: at least 4 points are needed to draw the circuit"]
    of_points = [space for space, _, _ in points]
    if of_points != sorted(set(of_points)) or of_points[-1] > spaces:
        return [f"outline: points must be in the order of their spaces, within 1 to {spaces}"]
    steps = [hypot(x2 - x1, y2 - y1) for (_, x1, y1), (_, x2, y2) in pairwise([*points, points[0]])]
    if min(steps) < _LEAST_STEP:
        number = steps.index(min(steps)) + 1
        return [f"outline: point {number} is where the next one is; points must be {_LEAST_STEP} apart"]
    if _lie_in_one_line(points):
        return ["outline: its points are all on one line"]
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


def _cut(first: tuple[_Point, _Point], second: tuple[_Point, _Point]) -> bool:
    """Tell whether two lines between points cut each other; lines that lie in one do not."""
    return _are_parted(second, first) and _are_parted(first, second)


def _are_parted(points: tuple[_Point, _Point], line: tuple[_Point, _Point]) -> bool:
    """Tell whether two points lie on different sides of a line; on it counts as the one side."""
    (x1, y1), (x2, y2) = line
    one, other = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in points)
    return (one > 0) != (other > 0)


def _lie_in_one_line(points: Sequence[tuple[int, float, float]]) -> bool:
    _, x0, y0 = points[0]
    _, x1, y1 = max(points, key=lambda point: hypot(point[1] - x0, point[2] - y0))
    length = hypot(x1 - x0, y1 - y0)
    most = min(_LEAST_STEP, length * _LEAST_BULGE) * length
    return all(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < most for _, x, y in points)
