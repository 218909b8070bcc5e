"""Charts as SVG: plain shapes, written by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from math import floor, log10
from typing import Final

WIDTH: Final = 960
MARGIN: Final = 60
_COLOURS: Final = ("#2f6f9f", "#d98032", "#9bbf8a", "#5b9a5f", "#25623a")
_LETTER_WIDTH: Final = 7.5
_ROW_HEIGHT: Final = 20
_STEPS: Final = 4
"""Of a scale."""


class Sheet:
    """An SVG that grows downwards."""

    def __init__(self) -> None:
        """Begin at the top."""
        self.shapes: list[str] = []
        self.y = 24.0

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, bold: bool = False
    ) -> None:
        """Write a line; `y` is its baseline."""
        style = f'font-size="{size}" text-anchor="{anchor}"' + (' font-weight="bold"' if bold else "")
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text, quote=False)}</text>')

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, *, width: float = 0.7) -> None:
        """Draw a line, thin by default."""
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self.shapes.append(f'<line {ends} stroke="#999" stroke-width="{width}"/>')

    def curve(self, points: Iterable[tuple[float, float]], colour: str = _COLOURS[0]) -> None:
        """Draw a line through points."""
        ends = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.shapes.append(f'<polyline points="{ends}" fill="none" stroke="{colour}" stroke-width="1.5"/>')

    def title(self, text: str) -> None:
        """Begin a chart."""
        self.y += 30
        self.text(MARGIN, self.y, text, size=15, bold=True)
        self.y += 14

    def legend(self, names: Sequence[str], colours: Sequence[str], x: float = MARGIN) -> None:
        """Name the colours of a chart."""
        for name, colour in zip(names, colours, strict=False):
            self.box(x, self.y, 11, 11, colour)
            self.text(x + 16, self.y + 10, name)
            x += 34 + 7 * len(name)
        self.y += 22

    def svg(self) -> str:
        """Give the whole picture."""
        height = round(self.y + 24)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(self.shapes) + "\n</svg>\n"
        )


def columns(sheet: Sheet, series: Sequence[Counter[int]], names: Sequence[str], values: range) -> None:
    """Draw columns side by side: one group for each value, one column for each series."""
    sheet.legend(names, _COLOURS)
    height, width = 180.0, WIDTH - 2 * MARGIN
    shares = [[counts[value] / max(1, counts.total()) for value in values] for counts in series]
    most = max(max(row) for row in shares) or 1.0
    base = sheet.y + height
    for step in range(5):
        y = base - height * step / 4
        sheet.line(MARGIN, y, MARGIN + width, y)
        sheet.text(MARGIN - 6, y + 4, f"{100 * most * step / 4:.0f} %", anchor="end", size=10)
    group = width / len(values)
    column = group * 0.8 / len(series)
    for place, value in enumerate(values):
        left = MARGIN + place * group + group * 0.1
        for number, row in enumerate(shares):
            tall = height * row[place] / most
            sheet.box(left + number * column, base - tall, column, tall, _COLOURS[number])
        if len(values) <= 25 or value % 5 == 0:
            sheet.text(left + group * 0.4, base + 14, str(value), anchor="middle", size=10)
    sheet.y = base + 18


def intervals(
    sheet: Sheet,
    rows: Mapping[str, tuple[float, float, float]],
    middle: float | None = None,
    on_scale: Sequence[float] = (),
) -> None:
    """Draw a point and its interval in each row, above one scale.

    Args:
        rows: Name -> value and both ends of its interval; at least one.
        middle: A value that gets a line of its own, if any.
        on_scale: Values that the scale holds even if no row has them.
    """
    left = MARGIN + _LETTER_WIDTH * max(map(len, rows))
    values = [*chain.from_iterable(rows.values()), *on_scale, *(() if middle is None else (middle,))]
    least, step = _scale(min(values), max(values))
    most = least + _STEPS * step

    def across(value: float) -> float:
        return left + (WIDTH - MARGIN - left) * (value - least) / (most - least)

    top, bottom = sheet.y, sheet.y + _ROW_HEIGHT * len(rows)
    for number in range(_STEPS + 1):
        x = across(least + number * step)
        sheet.line(x, top, x, bottom)
        sheet.text(x, bottom + 14, f"{least + number * step:g}", anchor="middle", size=10)
    if middle is not None:
        sheet.line(across(middle), top, across(middle), bottom, width=2)
    for name, (value, low, high) in rows.items():
        y = sheet.y + _ROW_HEIGHT / 2
        sheet.text(left - 8, y + 4, name, anchor="end")
        sheet.box(across(low), y - 1.5, across(high) - across(low), 3, _COLOURS[0])
        sheet.box(across(value) - 4, y - 4, 8, 8, _COLOURS[0])
        sheet.y += _ROW_HEIGHT
    sheet.y = bottom + 18


def curve(sheet: Sheet, values: Sequence[float], marks: Mapping[int, str], most: float) -> None:
    """Draw values from left to right as a line above 0.

    Args:
        values: At least two.
        marks: Between the value of this number and the one before stands an upright line with this name.
        most: The highest value of the scale.
    """
    height, width = 110.0, WIDTH - 2 * MARGIN
    base = sheet.y + height
    least, step = _scale(0, most)
    for number in range(_STEPS + 1):
        value = least + number * step
        y = base - height * number / _STEPS
        sheet.line(MARGIN, y, MARGIN + width, y)
        sheet.text(MARGIN - 6, y + 4, f"{value:g}", anchor="end", size=10)

    def across(number: float) -> float:
        return MARGIN + width * number / (len(values) - 1)

    for number, name in marks.items():
        sheet.line(across(number - 0.5), sheet.y, across(number - 0.5), base, width=1.5)
        sheet.text(across(number - 0.5), base + 14, name, anchor="middle", size=10)
    unit = height / (_STEPS * step)
    sheet.curve((across(number), base - unit * value) for number, value in enumerate(values))
    sheet.y = base + 18


def points(
    sheet: Sheet,
    values: Sequence[tuple[float, float]],
    line: tuple[tuple[float, float], tuple[float, float]] | None = None,
    *,
    along: str,
) -> None:
    """Draw a dot for each x and y above two scales that begin at 0, and a line among them.

    Args:
        values: At least one.
        line: Its two ends; None: there is none.
        along: What x is.
    """
    height, width = 110.0, WIDTH - 2 * MARGIN
    base = sheet.y + height
    _, x_step = _scale(0, max(x for x, _ in values))
    _, y_step = _scale(0, max(y for _, y in values))

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + width * x / (_STEPS * x_step), base - height * y / (_STEPS * y_step)

    for number in range(_STEPS + 1):
        x, y = place(number * x_step, number * y_step)
        sheet.line(MARGIN, y, MARGIN + width, y)
        sheet.text(MARGIN - 6, y + 4, f"{number * y_step:,g}", anchor="end", size=10)
        sheet.text(x, base + 14, f"{number * x_step:,g}", anchor="middle", size=10)
    sheet.text(MARGIN + width / 2, base + 29, along, anchor="middle", size=10)
    if line is not None:
        sheet.curve(place(*end) for end in line)
    for value in values:
        x, y = place(*value)
        sheet.box(x - 2, y - 2, 4, 4, _COLOURS[1 if line else 0])
    sheet.y = base + 33


def _scale(low: float, high: float) -> tuple[float, float]:
    """Choose where a scale begins and its step, both round, so that all steps together hold two values."""
    size = 10.0 ** floor(log10((high - low) / _STEPS)) if high > low else 1.0
    for round_number in (1, 2, 2.5, 5, 10, 20):
        step = round_number * size
        least = floor(low / step) * step
        if least + _STEPS * step >= high:
            break
    return least, step
