"""The circuit as a picture: its road, lines, kerbs and land drawn in samples, free of colours and of cars.

The same curve as the half-block raster is drawn as strips of quadrangles. What lies on top is drawn first
(see `heat_tui.picture`): decks of bridges, lines and marks on the road, the road, its edges and kerbs,
gravel, the land.

A picture takes a tenth of a second and more, so it is drawn in small parts: see `RoadPicture.parts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from random import Random
from typing import Final

from heat_core.track import Track
from heat_core.track_facts import TrackFacts
from heat_tui.map import raster as painted
from heat_tui.map.geometry import Centreline, RoadPoint
from heat_tui.map.layout import Layout
from heat_tui.map.raster import Raster, mark
from heat_tui.picture import Canvas, CellSamples, Point

_SAMPLES: Final = 8
"""In a pixel of the layout, which is half a cell, across and down."""
_KERB_SPACES: Final = 2.2
_TICKED_PIXELS: Final = 7.0
_TREE_PIXELS: Final = 5.5
"""Spaces of fewer pixels have no trees around them."""
_LONGEST_PART: Final = 14.0
"""Samples along the road of one quadrangle at most."""
_NARROWEST: Final = 0.62
"""What is left of the road's width where two parts of it run side by side."""
_GRASS_COLUMNS: Final = 8
_GRASS_ROWS: Final = 4


