"""The shape of a circuit: a closed smooth curve, and where every space and spot lies on it.

A *place* is a real number along the lap: space k reaches from place k - 0.5 to k + 0.5, so a line behind
space k lies at place k + 0.5. Coordinates grow to the right and downwards; a unit is what the caller
decides. Nothing in here knows of cells, colours or terminals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice, pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from heat_core.track import Track

ControlPoint: TypeAlias = tuple[int, float, float]
"""Space, x, y of a point in the middle of the road."""

_LEAST_PARTS: Final = 4
_MOST_PARTS: Final = 400


class RoadPoint(NamedTuple):
    """A point in the middle of the road.

    Attributes:
        x: Units to the right.
        y: Units downwards.
        heading_x: Driving direction, of length 1.
        heading_y: Driving direction, of length 1.
        place: Where on the lap, in [first, first + spaces) of the outline's first space.
    """

    x: float
    y: float
    heading_x: float
    heading_y: float
    place: float

    def beside(self, left: float) -> tuple[float, float]:
        """Give the point so many units to the left in driving direction (negative: to the right)."""
        return self.x + self.heading_y * left, self.y - self.heading_x * left


class Centreline:
    """The middle of the road all the way round.

    Attributes:
        points: The curve in driving order, closed (the last one leads to the first).
        spaces: How many spaces a lap has.
        length: Units around the whole lap.
        space_length: Units of an average space.
    """

    def __init__(self, outline: Sequence[ControlPoint], spaces: int, spacing: float) -> None:
        """Lay a closed Catmull-Rom curve through the control points.

        Each space comes to lie where its number is in the outline; between two control points the spaces
        are spread evenly over the length of the curve.

        Args:
            outline: At least 4 control points in the order of their spaces.
            spaces: Spaces of a lap.
            spacing: About how many units apart the points shall be.
        """
        self.spaces = spaces
        points: list[RoadPoint] = []
        length = 0.0
        count = len(outline)
        for number in range(count):
            around = [outline[(number + shift) % count] for shift in (-1, 0, 1, 2)]
            gap = (around[2][0] - around[1][0]) % spaces or spaces
            part, part_length = _part(around, gap, spacing)
            points += part
            length += part_length
        self.points = tuple(points)
        self.length = length
        self.space_length = length / spaces
        self._places = [point.place for point in points]

    def at(self, place: float) -> RoadPoint:
        """Give the point at a place; any real number is taken round the lap."""
        first = self._places[0]
        place = first + (place - first) % self.spaces
        number = bisect_right(self._places, place) - 1
        here = self.points[number]
        following = self.points[(number + 1) % len(self.points)]
        gap = (following.place - here.place) % self.spaces or 1.0
        share = (place - here.place) / gap
        heading_x = here.heading_x + (following.heading_x - here.heading_x) * share
        heading_y = here.heading_y + (following.heading_y - here.heading_y) * share
        norm = hypot(heading_x, heading_y) or 1.0
        return RoadPoint(
            here.x + (following.x - here.x) * share,
            here.y + (following.y - here.y) * share,
            heading_x / norm,
            heading_y / norm,
            place,
        )

    def spot_point(self, track: Track, space: int, spot: int, left_of_middle: float) -> RoadPoint:
        """Give the middle of a spot.

        Args:
            track: The circuit, which knows the sides.
            space: In [1, spaces].
            spot: 0 for the race line, 1 for the other one.
            left_of_middle: How far a spot's middle is from the road's middle; one-spot spaces use the middle.
        """
        middle = self.at(space)
        x, y = middle.beside(self.left_of_spot(track, space, spot, left_of_middle))
        return middle._replace(x=x, y=y)

    @staticmethod
    def left_of_spot(track: Track, space: int, spot: int, left_of_middle: float) -> float:
        """Give how far to the left of the road's middle a spot is; see `spot_point`."""
        if track.spots[space] == 1:
            return 0.0
        return left_of_middle if track.side_of(space, spot) == "left" else -left_of_middle

    def crossings(self) -> tuple[tuple[float, float], ...]:
        """Find where the road meets itself: pairs of places (earlier, later) of the lap."""
        nodes = [self.at(1 + half / 2) for half in range(2 * self.spaces)]
        count = len(nodes)
        # A sweep from left to right: only pieces that share a column and a row can cut each other.
        pieces = sorted(
            (min(a.x, b.x), max(a.x, b.x), min(a.y, b.y), max(a.y, b.y), number)
            for number, (a, b) in enumerate(pairwise([*nodes, nodes[0]]))
        )
        found = []
        for position, (_, right, top, bottom, one) in enumerate(pieces):
            for left, _, other_top, other_bottom, other in islice(pieces, position + 1, None):
                if left > right:
                    break
                if other_top > bottom or other_bottom < top or not 4 <= abs(one - other) <= count - 4:
                    continue
                first, second = min(one, other), max(one, other)
                ends = (nodes[first], nodes[first + 1], nodes[second], nodes[(second + 1) % count])
                shares = _meeting(*ends)
                if shares is not None:
                    found.append((1 + (first + shares[0]) / 2, 1 + (second + shares[1]) / 2))
        return tuple(sorted(found))


