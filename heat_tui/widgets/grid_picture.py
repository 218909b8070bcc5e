"""The cars that will start, side by side on a grid, seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.text import Text

from heat_tui.flow.setup import GridCar
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, style

GRID_ROWS: Final = 6
_LANES: Final = 2
_SLOT_CELLS: Final = 18
_CAR_CELLS: Final = 6
_MARGIN_CELLS: Final = 3
"""In front of the first car, where the line is."""


def grid_picture(cars: Sequence[GridCar], columns: int) -> list[Text]:
    """Draw cars that drive to the right, the first one foremost.

    Args:
        columns: Cells from left to right; cars that find no room are left out.
    """
    canvas: Canvas[Paint] = Canvas(columns, GRID_ROWS)
    writings: list[Writing[Paint]] = []
    _draw_line(canvas, columns - _MARGIN_CELLS + 1)
    slot = min(_SLOT_CELLS, (columns - _MARGIN_CELLS) * 2 // max(len(cars) + 1, 2))
    for number, car in enumerate(cars):
        column = columns - _MARGIN_CELLS - _CAR_CELLS - number * slot // _LANES
        if column < 0:
            break
        row = 1 if number % _LANES == 0 else GRID_ROWS // _LANES + 1
        body, ink = car_paints(car.colour)
        _draw_car(canvas, column * SAMPLES_ACROSS, (row + 0.5) * SAMPLES_DOWN, body, is_own=car.is_own)
        x = (column + _CAR_CELLS) * SAMPLES_ACROSS + 2
        canvas.rectangle(x, (row - 0.6) * SAMPLES_DOWN, 3, 2.2 * SAMPLES_DOWN, "grid-mark")
        writings.append(Writing(column + 2, row, car.letter, ink, bold=True, underline=car.is_own))
    canvas.fill("asphalt-1-odd")
    return lines(canvas, partial(style, "night"), writings, _weight)


def _draw_line(canvas: Canvas[Paint], column: int) -> None:
    """Draw the line of start and finish, two squares wide."""
    half = SAMPLES_DOWN // 2
    for number in range(2 * GRID_ROWS):
        for side in range(2):
            paint: Paint = "chequer-white" if (number + side) % 2 else "chequer-black"
            canvas.rectangle((column + side) * SAMPLES_ACROSS, number * half, SAMPLES_ACROSS, half, paint)


def _draw_car(canvas: Canvas[Paint], x: float, y: float, body: Paint, *, is_own: bool) -> None:
    """Draw a car `_CAR_CELLS` long around a height."""
    canvas.quad((x + 4, y - 8), (x + 30, y - 8), (x + 30, y + 8), (x + 4, y + 8), body)
    canvas.quad((x + 30, y - 8), (x + 46, y - 4), (x + 46, y + 4), (x + 30, y + 8), body)
    canvas.rectangle(x, y - 12, 4, 24, body)
    for wheel, wide in ((6, 10), (32, 8)):
        for side in (-16, 8):
            canvas.rectangle(x + wheel, y + side, wide, 8, "chequer-black")
    if is_own:
        canvas.rectangle(x - 2, y - 10, 52, 20, "halo")


def _weight(paint: Paint) -> float:
    return 3.0 if paint in ("grid-mark", "chequer-white", "chequer-black") else 1.0