class RoadPicture:
    """The samples of each cell of a circuit."""

    def __init__(self, raster: Raster) -> None:
        """Begin with an empty canvas."""
        self._raster = raster
        self._track: Track = raster.track
        self._layout: Layout = raster.layout
        self._line: Centreline = raster.centreline
        self._canvas: Canvas[int] = Canvas(raster.layout.columns, raster.layout.rows)
        self._edge = min(max(0.2 * self._layout.space_pixels, 0.75), 1.15) * _SAMPLES
        self._widths = _half_widths(raster, self._edge / _SAMPLES)
        self._corner_of_line = {
            corner.after_space: number for number, corner in enumerate(self._track.corners)
        }
        self._rows: dict[int, list[CellSamples[int]]] = {}
        self._parts = self._draw()

    def parts(self) -> Iterator[None]:
        """Draw a bit more at each step, a few milliseconds of work, until the picture is drawn.

        Who stops early may continue later with another call.
        """
        for _ in self._parts:  # not `yield from`: that would end the drawing with who stops early
            yield

    def samples(self, column: int, row: int) -> CellSamples[int]:
        """Give which samples of a cell have which mark, once the picture is drawn."""
        cells = self._rows.get(row)
        if cells is None:
            cells = self._rows[row] = self._canvas.cells(row)
        samples = cells[column]
        if (column // _GRASS_COLUMNS + row // _GRASS_ROWS) % 2:
            for one, other in _MOWN:
                if one in samples:
                    samples[other] = samples.pop(one)
        return samples

    def _draw(self) -> Iterator[None]:
        spaces = self._track.spaces
        for _, above in painted.bridges(self._track.facts):
            yield from self._draw_deck(above)
        self._draw_start()
        self._draw_grid()
        for corner in self._track.corners:
            self._draw_lines(corner.after_space, corner.legends_line_after_space)
        yield
        for space in range(1, spaces + 1):
            self._draw_surface(space)
            yield
        for space in range(1, spaces + 1):
            self._draw_edges(space, None)
            yield
        for space in range(1, spaces + 1):
            self._draw_gravel(space)
        yield
        self._draw_trees()
        self._canvas.fill(mark(painted.GRASS))

    # Parts of the road

    def _draw_deck(self, above: float) -> Iterator[None]:
        reach = ceil((1.5 * self._layout.half_width + 3) / self._layout.space_pixels)
        deck = [round(above) + shift for shift in range(-reach, reach + 1)]
        numbers = [(space - 1) % self._track.spaces + 1 for space in deck]
        for corner in self._track.corners:
            if corner.after_space in numbers or corner.legends_line_after_space in numbers:
                self._draw_lines(corner.after_space, corner.legends_line_after_space)
        for space in numbers:
            self._draw_surface(space)
        yield
        for space in numbers:
            self._draw_edges(space, painted.PARAPET)
        yield

    def _draw_surface(self, space: int) -> None:
        track = self._track
        ground = painted.DRY
        if track.is_flooded[space]:
            ground = painted.FLOODED
        elif track.is_tunnel[space]:
            ground = painted.TUNNEL
        kind = painted.surface_kind(ground, self._raster.tones[space], space % 2)
        if self._layout.space_pixels >= _TICKED_PIXELS and not self._has_line(space):
            for side in (1, -1):
                self._draw_across(space + 0.5, 3, painted.TICK, (side * 0.72, side))
        if ground == painted.TUNNEL:
            self._draw_across(space, 0.9 * self._layout.space_pixels, mark(painted.TUNNEL_ROOF), (-1, 1))
        for here, following in pairwise(self._places(space)):
            width, next_width = self._width(here), self._width(following)
            self._draw_strip(
                here,
                following,
                (-width, width, next_width, -next_width),
                mark(kind, space),
            )

    def _draw_edges(self, space: int, edge: int | None) -> None:
        """Draw edges or kerbs of a space, a little wider than its surface and below it."""
        stripes = max(1, round(self._layout.space_pixels / 3))
        for here, following in pairwise(self._places(space)):
            middle = (here + following) / 2
            corner = self._kerb_corner(middle)
            if edge is not None:
                number = mark(edge)
            elif corner is None:
                number = mark(painted.EDGE)
            else:
                kind = painted.KERB_RED if floor(middle * stripes) % 2 else painted.KERB_WHITE
                number = mark(kind, corner + 1)
            width, next_width = self._width(here) + self._edge, self._width(following) + self._edge
            self._draw_strip(here, following, (-width, width, next_width, -next_width), number)

    def _draw_gravel(self, space: int) -> None:
        """Draw the trap outside of a corner."""
        for here, following in pairwise(self._places(space)):
            if self._kerb_corner((here + following) / 2) is None:
                continue
            left = self._bend((here + following) / 2)
            wide = min(max(abs(left) * 1.6, 0.0), 0.55) * self._layout.space_pixels * _SAMPLES
            if wide < 2:
                continue
            side = 1.0 if left > 0 else -1.0
            width, next_width = self._width(here), self._width(following)
            outer = (side * (width + self._edge + wide), side * (next_width + self._edge + wide))
            self._draw_strip(here, following, (0, outer[0], outer[1], 0), mark(painted.GRAVEL))

    def _bend(self, place: float) -> float:
        """Give how much the road turns at a place: more than 0 where the outside is on the left."""
        before, behind = self._line.at(place - 1.5), self._line.at(place + 1.5)
        return before.heading_x * behind.heading_y - before.heading_y * behind.heading_x

    def _kerb_corner(self, place: float) -> int | None:
        """Give the corner whose kerbs are at a place, None for a bare edge."""
        for line in range(ceil(place - 0.5 - _KERB_SPACES), floor(place - 0.5 + _KERB_SPACES) + 1):
            number = self._corner_of_line.get((line - 1) % self._track.spaces + 1)
            if number is not None:
                return number
        return None

    def _has_line(self, space: int) -> bool:
        return space == self._track.spaces or space in self._raster.line_spaces

    # Lines and marks

    def _draw_lines(self, corner: int, legends: int) -> None:
        thick = min(max(self._layout.space_pixels, 5.0), 12.0)
        number = mark(painted.CORNER_LINE, self._corner_of_line[corner] + 1)
        self._draw_across(corner + 0.5, thick, number, (-1, 1))
        behind = 1.2 * thick / (self._layout.space_pixels * _SAMPLES) if corner == legends else 0.0
        self._draw_across(legends + 0.5 + behind, 0.7 * thick, mark(painted.LEGENDS_LINE), (-1, 1))

    def _draw_start(self) -> None:
        """Draw two rows of chequers at the finish line."""
        step = self._layout.space_pixels
        size = _SAMPLES * (0.75 if step < 5 else 1.0 if step < 9 else 1.5)
        along = size / (step * _SAMPLES)
        place = self._track.spaces + 0.5
        width = self._width(place)
        count = max(2, round(2 * width / size))
        for row, start in enumerate((place - along, place)):
            for number in range(count):
                left, right = (width * (2 * (number + end) / count - 1) for end in (0, 1))
                kind = painted.CHEQUER_WHITE if (number + row) % 2 else painted.CHEQUER_BLACK
                self._draw_strip(start, start + along, (left, right, right, left), mark(kind))

    def _draw_grid(self) -> None:
        """Draw a bracket in front of each starting place, where there is room for one."""
        if not self._raster.has_grid_marks:
            return
        step = self._layout.space_pixels
        lane, half = self._layout.lane * _SAMPLES, 0.3 * self._layout.half_width * _SAMPLES
        for space, side in self._track.facts.grid:
            middle = 0.0 if self._track.spots[space] == 1 else lane if side == "left" else -lane
            front = space + 0.5 - 0.16 - (1.2 / step if space == self._track.spaces else 0.0)
            number, thick = mark(painted.GRID_MARK), 3.0 / (step * _SAMPLES)
            ends = (middle - half, middle + half, middle + half, middle - half)
            self._draw_strip(front - thick, front, ends, number)
            if step >= _TICKED_PIXELS:
                for end in (middle - half, middle + half - 3):
                    self._draw_strip(front - 0.22, front, (end, end + 3, end + 3, end), number)

    def _draw_across(self, place: float, thick: float, number: int, ends: tuple[float, float]) -> None:
        """Draw a line across the road from one share of its half width to another."""
        half = thick / 2 / (self._layout.space_pixels * _SAMPLES)
        width = self._width(place)
        left, right = sorted((ends[0] * width, ends[1] * width))
        self._draw_strip(place - half, place + half, (left, right, right, left), number)

    def _draw_trees(self) -> None:
        """Strew trees over the land, the same at each drawing, where nothing else is."""
        if self._layout.space_pixels < _TREE_PIXELS:
            return
        chance = Random(self._track.facts.name)
        columns, rows = self._canvas.columns, self._canvas.rows
        for _ in range(columns * rows // 90):
            x, y = chance.uniform(0, columns * 8), chance.uniform(0, rows * 16)
            for _ in range(chance.randint(1, 3)):
                radius = chance.uniform(5, 10)
                self._canvas.disc(x, y, radius, mark(painted.TREE))
                x, y = x + chance.uniform(-14, 14), y + chance.uniform(-10, 10)

    # Geometry

    def _places(self, space: int) -> list[float]:
        """Cut a space into parts: evenly, with the stripes of kerbs in step."""
        stripes = max(1, round(self._layout.space_pixels / 3))
        within = max(1, ceil(self._layout.space_pixels * _SAMPLES / stripes / _LONGEST_PART))
        count = stripes * within
        return [space - 0.5 + number / count for number in range(count + 1)]

    def _width(self, place: float) -> float:
        """Give half the width of the road's surface at a place, in samples."""
        at = 2 * (place - 0.5) % len(self._widths)
        here = int(at)
        following = self._widths[(here + 1) % len(self._widths)]
        return self._widths[here] + (following - self._widths[here]) * (at - here)

    def _draw_strip(
        self, start: float, end: float, lefts: tuple[float, float, float, float], number: int
    ) -> None:
        """Fill the quadrangle between two places, its corners so many samples left of the road's middle."""
        here, following = self._line.at(start), self._line.at(end)
        self._canvas.quad(
            _beside(here, lefts[0]),
            _beside(here, lefts[1]),
            _beside(following, lefts[2]),
            _beside(following, lefts[3]),
            number,
        )


_MOWN: Final = (
    (mark(painted.GRASS), mark(painted.GRASS_ALTERNATE)),
    (mark(painted.TREE), mark(painted.TREE_ALTERNATE)),
)
"""What has two tones, by the patch of land."""


def _beside(point: RoadPoint, left: float) -> Point:
    x, y = point.beside(left / _SAMPLES)
    return x * _SAMPLES, y * _SAMPLES


def _half_widths(raster: Raster, edge: float) -> list[float]:
    """Give half the road's width in samples at each half space from place 0.5.

    Spaces of one spot are narrower, and where two parts of the road run side by side both leave room for
    the edges between them.
    """
    layout, track = raster.layout, raster.track
    count = 2 * track.spaces
    nodes = [raster.centreline.at(0.5 + number / 2) for number in range(count)]
    bridges = [2 * place - 1 for pair in painted.bridges(track.facts) for place in pair]
    reach = 4 * layout.half_width / layout.space_pixels + 2
    room = layout.half_width + edge
    tiles: dict[tuple[int, int], list[int]] = {}
    for number, node in enumerate(nodes):
        tiles.setdefault((int(node.x // (2 * room)), int(node.y // (2 * room))), []).append(number)
    widths = []
    for number, node in enumerate(nodes):
        spots = track.spots[(number // 2 % track.spaces) + 1]
        width = layout.half_width * (1.0 if spots == 2 else 0.6)
        column, row = int(node.x // (2 * room)), int(node.y // (2 * room))
        if all(_apart(number, bridge, count) > reach for bridge in bridges):
            for other in (
                other
                for across in (-1, 0, 1)
                for down in (-1, 0, 1)
                for other in tiles.get((column + across, row + down), ())
                if _apart(number, other, count) >= 12
            ):
                away = ((nodes[other].x - node.x) ** 2 + (nodes[other].y - node.y) ** 2) ** 0.5
                width = min(width, max(away / 2 - edge / 2, _NARROWEST * layout.half_width))
        widths.append(width * _SAMPLES)
    return widths


def _apart(one: float, other: float, count: int) -> float:
    gap = abs(one - other) % count
    return min(gap, count - gap)


@lru_cache(maxsize=12)
def road_picture(facts: TrackFacts, layout: Layout) -> RoadPicture:
    """Give the picture of a circuit, the same one for all looks; it may not be drawn yet."""
    return RoadPicture(painted.rasterise(facts, layout))
