"""The pictures of moments: lights above the grid, a flag that waves, a few words in large letters.

Where there are no colours, or no room for a picture, the same is drawn in signs (`moment_signs`).
"""

from __future__ import annotations

from functools import partial
from math import pi, sin
from typing import Final

from rich.text import Text

from heat_core.race.setup import Colour
from heat_tui.flow.moments import LIGHTS, Flag, Lights, Picture, Stamp, StampLook
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.picture.fit import HALVES
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.big_letters import HEIGHT, dots_wide, draw_letters
from heat_tui.widgets.car_pictures import draw_car
from heat_tui.words.labels import cut

_DOT: Final = 8
_FILLS: Final[dict[StampLook, tuple[Paint, Paint]]] = {
    "gold": ("gold-fill", "fill-ink"),
    "green": ("green-fill", "fill-ink"),
    "red": ("red-fill", "red-ink"),
}
"""Ground and letters of a stamp."""

_LIGHTS_SIZE: Final = (38, 12)
_FLAG_SIZE: Final = (46, 12)
_NARROW_ROWS: Final = 7
_LARGE_FROM: Final = (110, 34)
_LARGE: Final = 1.5

_HORIZON: Final = 104.0
_MIDDLE: Final = 152.0
_NEAR: Final = 1.15
_ROW_APART: Final = 0.75
_GONE: Final = 3.0
"""How far behind where they stood cars have driven at the end, in the same measure of depth."""

_WAVE_CELLS: Final = 23
_CAR_CELLS: Final = 12


def draw_moment(picture: Picture, columns: int, rows: int, *, is_smooth: bool) -> list[Text]:
    """Draw a picture in the paints of the night theme.

    Args:
        picture: What to draw.
        columns: The room that there is, in cells.
        rows: The same.
        is_smooth: Whether finer blocks than half cells are drawn.

    Returns:
        Lines of one width; none where there is too little room.
    """
    scale = _LARGE if columns >= _LARGE_FROM[0] and rows >= _LARGE_FROM[1] else 1.0
    match picture:
        case Lights():
            canvas, writings = _lights(picture, scale), list[Writing[Paint]]()
        case Flag():
            canvas, writings = _flag(picture, scale)
        case Stamp():
            canvas, writings = _stamp(picture)
    if canvas.columns > columns or canvas.rows > rows:
        return []
    return lines(canvas, partial(style, "night"), writings, _weight, None if is_smooth else HALVES)


def _weight(paint: Paint) -> float:
    return 2.0 if paint in ("kerb-white", "car-black-ring", "gold") else 1.0


# --- the start ----------------------------------------------------------------------------------------------


def _lights(lights: Lights, scale: float) -> Canvas[Paint]:
    columns, rows = (round(size * scale) for size in _LIGHTS_SIZE)
    canvas: Canvas[Paint] = Canvas(columns, rows)
    if lights.gone:
        dot = _DOT * round(scale)
        left = (columns * SAMPLES_ACROSS - dots_wide("GO") * dot) // 2 // _DOT * _DOT
        top = (48 * scale - HEIGHT * dot / 2) // _DOT * _DOT
        draw_letters(canvas, "GO", left, top, dot, "green-fill")
    for number in range(LIGHTS):
        _lamp(canvas, (48 + 52 * number) * scale, 48 * scale, scale, is_lit=number < lights.lit)
    canvas.rectangle(16 * scale, 16 * scale, 272 * scale, 64 * scale, "chequer-black")
    for x in (28, 268):
        canvas.rectangle(x * scale, 0, 8 * scale, _HORIZON * scale, "faint")
    _grid(canvas, lights, scale)
    return canvas


def _lamp(canvas: Canvas[Paint], x: float, y: float, scale: float, *, is_lit: bool) -> None:
    if is_lit:
        canvas.rectangle(x - 8 * scale, y - 12 * scale, 8 * scale, 8 * scale, "kerb-white")
        canvas.disc(x, y, 18 * scale, "red-glow")
        canvas.disc(x, y, 23 * scale, "burnt")
    else:
        canvas.disc(x, y, 18 * scale, "raised")


