"""How large a circuit is drawn: from panel and zoom to a scale.

A *pixel* is half a cell: as wide as a cell and half as high, so about square. The whole-track zoom may
stretch the circuit a little to fill its panel; the other two keep its proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from heat_core.track_facts import TrackFacts
from heat_tui.map.geometry import Centreline, ControlPoint

Zoom: TypeAlias = Literal["whole", "normal", "close"]
ZOOMS: Final[tuple[Zoom, ...]] = ("whole", "normal", "close")

NORMAL_SPACE_PIXELS: Final = 4.0
CLOSE_SPACE_PIXELS: Final = 10.0
_ROAD_SHARE: Final = 0.74
"""Half the road's width in lengths of a space."""
_CROWDED_ROAD_SHARE: Final = 0.66
_MANY_SPACES: Final = 80
"""Longer laps leave little land for plates and numbers: their road is a bit narrower."""
_LARGE_ROAD_SHARE: Final = 0.56
_MANY_COLUMNS: Final = 150
"""Panels of so many columns have room for a road in truer proportions."""
_PREVIEW_SHARE: Final = 0.52
_MOST_STRETCH: Final = 1.5
_SHORTEST_SHARE: Final = 0.62
"""No space of the outline shall be shorter than this share of the length asked for."""

_MOST_GROWTH: Final = 1.25
"""How much larger a circuit is drawn for its shortest space at most: one may be a hundredth of the others."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the circuit lies in its grid of cells.

    Attributes:
        columns: Cells of the grid from left to right.
        rows: Cells of the grid from top to bottom.
        outline: Control points in pixels.
        space_pixels: Pixels of an average space.
        half_width: Pixels from the middle of the road to the end of its surface; the edge comes on top.
        lane: Pixels from the middle of the road to the middle of a spot.
    """

    columns: int
    rows: int
    outline: tuple[ControlPoint, ...]
    space_pixels: float
    half_width: float
    lane: float


@dataclass(frozen=True, slots=True)
class _Extent:
    left: float
    top: float
    width: float
    height: float
    length: float
    shortest: float


@lru_cache(maxsize=32)
def _extent(facts: TrackFacts) -> _Extent:
    line = Centreline(facts.outline, facts.spaces, 1.0)
    xs = [point.x for point in line.points]
    ys = [point.y for point in line.points]
    nodes = [line.at(space) for space in range(1, facts.spaces + 2)]
    steps = [((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5 for a, b in pairwise(nodes)]
    return _Extent(
        min(xs),
        min(ys),
        max(max(xs) - min(xs), 1.0),
        max(max(ys) - min(ys), 1.0),
        line.space_length,
        min(steps),
    )


def _half_width(space_pixels: float, share: float) -> float:
    """Give the half width of a road whose spaces are so many pixels long."""
    return min(max(share * space_pixels, 1.6), 11.0)


def lay_out(facts: TrackFacts, columns: int, rows: int, zoom: Zoom, *, is_preview: bool = False) -> Layout:
    """Find the scale for a panel of at least one cell.

    The grid of the layout is never smaller than the panel; it is larger where the zoom asks for more room.

    Args:
        facts: The circuit.
        columns: Of the panel.
        rows: Of the panel.
        zoom: How much of the circuit is shown.
        is_preview: Whether the circuit is only looked at: its road is narrower, for nothing drives there.
    """
    share = _road_share(facts, columns, is_preview=is_preview)
    extent = _extent(facts)
    if zoom != "whole":
        wanted = NORMAL_SPACE_PIXELS if zoom == "normal" else CLOSE_SPACE_PIXELS
        short = extent.length / max(extent.shortest, 0.1)
        scale = wanted / extent.length * min(max(1.0, _SHORTEST_SHARE * short), _MOST_GROWTH)
        margin = _margin(wanted, share)
        needed_columns = int(extent.width * scale + 2 * margin) + 1
        needed_rows = int((extent.height * scale + 2 * margin) / 2) + 1
        if needed_columns > columns or needed_rows > rows:
            columns, rows = max(columns, needed_columns), max(rows, needed_rows)
            return _placed(facts, columns, rows, (scale, scale), share)
    return _placed(facts, columns, rows, _fitting(extent, columns, rows, share), share)


def _road_share(facts: TrackFacts, columns: int, *, is_preview: bool) -> float:
    if is_preview:
        return _PREVIEW_SHARE
    if columns >= _MANY_COLUMNS:
        return _LARGE_ROAD_SHARE
    return _ROAD_SHARE if facts.spaces <= _MANY_SPACES else _CROWDED_ROAD_SHARE


def _margin(space_pixels: float, share: float) -> float:
    return _half_width(space_pixels, share) + 1.6


def _fitting(extent: _Extent, columns: int, rows: int, share: float) -> tuple[float, float]:
    scale_x = scale_y = 0.0
    margin = min(_margin(0.0, share), columns / 4, rows / 2)
    for _ in range(3):
        scale_x = max(columns - 2 * margin, 0.5) / extent.width
        scale_y = max(2 * rows - 2 * margin, 0.5) / extent.height
        scale_x = min(scale_x, scale_y * _MOST_STRETCH)
        scale_y = min(scale_y, scale_x * _MOST_STRETCH)
        margin = min(_margin(extent.length * (scale_x * scale_y) ** 0.5, share), columns / 4, rows / 2)
    return scale_x, scale_y


def _placed(facts: TrackFacts, columns: int, rows: int, scales: tuple[float, float], share: float) -> Layout:
    scale_x, scale_y = scales
    extent = _extent(facts)
    left = (columns - extent.width * scale_x) / 2 - extent.left * scale_x
    top = (2 * rows - extent.height * scale_y) / 2 - extent.top * scale_y
    outline = tuple((space, left + x * scale_x, top + y * scale_y) for space, x, y in facts.outline)
    space_pixels = Centreline(outline, facts.spaces, 1.0).space_length
    half_width = _half_width(space_pixels, share)
    # Two pixels are a cell's height: a road from left to right needs its spots that far apart.
    return Layout(columns, rows, outline, space_pixels, half_width, max(1.02, 0.48 * half_width))
