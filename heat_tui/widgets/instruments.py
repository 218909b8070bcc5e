"""Gear gate and engine dial as pictures, for terminals with colours and room."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache, partial
from math import cos, pi, sin
from typing import Final, NamedTuple

from rich.text import Text

from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.theme.paints import Paint, style


class _Gate(NamedTuple):
    """Where the gears are in a gate, in cells: the numbers of two columns in two rows."""

    cells: int
    left: int
    right: int
    lower: int
    knob: tuple[int, int]

    @property
    def gears(self) -> dict[int, tuple[int, int]]:
        """The cell of each gear's number."""
        return {
            1: (self.left, 1),
            2: (self.left, self.lower),
            3: (self.right, 1),
            4: (self.right, self.lower),
        }


ROWS: Final = 5
TALL_ROWS: Final = 7
_GATES: Final = {ROWS: _Gate(15, 3, 10, 3, (24, 32)), TALL_ROWS: _Gate(17, 4, 12, 5, (40, 48))}
_DIAL_CELLS: Final = {ROWS: 22, TALL_ROWS: 28}
"""By rows of the picture."""
_DIAL_START, _DIAL_END = -0.25, 0.25
"""Turns from straight up: half a circle."""
_LIT: Final[tuple[Paint, ...]] = ("red-fill", "amber-fill", "green-fill")
"""Of the first, second and last third of an engine: the emptier, the redder."""
_style = partial(style, "night")


def gear_cells(rows: int) -> dict[int, tuple[int, int]]:
    """Say where the numbers of the gears are in a gate of so many rows: column and row of each."""
    return _GATES[rows].gears


def _centre(cell: tuple[int, int]) -> tuple[float, float]:
    column, row = cell
    return (column + 0.5) * SAMPLES_ACROSS, (row + 0.5) * SAMPLES_DOWN


@lru_cache(maxsize=64)
def gear_gate(
    gear: int, lever: int | None, within_reach: frozenset[int], rows: int = ROWS
) -> tuple[Text, ...]:
    """Draw the gate: the gear that is in, or the lever while it is live, on a knob.

    Args:
        gear: The gear now, in [1, 5).
        lever: Where the lever is while it is live, None otherwise.
        within_reach: Gears that can be chosen; the others are faint.
        rows: Of the picture: `ROWS` or `TALL_ROWS`.
    """
    gate = _GATES[rows]
    canvas: Canvas[Paint] = Canvas(gate.cells, rows)
    here = lever if lever is not None else gear
    x, y = _centre(gate.gears[here])
    width, height = gate.knob
    canvas.rectangle(x - width / 2, y - height / 2, width, height, "gold-fill")
    for column, row in gate.gears.values():  # a number is on the panel, whatever runs behind it
        canvas.rectangle(column * SAMPLES_ACROSS, row * SAMPLES_DOWN, SAMPLES_ACROSS, SAMPLES_DOWN, "panel")
    # Lines lie on halves of cells: a block shows those whole.
    left_x, _ = _centre((gate.left, 0))
    right_x, _ = _centre((gate.right, 0))
    middle_y = rows * SAMPLES_DOWN / 2
    for column_x in (left_x, right_x):
        canvas.rectangle(
            column_x - SAMPLES_ACROSS / 2, SAMPLES_DOWN, SAMPLES_ACROSS, gate.lower * SAMPLES_DOWN, "line"
        )
    canvas.rectangle(left_x, middle_y - SAMPLES_DOWN / 2, right_x - left_x, SAMPLES_DOWN / 2, "line")
    canvas.fill("panel")
    words = [
        Writing(column, row, str(number), _gear_ink(number, here, lever, within_reach), bold=number == here)
        for number, (column, row) in gate.gears.items()
    ]
    return tuple(lines(canvas, _style, words))


def _gear_ink(number: int, here: int, lever: int | None, within_reach: Collection[int]) -> Paint:
    if number == here:
        return "fill-ink"
    return "ink" if lever is None or number in within_reach else "soft"


@lru_cache(maxsize=64)
def engine_dial(engine: int, stays: int, engine_size: int, rows: int = ROWS) -> tuple[Text, ...]:
    """Draw the engine's Heat as a half dial: lit to what stays, paler what would burn, a needle.

    Args:
        engine: Heat in it now.
        stays: What the half-made choice would leave of that at worst.
        engine_size: Heat of a whole engine.
        rows: Of the picture: `ROWS` or `TALL_ROWS`.
    """
    cells = _DIAL_CELLS[rows]
    canvas: Canvas[Paint] = Canvas(cells, rows)
    middle = cells * SAMPLES_ACROSS / 2, rows * SAMPLES_DOWN - 2.0
    radius = rows * SAMPLES_DOWN - 4.0
    size = max(1, engine_size, engine)
    step = (_DIAL_END - _DIAL_START) / size
    turn = _DIAL_START + step * stays
    tip = (middle[0] + radius * 0.72 * sin(2 * pi * turn), middle[1] - radius * 0.72 * cos(2 * pi * turn))
    canvas.disc(*middle, 7, "ink")
    canvas.line(middle, tip, 5, "ink")
    for number in range(size):
        paint: Paint = "line"
        if number < stays:
            paint = _LIT[min(number * len(_LIT) // size, len(_LIT) - 1)]
        elif number < engine:
            paint = "burnt"
        start = _DIAL_START + step * number
        canvas.sector(middle, radius, radius * 0.74, start + step * 0.06, start + step * 0.94, paint)
    canvas.fill("panel")
    return tuple(lines(canvas, _style))