def _grid(canvas: Canvas[Paint], lights: Lights, scale: float) -> None:
    """Draw the road to the horizon, with the cars on it from behind."""
    across = [(_MIDDLE + x) * scale for x in (-24, 24, 190, -190)]
    horizon, foot = _HORIZON * scale, canvas.rows * SAMPLES_DOWN
    depths = [_NEAR + _ROW_APART * (1 - number // 2) for number in range(len(lights.cars))]
    places = sorted(zip(depths, range(len(depths)), lights.cars, strict=True))
    for depth, number, colour in places:
        _car(canvas, *_on_the_road(depth + _GONE * lights.gone, number, scale), colour)
    if lights.gone:
        for depth, number, _ in places:
            x, y, size = _on_the_road(depth + 0.2, number, scale)
            for side in (-16, 16):
                canvas.disc(x + side * size, y - 6 * size, (10 + 4 * lights.gone) * size, "tick")
    for near, far in ((0.0, 0.1), (0.25, 0.4), (0.6, 0.7), (0.85, 0.9)):
        y = foot - near * (foot - horizon)
        height = (far - near) * (foot - horizon)
        canvas.rectangle(_MIDDLE * scale - 2, y - height, 4 * scale, height, "grid-mark")
    canvas.quad((across[0], horizon), (across[1], horizon), (across[2], foot), (across[3], foot), _ROAD)
    canvas.rectangle(0, horizon, canvas.columns * SAMPLES_ACROSS, foot - horizon, "grass-even")
    canvas.fill("panel")


_ROAD: Final[Paint] = "asphalt-1-odd"


def _on_the_road(depth: float, number: int, scale: float) -> tuple[float, float, float]:
    """Give where a car stands on the road, and how large it is: it shrinks with the distance."""
    side = 62 if number % 2 else -62
    return (_MIDDLE + side / depth) * scale, (_HORIZON + 96 / depth) * scale, 1.3 * scale / depth


def _car(canvas: Canvas[Paint], x: float, y: float, size: float, colour: Colour) -> None:
    """Draw a car from behind, its wheels on a height."""
    body, _ = car_paints(colour)
    canvas.rectangle(x - 5 * size, y - 32 * size, 10 * size, 10 * size, "kerb-white")
    canvas.rectangle(x - 14 * size, y - 22 * size, 28 * size, 18 * size, body)
    if colour == "black":
        canvas.rectangle(x - 16 * size, y - 24 * size, 32 * size, 20 * size, "car-black-ring")
    for side in (-26, 14):
        canvas.rectangle(x + side * size, y - 18 * size, 12 * size, 18 * size, "chequer-black")


# --- the finish ---------------------------------------------------------------------------------------------


def _flag(flag: Flag, scale: float) -> tuple[Canvas[Paint], list[Writing[Paint]]]:
    columns, rows = round(_FLAG_SIZE[0] * scale), round(_FLAG_SIZE[1] * scale)
    if not flag.is_own:
        rows = _NARROW_ROWS
    canvas: Canvas[Paint] = Canvas(max(4, round(columns * flag.share)), rows)
    writings = _band(canvas, flag) if flag.title else []
    _cloth(canvas, flag.fold, square=4 if flag.is_own else 2)
    return canvas, writings


def _band(canvas: Canvas[Paint], flag: Flag) -> list[Writing[Paint]]:
    """Draw place, car and lines across the middle of the flag."""
    high = 6 if flag.is_own else 5
    first = (canvas.rows - high) // 2
    top, width = first * SAMPLES_DOWN, canvas.columns * SAMPLES_ACROSS
    inset = (high * SAMPLES_DOWN - HEIGHT * _DOT) // 2 // _DOT * _DOT
    draw_letters(canvas, flag.title, 2 * SAMPLES_ACROSS, top + inset, _DOT, "gold")
    begin = dots_wide(flag.title) + 4
    draw_car(canvas, width - (_CAR_CELLS + 1) * SAMPLES_ACROSS, top + inset, flag.car)
    for y in (top, top + high * SAMPLES_DOWN - 4):
        canvas.rectangle(0, y, width, 4, "gold")
    canvas.rectangle(0, top, width, high * SAMPLES_DOWN, "ground")
    room = canvas.columns - begin - _CAR_CELLS - 2
    written = first + (high - len(flag.lines) + 1) // 2
    return [
        Writing(begin, written + row, cut(line, room, is_ascii=False).plain, "ink", bold=not row)
        for row, line in enumerate(flag.lines)
    ]


def _cloth(canvas: Canvas[Paint], fold: int, square: int) -> None:
    """Draw squares that are `square` cells wide, column by column: each hangs a little lower or higher."""
    side = square * SAMPLES_ACROSS
    for column in range(canvas.columns):
        wave = sin(2 * pi * (column / _WAVE_CELLS - fold / 6))
        shift = round(wave) * _DOT
        for number in range(-1, canvas.rows * SAMPLES_DOWN // side + 2):
            is_white = (column // square + number) % 2
            white: Paint = "card-shade" if wave > 0.5 else "chequer-white"
            canvas.rectangle(
                column * SAMPLES_ACROSS,
                number * side + shift,
                SAMPLES_ACROSS,
                side,
                white if is_white else "chequer-black",
            )


# --- words --------------------------------------------------------------------------------------------------


def _stamp(stamp: Stamp) -> tuple[Canvas[Paint], list[Writing[Paint]]]:
    ground, ink = _FILLS[stamp.look]
    columns = max(dots_wide(stamp.text), len(stamp.note)) + 4
    canvas: Canvas[Paint] = Canvas(columns, 5 if stamp.note else 4)
    left = (columns - dots_wide(stamp.text)) // 2 * SAMPLES_ACROSS
    draw_letters(canvas, stamp.text, left, _DOT, _DOT, ink)
    writings: list[Writing[Paint]] = []
    if stamp.note:
        canvas.rectangle(0, 4 * SAMPLES_DOWN, columns * SAMPLES_ACROSS, SAMPLES_DOWN, "ground")
        writings = [Writing((columns - len(stamp.note)) // 2, 4, stamp.note, "ink", bold=True)]
    canvas.fill(ground)
    return canvas, writings
