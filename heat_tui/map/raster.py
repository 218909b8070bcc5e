"""The road as pixels: which point of the lap each pixel belongs to, and what is painted there.

Every pixel belongs to the nearest point of the middle of the road, if that is near enough. Where the road
crosses itself, the later part of the lap is a bridge: its deck takes the pixels it covers whatever lies
nearer. What a kind of pixel looks like is not known here.

Only pixels of the road are held: a long circuit at close-up has a million of grass.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import ceil, floor, hypot, isqrt
from typing import Final, NamedTuple

from heat_core.track import Track, compile_track
from heat_core.track_facts import TrackFacts
from heat_tui.map.geometry import Centreline, RoadPoint
from heat_tui.map.layout import Layout

GRASS: Final = 0
GRASS_ALTERNATE: Final = 1
EDGE: Final = 2
KERB_RED: Final = 3
KERB_WHITE: Final = 4
CORNER_LINE: Final = 5
LEGENDS_LINE: Final = 6
CHEQUER_BLACK: Final = 7
CHEQUER_WHITE: Final = 8
GRID_MARK: Final = 9
PARAPET: Final = 10
TICK: Final = 11
TUNNEL_ROOF: Final = 12
GRAVEL: Final = 13
TREE: Final = 14
TREE_ALTERNATE: Final = 15
SURFACE: Final = 16
"""Surfaces are SURFACE + 6 x ground + 2 x sector tone + (space is odd); see `surface_kind`."""

CORNER_KINDS: Final = frozenset({CORNER_LINE, KERB_RED, KERB_WHITE})
"""What belongs to a corner."""
_KINDS: Final = 64

DRY: Final = 0
FLOODED: Final = 1
TUNNEL: Final = 2

_KERB_SPACES: Final = 2.2
_DECK_PIXELS: Final = 1.5
_GRASS_COLUMNS: Final = 8
_GRASS_PIXELS: Final = 8
_FAR_SPACES: Final = 6
_MARKED_PIXELS: Final = 3.4
_TICKED_PIXELS: Final = 7.0


def surface_kind(ground: int, tone: int, parity: int) -> int:
    """Number a road surface: ground DRY, FLOODED or TUNNEL, sector tone in [0, 3), parity of the space."""
    return SURFACE + 6 * ground + 2 * tone + parity


def mark(kind: int, owner: int = 0) -> int:
    """Number a kind together with what it belongs to.

    Args:
        kind: One of the numbers above.
        owner: The space (from 1) of a surface, the number + 1 of a corner for its line and kerbs, else 0.
    """
    return kind + _KINDS * owner


def kind_and_owner(number: int) -> tuple[int, int]:
    """Take a mark apart."""
    return number % _KINDS, number // _KINDS


def is_surface(kind: int) -> bool:
    """Tell whether a kind of pixel is bare road."""
    return kind >= SURFACE


@lru_cache(maxsize=32)
def bridges(facts: TrackFacts) -> tuple[tuple[float, float], ...]:
    """Give the places (below, on the bridge) at which the road crosses itself."""
    return Centreline(facts.outline, facts.spaces, 1.0).crossings()


class Raster:
    """A circuit as pixels.

    Attributes:
        width: Pixels (and cells) from left to right.
        height: Pixels from top to bottom, twice the rows of cells.
        centreline: The middle of the road in pixels.
        kinds: What is painted on a pixel of the road, by its index (row by row), in that order.
        spaces: The space that a pixel of the road belongs to, by its index.
        tones: By space (place 0 is not used), in [0, 3): the tone of its sector.
        line_spaces: The spaces behind which there is a corner line or a Legends line.
        lefts: How many pixels to the left of the road's middle a pixel of the road is, by its index.
    """

    def __init__(self, track: Track, layout: Layout) -> None:
        """Paint a circuit."""
        self.track = track
        self.layout = layout
        self.width = layout.columns
        self.height = 2 * layout.rows
        spacing = max(1.0, layout.half_width / 5)
        self.centreline = Centreline(layout.outline, track.spaces, spacing)
        self.kinds: dict[int, int] = {}
        self.spaces: dict[int, int] = {}
        self.lefts: dict[int, float] = {}
        self._on_deck: set[int] = set()
        self._rates = self._spaces_per_pixel()
        self.tones = sector_tones(track)
        self._corner_lines = {corner.after_space for corner in track.corners}
        self._legends_lines = {corner.legends_line_after_space for corner in track.corners}
        self.line_spaces = self._corner_lines | self._legends_lines
        self._corners_near = _corners_near(track)
        self._boundaries = [self.centreline.at(space + 0.5) for space in range(track.spaces + 1)]
        self._owner = self._claim()
        self._paint()
        self._part_neighbours()
        self._paint_grid()

    @property
    def has_grid_marks(self) -> bool:
        """Whether there is room for a bracket in front of each starting place."""
        return self.layout.space_pixels >= _MARKED_PIXELS

    def kind_at(self, index: int) -> int:
        """Give what is painted on a pixel, grass where there is no road."""
        kind = self.kinds.get(index)
        if kind is not None:
            return kind
        row, column = divmod(index, self.width)
        return GRASS_ALTERNATE if (column // _GRASS_COLUMNS + row // _GRASS_PIXELS) % 2 else GRASS

    def mark_at(self, index: int) -> int:
        """Give what is painted on a pixel together with the space or corner that it belongs to."""
        kind = self.kind_at(index)
        if is_surface(kind):
            return mark(kind, self.spaces[index])
        if kind in CORNER_KINDS:
            return mark(kind, self._corners_near[self.spaces[index]] + 1)
        return mark(kind)

    def heading_at(self, index: int) -> tuple[float, float]:
        """Give the driving direction at a pixel of the road."""
        point = self.centreline.points[self._owner[index]]
        return point.heading_x, point.heading_y

    def _spaces_per_pixel(self) -> list[float]:
        points = self.centreline.points
        rates = []
        for here, following in zip(points, (*points[1:], points[0]), strict=True):
            way = hypot(following.x - here.x, following.y - here.y)
            rates.append(((following.place - here.place) % self.track.spaces) / way if way > 1e-6 else 0.0)
        return rates

    def _claim(self) -> dict[int, int]:
        """Give each pixel near enough to the road the number of its point, in the order of the pixels."""
        nearest: dict[int, float] = {}
        owner: dict[int, int] = {}
        for number, point in enumerate(points := self.centreline.points):
            before, behind = points[number - 1], points[(number + 1) % len(points)]
            # A pixel nearer to a neighbour belongs to that one.
            halves = _Half.nearer_than(before, point), _Half.nearer_than(behind, point)
            for index, square in self._pixels_around(point, halves):
                if square < nearest.get(index, 1e9):
                    nearest[index] = square
                    owner[index] = number
        for _, above in bridges(self.track.facts):
            self._claim_deck(above, owner)
        return dict(sorted(owner.items()))

    def _pixels_around(self, point: RoadPoint, halves: Sequence[_Half]) -> Iterator[tuple[int, float]]:
        """Give index and squared distance of the pixels that could belong to a point of the road.

        Args:
            point: A point of the middle of the road.
            halves: Pixels outside of these may be left out.
        """
        reach = self.layout.half_width + 1.0
        width = self.width
        for row in range(max(0, floor(point.y - reach)), min(self.height, floor(point.y + reach) + 1)):
            down = row + 0.5 - point.y
            rest = reach * reach - down * down
            if rest < 0:
                continue
            left, right = point.x - rest**0.5, point.x + rest**0.5
            for half in halves:
                left, right = half.narrow(row + 0.5, left, right)
            start = row * width
            for column in range(max(0, floor(left)), min(width, floor(right) + 1)):
                across = column + 0.5 - point.x
                square = across * across + down * down
                if square <= reach * reach:
                    yield start + column, square

    def _claim_deck(self, above: float, owner: dict[int, int]) -> None:
        reach = (1.5 * self.layout.half_width + 2) / self.layout.space_pixels
        nearest: dict[int, float] = {}
        for number in self._points_within(reach, above):
            point = self.centreline.points[number]
            halves = _Half.ahead(point, -_DECK_PIXELS), _Half.ahead(point, _DECK_PIXELS)
            for index, square in self._pixels_around(point, halves):
                row, column = divmod(index, self.width)
                along = (column + 0.5 - point.x) * point.heading_x + (row + 0.5 - point.y) * point.heading_y
                if abs(along) <= _DECK_PIXELS and square < nearest.get(index, 1e9):
                    nearest[index] = square
                    owner[index] = number
                    self._on_deck.add(index)

    def _points_within(self, reach: float, place: float) -> Iterator[int]:
        """Give the numbers of the points that are so many spaces from a place at most, in driving order."""
        points, spaces = self.centreline.points, self.track.spaces
        for laps in (-1, 0, 1):
            first = bisect_left(points, place - reach + laps * spaces, key=_place_of)
            yield from range(first, bisect_right(points, place + reach + laps * spaces, key=_place_of))

    def _paint(self) -> None:
        points = self.centreline.points
        total = self.track.spaces
        for index, number in self._owner.items():
            point = points[number]
            row, column = divmod(index, self.width)
            right, down = column + 0.5 - point.x, row + 0.5 - point.y
            left = right * point.heading_y - down * point.heading_x
            along = right * point.heading_x + down * point.heading_y
            rate = self._rates[number]
            place = (point.place + along * rate - 0.5) % total + 0.5
            space = min(int(place + 0.5), total)
            distance = hypot(right, down)
            half_width = self.layout.half_width * (1.0 if self.track.spots[space] == 2 else 0.6)
            if distance > half_width + 1.0:
                continue
            self.spaces[index] = space
            self.lefts[index] = left
            if distance > half_width:
                self.kinds[index] = self._edge_kind(index, place)
            else:
                self.kinds[index] = self._road_kind(column + 0.5, row + 0.5, place, left, half_width)

    def _edge_kind(self, index: int, place: float) -> int:
        if index in self._on_deck:
            return PARAPET
        stripes = max(1, round(self.layout.space_pixels / 3))
        return edge_kind(self._corner_lines, self.track.spaces, place, stripes)

    def _road_kind(self, x: float, y: float, place: float, left: float, half_width: float) -> int:
        total = self.track.spaces
        step = self.layout.space_pixels
        line = floor(place) or total  # the space behind which the nearest boundary lies
        boundary = self._boundaries[line]
        beyond = (x - boundary.x) * boundary.heading_x + (y - boundary.y) * boundary.heading_y
        thick = max(0.6, 0.11 * step)
        if line == total and abs(beyond) <= max(1.0, 0.2 * step):
            size = 1.0 if step < 9 else 1.5
            return (
                CHEQUER_WHITE if (floor(beyond / size + 99) + floor(left / size + 99)) % 2 else CHEQUER_BLACK
            )
        if line in self._corner_lines:
            if abs(beyond) <= thick:
                return CORNER_LINE
            if line in self._legends_lines and 0 < beyond - thick <= 1.0:
                return LEGENDS_LINE
        elif line in self._legends_lines and abs(beyond) <= thick:
            return LEGENDS_LINE
        elif step >= _TICKED_PIXELS and abs(beyond) <= 0.5 and half_width - abs(left) < 1.8:
            return TICK
        space = min(int(place + 0.5), total)
        ground = ground_of(self.track, space)
        if ground == TUNNEL and floor((place - 0.5) * max(1.0, step / 2)) % 4 == 0 and step >= 2:
            return TUNNEL_ROOF
        return surface_kind(ground, self.tones[space], space % 2)

    def _part_neighbours(self) -> None:
        """Draw an edge where two parts of the road touch that are far from each other on the lap."""
        width, spaces = self.width, self.spaces
        for index, space in spaces.items():
            if not is_surface(self.kinds[index]):
                continue
            for other in (index + 1, index + width):
                beside = spaces.get(other)
                if beside is None or beside == space or (other == index + 1 and other % width == 0):
                    continue
                if abs(_lap_gap(space, beside, self.track.spaces)) >= _FAR_SPACES:
                    is_bridge = index in self._on_deck or other in self._on_deck
                    self.kinds[index] = PARAPET if is_bridge else EDGE

    def _paint_grid(self) -> None:
        """Paint a bracket in front of each starting place, where there is room for one."""
        if not self.has_grid_marks:
            return
        half = 0.6 * self.layout.lane
        ahead = 0.5 - max(0.55, 0.12 * self.layout.space_pixels) / self.layout.space_pixels
        for space, side in self.track.facts.grid:
            lane = self.layout.lane if side == "left" else -self.layout.lane
            if self.track.spots[space] == 1:
                lane = 0.0
            shift = 1.2 / self.layout.space_pixels if space == self.track.spaces else 0.0
            front = self.centreline.at(space + ahead - shift)
            steps = max(2, isqrt(int(16 * half * half)) + 1)
            for number in range(steps + 1):
                x, y = front.beside(lane - half + 2 * half * number / steps)
                if 0 <= x < self.width and 0 <= y < self.height:
                    index = int(y) * self.width + int(x)
                    kind = self.kinds.get(index, GRASS)
                    if is_surface(kind) or kind == TICK:
                        self.kinds[index] = GRID_MARK


class _Half(NamedTuple):
    """A half of the plane, with all its points (x, y): x * across + y * down <= most."""

    across: float
    down: float
    most: float

    @classmethod
    def nearer_than(cls, other: RoadPoint, point: RoadPoint) -> _Half:
        """Give the half whose points are as near to a point as to another one, or nearer."""
        across, down = other.x - point.x, other.y - point.y
        return cls(across, down, ((other.x + point.x) * across + (other.y + point.y) * down) / 2)

    @classmethod
    def ahead(cls, point: RoadPoint, way: float) -> _Half:
        """Give the half behind the line across the road so far ahead; with a negative way, the one ahead."""
        sign = 1.0 if way > 0 else -1.0
        across, down = sign * point.heading_x, sign * point.heading_y
        return cls(across, down, point.x * across + point.y * down + abs(way))

    def narrow(self, y: float, left: float, right: float) -> tuple[float, float]:
        """Give what the half leaves of a row of pixels from left to right."""
        if abs(self.across) < 1e-6:
            return left, right
        edge = (self.most - y * self.down) / self.across
        return (left, min(right, edge)) if self.across > 0 else (max(left, edge - 0.5), right)


def _place_of(point: RoadPoint) -> float:
    return point.place


def _lap_gap(place: float, other: float, spaces: int) -> float:
    """Give how far a place is ahead of another one, in [-spaces / 2, spaces / 2)."""
    return (place - other + spaces / 2) % spaces - spaces / 2


def ground_of(track: Track, space: int) -> int:
    """Say what a space is: DRY, FLOODED or TUNNEL."""
    return FLOODED if track.is_flooded[space] else TUNNEL if track.is_tunnel[space] else DRY


def edge_kind(corner_lines: AbstractSet[int], spaces: int, place: float, stripes: int) -> int:
    """Say what the edge of the road is painted with: near a corner line, a kerb.

    Args:
        corner_lines: The spaces behind which there is one.
        spaces: Of a lap.
        place: On the lap, in spaces.
        stripes: Of a kerb in each space.
    """
    near = range(ceil(place - 0.5 - _KERB_SPACES), floor(place - 0.5 + _KERB_SPACES) + 1)
    if any((line - 1) % spaces + 1 in corner_lines for line in near):
        return KERB_RED if floor(place * stripes) % 2 else KERB_WHITE
    return EDGE


def sector_tones(track: Track) -> tuple[int, ...]:
    """Give each space a tone so that sectors that meet differ; an odd number of them needs a third tone."""
    count = len(track.corners)
    tones = []
    for space in range(track.spaces + 1):
        sector = track.corner_at(max(space, 1)) % count
        tones.append(2 if count % 2 and sector == count - 1 else sector % 2)
    return tuple(tones)


def _corners_near(track: Track) -> tuple[int, ...]:
    """Give each space the number of the corner whose line is nearest; place 0 is not used."""
    lines = [corner.after_space + 0.5 for corner in track.corners]
    return tuple(
        min(range(len(lines)), key=lambda number: abs(_lap_gap(space, lines[number], track.spaces)))
        for space in range(track.spaces + 1)
    )


@lru_cache(maxsize=24)
def rasterise(facts: TrackFacts, layout: Layout) -> Raster:
    """Paint a circuit, once for each layout."""
    return Raster(compile_track(facts), layout)
