"""A small picture of a circuit for choosing one: dots of braille, or plain ASCII."""

from __future__ import annotations

from math import ceil
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.track import TrackFacts
from heat_tui.map.geometry import Centreline
from heat_tui.theme.colours import ON_RED

_BRAILLE: Final = 0x2800
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""By row and column of a cell's dots: their bits in the code point."""


def draw_outline(facts: TrackFacts, columns: int, rows: int, *, is_ascii: bool) -> Text:
    """Draw a circuit's middle line with the start line and each corner's limit.

    Args:
        columns: Width in cells, at least 8.
        rows: Height in cells, at least 4.
        is_ascii: Whether to use one plain sign a cell instead of eight dots.
    """
    wide, high = (1, 1) if is_ascii else (2, 4)
    xs = [x for _, x, _ in facts.outline]
    ys = [y for _, _, y in facts.outline]
    # A cell is about twice as high as wide, so that a unit is as long in both directions.
    unit = max((max(xs) - min(xs)) / (columns - 3), (max(ys) - min(ys)) / (rows - 2) / 2) or 1.0
    line = Centreline(facts.outline, facts.spaces, unit / wide / 4)
    used = ceil((max(xs) - min(xs)) / unit)
    indent = max(1.0, (columns - used) / 2)

    def cell(x: float, y: float) -> tuple[float, float]:
        return (x - min(xs)) / unit + indent, (y - min(ys)) / unit / 2 + 0.75

    grid: dict[tuple[int, int], int] = {}
    for point in line.points:
        x, y = cell(point.x, point.y)
        place = (int(x), int(y))
        bit = 1 if is_ascii else _DOTS[int(y % 1 * high)][int(x % 1 * wide)]
        grid[place] = grid.get(place, 0) | bit

    signs: dict[tuple[int, int], tuple[str, str | Style]] = {}
    for corner in facts.corners:
        x, y = cell(*line.at(corner.after_space + 0.5)[:2])
        for shift, digit in enumerate(str(corner.limit)):
            signs[int(x) + shift, int(y)] = (digit, ON_RED)
    x, y = cell(*line.at(facts.spaces + 0.5)[:2])
    signs[int(x), int(y)] = ("#" if is_ascii else "▞", "bold reverse")

    text = Text(no_wrap=True)
    for row in range(rows):
        for column in range(columns):
            sign, style = signs.get((column, row), ("", ""))
            bits = grid.get((column, row), 0)
            road = ("." if is_ascii else chr(_BRAILLE + bits)) if bits else " "
            text.append(sign or road, style or None)
        if row < rows - 1:
            text.append("\n")
    return text
