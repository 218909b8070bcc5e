"""Lines of cells as strips of the screen, in as few segments as possible."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip

from heat_tui.map.palette import Cell


def to_strip(cells: Sequence[Cell]) -> Strip:
    """Join cells to a strip."""
    return Strip(_segments(cells), len(cells))


def _segments(cells: Sequence[Cell]) -> list[Segment]:
    """Join neighbours of one style."""
    segments: list[Segment] = []
    start = 0
    count = len(cells)
    while start < count:
        style = cells[start].style
        end = start + 1
        while end < count and cells[end].style is style:
            end += 1
        segments.append(Segment("".join([cell.glyph for cell in cells[start:end]]), style))
        start = end
    return segments
