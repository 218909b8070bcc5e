"""Cars from their side in the paints of a theme: on the podium, and beside who has a place in a room."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from rich.text import Text

from heat_core.race.setup import Colour
from heat_tui.picture import Canvas, lines
from heat_tui.picture.car_side import CarPaints, draw_car_side, draw_small_car_side
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, ThemeName, style

_BLACK_DECK: Final[Paint] = "car-black-ring"
SMALL_COLUMNS: Final = 9


def draw_car(canvas: Canvas[Paint], left: float, top: float, colour: Colour, scale: float = 1.0) -> None:
    """Draw a car; see `draw_car_side`."""
    draw_car_side(canvas, left, top, _paints(colour), scale)


def _paints(colour: Colour) -> CarPaints[Paint]:
    body, _ = car_paints(colour)
    deck: Paint | None = _BLACK_DECK if colour == "black" else None
    return CarPaints(body, "asphalt-1-odd", "spot", "soft", "ink", deck)


@cache
def small_car(colour: Colour, theme: ThemeName, ground: Paint) -> tuple[Text, ...]:
    """Draw a car of two lines, `SMALL_COLUMNS` wide; the lines are shared, so they are not to be changed."""
    canvas: Canvas[Paint] = Canvas(SMALL_COLUMNS, 2)
    draw_small_car_side(canvas, 0, 0, _paints(colour))
    canvas.fill(ground)
    return tuple(lines(canvas, partial(style, theme)))
