"""The part of a drawing that a panel shows: where it lies, and what of it is painted again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from textual.geometry import Region, Size

from heat_tui.map.signs import Coordinates

_JOINED_CELLS: Final = 12
"""Cells between two changes that cost less than a second part of the line."""
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
    """Give the parts of lines to paint again, near ones of a line together.

    Args:
        places: Columns and rows of the panel; those outside of it do not count.
        size: Of the panel, in cells.
    """
    width, height = size
    regions: list[Region] = []
    first, last, line = 0, -1, -1
    for y, x in sorted((y, x) for x, y in places if 0 <= x < width and 0 <= y < height):
        if y == line and x - last <= _JOINED_CELLS:
            last = x
            continue
        if line >= 0:
            regions.append(Region(first, line, last - first + 1, 1))
        first, last, line = x, x, y
    if line >= 0:
        regions.append(Region(first, line, last - first + 1, 1))
    return regions


def on_other_grid(corner: Coordinates, size: Size, before: Coordinates, after: Coordinates) -> Coordinates:
    """Move a window to another drawing of the same circuit so that its middle shows the same part.

    Args:
        corner: Column and row of the drawing in the window's top left cell.
        size: Of the window, in cells.
        before: Columns and rows of the drawing that it shows.
        after: The same of the other drawing.

    Returns:
        The new top left cell, which may lie outside the drawing.
    """
    left, top = (
        int((first + length / 2) / old * new - length / 2)
        for first, length, old, new in zip(corner, size, before, after, strict=True)
    )
    return left, top