def _part(around: Sequence[ControlPoint], gap: int, spacing: float) -> tuple[list[RoadPoint], float]:
    """Trace the curve between the middle two of four control points, the second one left out."""
    (_, x0, y0), (space, x1, y1), (_, x2, y2), (_, x3, y3) = around
    chord = hypot(x2 - x1, y2 - y1)
    parts = min(max(ceil(1.1 * chord / spacing), _LEAST_PARTS), _MOST_PARTS)
    traced = []
    for number in range(parts + 1):
        u = number / parts
        traced.append(
            (
                _catmull_rom(x0, x1, x2, x3, u),
                _catmull_rom(y0, y1, y2, y3, u),
                _catmull_rom_slope(x0, x1, x2, x3, u),
                _catmull_rom_slope(y0, y1, y2, y3, u),
            )
        )
    walked = [0.0]
    for here, following in pairwise(traced):
        walked.append(walked[-1] + hypot(following[0] - here[0], following[1] - here[1]))
    length = walked[-1] or 1.0
    points = []
    for (x, y, slope_x, slope_y), way in zip(traced[:-1], walked, strict=False):
        norm = hypot(slope_x, slope_y) or 1.0
        points.append(RoadPoint(x, y, slope_x / norm, slope_y / norm, space + gap * way / length))
    return points, walked[-1]


def _catmull_rom(p0: float, p1: float, p2: float, p3: float, u: float) -> float:
    return 0.5 * (
        2 * p1
        + (p2 - p0) * u
        + (2 * p0 - 5 * p1 + 4 * p2 - p3) * u * u
        + (3 * p1 - p0 - 3 * p2 + p3) * u * u * u
    )


def _catmull_rom_slope(p0: float, p1: float, p2: float, p3: float, u: float) -> float:
    return 0.5 * (
        (p2 - p0) + 2 * (2 * p0 - 5 * p1 + 4 * p2 - p3) * u + 3 * (3 * p1 - p0 - 3 * p2 + p3) * u * u
    )


def _meeting(a: RoadPoint, b: RoadPoint, c: RoadPoint, d: RoadPoint) -> tuple[float, float] | None:
    """Give the shares of a-b and c-d at which they cut each other, None when they do not."""
    along_x, along_y = b.x - a.x, b.y - a.y
    other_x, other_y = d.x - c.x, d.y - c.y
    area = along_x * other_y - along_y * other_x
    if abs(area) < 1e-9:
        return None
    first = ((c.x - a.x) * other_y - (c.y - a.y) * other_x) / area
    second = ((c.x - a.x) * along_y - (c.y - a.y) * along_x) / area
    if 0 <= first < 1 and 0 <= second < 1:
        return first, second
    return None
