"""Skid marks: what a car leaves on the road where it spun out, two lines along its lane."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Final

from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.marks import Skid, Way
from heat_tui.map.shades import Shade, Shapes, shown_as
from heat_tui.map.signs import Coordinates
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Point

_PARTS_OF_SPACE: Final = 3
_WHEELS_SHARE: Final = 0.13
"""How far a wheel is from the middle of a car, in lengths of a space."""
_WIDTH: Final = 3.0
"""Of a line, in samples."""


@lru_cache(maxsize=32)
def skid_shapes(drawing: TrackDrawing, skid: Skid) -> dict[Coordinates, Shapes]:
    """Give what the marks of a spin-out cover, by cell; not to be changed: they stay while others drive."""
    beside = max(_WHEELS_SHARE * drawing.layout.space_pixels * SAMPLES_ACROSS, _WIDTH)
    lines = [_line(drawing, skid, side * beside) for side in (-1, 1)]
    points = [point for line in lines for point in line]
    left, top = (floor(min(way) / size) for way, size in _ways(points))
    right, bottom = (ceil(max(way) / size) for way, size in _ways(points))
    canvas: Canvas[Shade] = Canvas(right - left + 1, bottom - top + 1)
    shade = shown_as(drawing.look, Shade("skid"))
    for line in lines:
        for start, end in pairwise(line):
            canvas.line(_within(start, left, top), _within(end, left, top), _WIDTH, shade)
    return {
        (left + column, top + row): cell
        for row in range(canvas.rows)
        for column, cell in enumerate(canvas.cells(row))
        if cell
    }


def _line(drawing: TrackDrawing, skid: Skid, beside: float) -> list[Point]:
    """Give the points of a wheel's line in samples, from the place where the car spun out to its end."""
    parts = max(1, (skid.start - skid.end) * _PARTS_OF_SPACE)
    points = []
    for part in range(parts + 1):
        here = drawing.point_of(skid.start, skid.spot, Way(skid.end, skid.spot, part / parts))
        # A pixel of the layout is as wide as a cell, and half as high.
        x, y = here.beside(beside / SAMPLES_ACROSS)
        points.append((x * SAMPLES_ACROSS, y * SAMPLES_DOWN / 2))
    return points


def _ways(points: list[Point]) -> tuple[tuple[list[float], int], tuple[list[float], int]]:
    return ([x for x, _ in points], SAMPLES_ACROSS), ([y for _, y in points], SAMPLES_DOWN)


def _within(point: Point, left: int, top: int) -> Point:
    return point[0] - left * SAMPLES_ACROSS, point[1] - top * SAMPLES_DOWN
