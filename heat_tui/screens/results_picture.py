"""The first three cars of a race on their steps, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.text import Text

from heat_core.bot_names import without_level
from heat_core.cards import CardName
from heat_core.race.setup import Colour
from heat_core.view.race_view import RaceView
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.picture.car_side import HEIGHT, LENGTH
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, ThemeName, style
from heat_tui.widgets.car_pictures import draw_car
from heat_tui.widgets.card_figures import figure
from heat_tui.words.labels import cut


class PodiumSize(NamedTuple):
    """How big the podium is.

    Attributes:
        step_columns: Width of a step.
        rows: Height of all.
        tops: The first row of the first, second and third step.
        scale: Of the cars.
    """

    step_columns: int
    rows: int
    tops: tuple[int, int, int]
    scale: float

    @property
    def columns(self) -> int:
        """Width of all three steps, with a blank between each two and around them."""
        return 3 * self.step_columns + 4


SMALL: Final = PodiumSize(13, 15, (5, 7, 8), 1.0)
BIG: Final = PodiumSize(20, 22, (8, 11, 13), 1.5)

_STEPS: Final[tuple[tuple[int, Paint, Paint], ...]] = (
    (1, "gold-step", "gold-edge"),
    (0, "silver-step", "silver-edge"),
    (2, "bronze-step", "bronze-edge"),
)
"""Of the first three places: which step from the left, its paint, and that of its edge."""
_FIGURES: Final[tuple[CardName, ...]] = ("1", "2", "3")
_FIGURE_COLUMNS: Final = 8
_EDGE_SAMPLES: Final = 8


class PodiumCar(NamedTuple):
    """Who stands on a step.

    Attributes:
        where: Where the car ended.
    """

    name: str
    letter: str
    colour: Colour
    where: str


def podium_cars(labels: RaceLabels, view: RaceView, wheres: Sequence[str]) -> list[PodiumCar]:
    """List who is on the podium, the winner first; nobody who gave up or is out.

    Args:
        wheres: Where each car of the standings ended, best first.
    """
    cars = [standing.car for standing in view.standings]
    return [
        PodiumCar(labels.names[car], labels.letters[car], labels.setup.cars[car].colour, where)
        for car, where, _ in zip(cars, wheres, _STEPS, strict=False)
        if view.cars[car].status not in ("gave_up", "spun_out")
    ]


def podium(cars: Sequence[PodiumCar], size: PodiumSize, theme: ThemeName, shown: int = 3) -> list[Text]:
    """Draw cars on their steps.

    Args:
        cars: As of `podium_cars`.
        shown: How many of the places are there already, the last of them first.
    """
    canvas: Canvas[Paint] = Canvas(size.columns, size.rows)
    writings: list[Writing[Paint]] = []
    for place in range(max(0, len(cars) - shown), len(cars)):
        writings += _step(canvas, size, place, cars[place])
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings)


def _step(canvas: Canvas[Paint], size: PodiumSize, place: int, car: PodiumCar) -> list[Writing[Paint]]:
    """Draw one step with its car, and give what is written on it."""
    step, paint, edge = _STEPS[place]
    width, top = size.step_columns, size.tops[place]
    left = 1 + step * (width + 1)
    car_rows = round(HEIGHT * size.scale / SAMPLES_DOWN)
    name_row = top - car_rows - 1
    body, letter = car_paints(car.colour)
    draw_car(
        canvas,
        left * SAMPLES_ACROSS + (width * SAMPLES_ACROSS - LENGTH * size.scale) / 2,
        (top - car_rows) * SAMPLES_DOWN,
        car.colour,
        size.scale,
    )
    canvas.rectangle(left * SAMPLES_ACROSS, top * SAMPLES_DOWN, width * SAMPLES_ACROSS, _EDGE_SAMPLES, edge)
    canvas.rectangle(
        left * SAMPLES_ACROSS, top * SAMPLES_DOWN, width * SAMPLES_ACROSS, size.rows * SAMPLES_DOWN, paint
    )
    canvas.rectangle(left * SAMPLES_ACROSS, name_row * SAMPLES_DOWN, 3 * SAMPLES_ACROSS, SAMPLES_DOWN, body)
    name = cut(without_level(car.name), width - 4, is_ascii=False).plain
    figure_row = top + max(1, (size.rows - 1 - top - 4) // 2 + 1)
    writings: list[Writing[Paint]] = [
        Writing(left + 1, name_row, car.letter, letter, bold=True),
        Writing(left + 4, name_row, name, "ink", bold=place == 0),
    ]
    for row, dots in enumerate(figure(_FIGURES[place]), start=figure_row):
        writings.append(Writing(left + (width - _FIGURE_COLUMNS) // 2, row, dots, "fill-ink"))
    # Last, for it hides the end of a figure on a low step.
    writings.append(Writing(left + (width - len(car.where)) // 2, size.rows - 1, car.where, "fill-ink"))
    return writings
