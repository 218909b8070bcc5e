"""Lines of cells as strips of the screen, in as few segments as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from textual.strip import Strip

from heat_tui.map.palette import Cell


def to_strip(cells: Sequence[Cell]) -> Strip:
    """Join cells to a strip."""
    return Strip(_segments(cells), len(cells))


def with_cells(strip: Strip, cells: Mapping[int, Cell]) -> Strip:
    """Give a strip with other cells in some of its columns; what lies between is taken as it is."""
    runs: dict[int, list[Cell]] = {}
    last, run = -2, list[Cell]()
    for column in sorted(cells):
        if column != last + 1:
            run = runs[column] = []
        run.append(cells[column])
        last = column
    ends = {end for start, run in runs.items() for end in (start, start + len(run))}
    places = [0, *sorted(ends - {0, strip.cell_length})]
    segments: list[Segment] = []
    for place, part in zip(places, Segment.divide(strip, [*places[1:], strip.cell_length]), strict=True):
        segments += part if place not in runs else _segments(runs[place])
    return Strip(segments, strip.cell_length)


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
