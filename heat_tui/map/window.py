"""The part of a drawing that a panel shows: where it lies, and what of it is painted again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.geometry import Region, Size

from heat_tui.map.signs import Coordinates

_QUIET_SHARE: Final = 0.22
"""A followed car nearer to the rim than this share of the panel is brought back to the middle."""


def with_quiet_rim(corner: Coordinates, size: Size, cell: Coordinates) -> Coordinates:
    """Move a window so that a cell lies well inside, in each direction only where it does not.

    Args:
        corner: Column and row of the drawing in the window's top left cell.
        size: Of the window, in cells.
        cell: Column and row of the drawing.

    Returns:
        The new top left cell, which may lie outside the drawing.
    """
    left, top = (
        first
        if first + _QUIET_SHARE * length <= at < first + (1 - _QUIET_SHARE) * length
        else at - length // 2
        for first, length, at in zip(corner, size, cell, strict=True)
    )
    return left, top


def spans(places: Iterable[Coordinates], size: Size) -> list[Region]:
    """Give the parts of lines to paint again: in each line from the first to the last of these cells.

    Args:
        places: Columns and rows of the panel; those outside of it do not count.
        size: Of the panel, in cells.
    """
    width, height = size
    ends: dict[int, tuple[int, int]] = {}
    for x, y in places:
        if 0 <= x < width and 0 <= y < height:
            first, last = ends.get(y, (x, x))
            ends[y] = (min(first, x), max(last, x))
    return [Region(first, y, last - first + 1, 1) for y, (first, last) in ends.items()]
