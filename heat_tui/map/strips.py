"""Lines of cells as strips of the screen, in as few segments as possible."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from rich.segment import Segment
from textual.strip import Strip

from heat_tui.map.palette import Cell


def to_strip(cells: Sequence[Cell]) -> Strip:
    """Join cells to a strip."""
    return Strip(_segments(cells), len(cells))


def with_cells(strip: Strip, cells: Mapping[int, Cell]) -> Strip:
    """Give a strip with other cells in some of its columns; what lies between is taken as it is.

    Args:
        strip: Of characters that are one cell wide.
        cells: By column.
    """
    segments: list[Segment] = []
    old = list(strip)
    starts = list(accumulate((len(segment.text) for segment in old), initial=0))
    at, width = 0, strip.cell_length
    columns = sorted(cells)
    while at < width:
        place = bisect_left(columns, at)
        if place < len(columns) and columns[place] == at:
            end = at + 1
            while end in cells and end < width:
                end += 1
            segments += _segments([cells[column] for column in range(at, end)])
        else:
            end = min(columns[place], width) if place < len(columns) else width
            segments += _cut(old, starts, at, end)
        at = end
    return Strip(segments, width)


def _cut(segments: Sequence[Segment], starts: Sequence[int], left: int, right: int) -> list[Segment]:
    """Give the part of a line from one column up to another; `starts` are of its segments, and its end."""
    first, last = bisect_right(starts, left) - 1, bisect_left(starts, right) - 1
    part = [*segments[first : last + 1]]
    if right < starts[last + 1]:
        part[-1] = Segment(part[-1].text[: right - starts[last]], part[-1].style)
    if left > starts[first]:
        part[0] = Segment(part[0].text[left - starts[first] :], part[0].style)
    return part


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
