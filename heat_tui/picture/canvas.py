"""A canvas of samples, 8 x 16 in each cell of the terminal, on which shapes are filled with paints.

Theory of operation. A row of samples is one whole number for each paint that occurs in it, sample x being
bit x, so a span of any length is filled by one shift and two operations on bits. Shapes are drawn from the
top down: a sample belongs to the first shape that covers it, and what is hidden is never drawn. A cell's
part of a row is one byte of that number, which is how the samples of a cell are taken out without a loop
over samples.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from math import ceil, cos, pi, sin
from typing import Final, Generic, TypeAlias, TypeVar

SAMPLES_ACROSS: Final = 8
SAMPLES_DOWN: Final = 16
WHOLE_CELL: Final = (1 << SAMPLES_ACROSS * SAMPLES_DOWN) - 1

PaintT = TypeVar("PaintT", bound=Hashable)
Point: TypeAlias = tuple[float, float]
"""Samples to the right and downwards from the canvas's top left corner."""
CellSamples: TypeAlias = dict[PaintT, int]
"""Which samples of a cell have which paint: bit 8 y + x is the sample in column x and row y of the cell."""


class Canvas(Generic[PaintT]):
    """Shapes in paints; what is drawn first lies on top.

    All coordinates are in samples, so a cell is `SAMPLES_ACROSS` wide and `SAMPLES_DOWN` high. What lies
    outside of the canvas is cut off.

    Attributes:
        columns: Cells from left to right.
        rows: Cells from top to bottom.
    """

    def __init__(self, columns: int, rows: int) -> None:
        """Make an empty canvas of at least one cell."""
        self.columns = columns
        self.rows = rows
        self._width = columns * SAMPLES_ACROSS
        self._whole = (1 << self._width) - 1
        self._taken = [0] * (rows * SAMPLES_DOWN)
        self._painted: list[dict[PaintT, int]] = [{} for _ in self._taken]

    def polygon(self, points: Sequence[Point], paint: PaintT) -> None:
        """Fill a convex polygon of at least three corners; one with a dent is filled across it."""
        ys = [y for _, y in points]
        top = max(0, ceil(min(ys) - 0.5))
        bottom = min(len(self._taken), ceil(max(ys) - 0.5))
        if top >= bottom:
            return
        width = self._width
        lefts, rights = [float(width)] * (bottom - top), [0.0] * (bottom - top)
        x, y = points[-1]
        for next_x, next_y in points:
            (x0, y0), (x1, y1) = ((x, y), (next_x, next_y)) if y < next_y else ((next_x, next_y), (x, y))
            x, y = next_x, next_y
            first, last = max(top, ceil(y0 - 0.5)), min(bottom, ceil(y1 - 0.5))
            if first >= last:
                continue
            slope = (x1 - x0) / (y1 - y0)
            at = x0 + (first + 0.5 - y0) * slope
            for row in range(first - top, last - top):
                if at < lefts[row]:
                    lefts[row] = at
                if at > rights[row]:
                    rights[row] = at
                at += slope
        # The same as `_span` row by row: this is where a picture's time goes.
        taken, painted = self._taken, self._painted
        for row, left, right in zip(range(top, bottom), lefts, rights, strict=True):
            start, end = max(0, int(left + 0.5)), min(width, int(right + 0.5))
            if start < end and (fresh := ((1 << end - start) - 1 << start) & ~taken[row]):
                taken[row] |= fresh
                paints = painted[row]
                paints[paint] = paints.get(paint, 0) | fresh

    def quad(self, a: Point, b: Point, c: Point, d: Point, paint: PaintT) -> None:
        """Fill a quadrangle, its corners in order around it."""
        self.polygon((a, b, c, d), paint)

    def rectangle(self, left: float, top: float, width: float, height: float, paint: PaintT) -> None:
        """Fill a rectangle."""
        start, end = ceil(left - 0.5), ceil(left + width - 0.5)
        for row in range(max(0, ceil(top - 0.5)), min(len(self._taken), ceil(top + height - 0.5))):
            self._span(row, start, end, paint)

    def disc(self, x: float, y: float, radius: float, paint: PaintT) -> None:
        """Fill a disc around a point."""
        first = max(0, ceil(y - radius - 0.5))
        for row in range(first, min(len(self._taken), ceil(y + radius - 0.5))):
            half = (radius * radius - (row + 0.5 - y) ** 2) ** 0.5
            self._span(row, ceil(x - half - 0.5), ceil(x + half - 0.5), paint)

    def ring(self, x: float, y: float, radius: float, inner: float, paint: PaintT) -> None:
        """Fill what a disc of one radius leaves around a smaller one."""
        first = max(0, ceil(y - radius - 0.5))
        for row in range(first, min(len(self._taken), ceil(y + radius - 0.5))):
            down = (row + 0.5 - y) ** 2
            half, hole = (radius * radius - down) ** 0.5, max(inner * inner - down, 0.0) ** 0.5
            self._span(row, ceil(x - half - 0.5), ceil(x - hole - 0.5), paint)
            self._span(row, ceil(x + hole - 0.5), ceil(x + half - 0.5), paint)

    def sector(
        self, middle: Point, radius: float, inner: float, start: float, end: float, paint: PaintT
    ) -> None:
        """Fill a part of a ring, such as a mark on a dial.

        Args:
            middle: Of the ring.
            radius: Outer radius.
            inner: Inner radius, 0 for a piece of cake.
            start: Turns clockwise from straight up at which the part begins.
            end: The same for its end.
            paint: What it is filled with.
        """
        parts = max(2, ceil((end - start) * 48))
        turns = [2 * pi * (start + (end - start) * number / parts) for number in range(parts + 1)]
        x, y = middle
        outside = [(x + radius * sin(turn), y - radius * cos(turn)) for turn in turns]
        inside = [(x + inner * sin(turn), y - inner * cos(turn)) for turn in turns]
        for here, following in pairwise(zip(outside, inside, strict=True)):
            self.quad(here[0], following[0], following[1], here[1], paint)

    def line(self, start: Point, end: Point, width: float, paint: PaintT) -> None:
        """Draw a straight line of a width, its ends cut off square."""
        across, down = end[0] - start[0], end[1] - start[1]
        length = (across * across + down * down) ** 0.5
        if length == 0:
            return
        side_x, side_y = -down / length * width / 2, across / length * width / 2
        self.quad(
            (start[0] + side_x, start[1] + side_y),
            (end[0] + side_x, end[1] + side_y),
            (end[0] - side_x, end[1] - side_y),
            (start[0] - side_x, start[1] - side_y),
            paint,
        )

    def fill(self, paint: PaintT) -> None:
        """Paint all that is still empty."""
        for row in range(len(self._taken)):
            self._span(row, 0, self._width, paint)

    def cells_moved(self, right: int, down: int) -> dict[tuple[int, int], CellSamples[PaintT]]:
        """Give the samples of all cells that have any, by column and row, with all of it moved.

        What leaves the canvas is cut off. A paint is one whole number here, so to move it is one shift.

        Args:
            right: Samples; below 0 to the left.
            down: Samples; below 0 upwards.
        """
        columns, width, painted = self.columns, self._width, self._painted
        count = columns * len(painted)
        every_row = int.from_bytes((b"\1" + bytes(columns - 1)) * len(painted), "little")
        stays = (self._whole >> right if right > 0 else self._whole << -right & self._whole) * every_row
        shift, whole = right + down * width, (1 << 8 * count) - 1
        samples: dict[PaintT, bytes] = {}
        for paint in {paint for row in painted for paint in row}:
            rows = b"".join([row.get(paint, 0).to_bytes(columns, "little") for row in painted])
            bits = int.from_bytes(rows, "little") & stays
            samples[paint] = ((bits << shift if shift > 0 else bits >> -shift) & whole).to_bytes(
                count, "little"
            )
        cells: dict[tuple[int, int], CellSamples[PaintT]] = {}
        for row in range(self.rows):
            top = row * SAMPLES_DOWN
            lines = painted[max(0, top - down) : max(0, top - down + SAMPLES_DOWN)]
            # As in `cells`, a paint comes before another where it does so from the top down.
            for paint in {paint: None for line in lines for paint in line}:
                part = samples[paint][top * columns : (top + SAMPLES_DOWN) * columns]
                for column in range(columns):
                    if found := int.from_bytes(part[column::columns], "little"):
                        cells.setdefault((column, row), {})[paint] = found
        return cells

    def cells(self, row: int) -> list[CellSamples[PaintT]]:
        """Give the samples of each cell in a row of cells, from left to right."""
        columns = self.columns
        sample_rows = self._painted[row * SAMPLES_DOWN : (row + 1) * SAMPLES_DOWN]
        cells: list[CellSamples[PaintT]] = [{} for _ in range(columns)]
        together: dict[PaintT, int] = {}
        for painted in sample_rows:
            for paint, bits in painted.items():
                together[paint] = together.get(paint, 0) | bits
        for paint, bits in together.items():
            first = ((bits & -bits).bit_length() - 1) // SAMPLES_ACROSS
            last = (bits.bit_length() - 1) // SAMPLES_ACROSS
            samples = b"".join(
                (painted.get(paint, 0) >> first * SAMPLES_ACROSS).to_bytes(last - first + 1, "little")
                for painted in sample_rows
            )
            width = last - first + 1
            for column in range(width):
                if found := int.from_bytes(samples[column::width], "little"):
                    cells[first + column][paint] = found
        return cells

    def _span(self, row: int, start: int, end: int, paint: PaintT) -> None:
        """Fill a row's samples in [start, end), as far as they are empty and on the canvas."""
        start, end = max(start, 0), min(end, self._width)
        if start >= end:
            return
        taken = self._taken[row]
        fresh = ((1 << end - start) - 1 << start) & ~taken
        if fresh:
            self._taken[row] = taken | fresh
            painted = self._painted[row]
            painted[paint] = painted.get(paint, 0) | fresh
