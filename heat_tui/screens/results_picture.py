"""The results of a race as pictures: the podium, places over the rounds, the Heat of an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from rich.text import Text

from heat_core.bots.names import without_level
from heat_core.view.race_view import RaceView
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, ThemeName, style
from heat_tui.words.labels import cut

PODIUM_COLUMNS: Final = 42
PODIUM_ROWS: Final = 13

_STEP_COLUMNS: Final = 13
_STEPS: Final[tuple[tuple[int, int, Paint, Paint], ...]] = (
    (1, 5, "gold-fill", "fill-ink"),
    (0, 7, "card-shade", "card-ink"),
    (2, 8, "gravel", "road-ink"),
)
"""Of the first three places: which step from the left, its first row, its paint and ink."""

_MARGIN: Final = 6
"""Cells in front of the first round: place, letter, a gap."""
_ROUND_CELLS: Final = (5, 4, 3, 2)
_WIDTH: Final = 6.0
_OWN_WIDTH: Final = 10.0
"""Of lines, in samples. They lie at the top of their cells, where the eighths of a cell fit them."""
_LINE_WEIGHT: Final = 3.0


def podium(labels: RaceLabels, view: RaceView, wheres: Sequence[str], theme: ThemeName) -> list[Text]:
    """Draw the first three cars on their steps.

    Args:
        wheres: Where each car of the standings ended, best first.
    """
    canvas: Canvas[Paint] = Canvas(PODIUM_COLUMNS, PODIUM_ROWS)
    writings: list[Writing[Paint]] = []
    for standing, where, (step, top, paint, ink) in zip(view.standings, wheres, _STEPS, strict=False):
        left = 1 + step * (_STEP_COLUMNS + 1)
        body, letter = car_paints(labels.setup.cars[standing.car].colour)
        _car(canvas, left + 3, top - 2, body)
        canvas.rectangle(left * 8, top * 16, _STEP_COLUMNS * 8, PODIUM_ROWS * 16, paint)
        canvas.rectangle(left * 8, (top - 3) * 16, 3 * 8, 16, body)
        name = cut(without_level(labels.names[standing.car]), _STEP_COLUMNS - 4, is_ascii=False).plain
        writings += [
            Writing(left + 1, top - 3, labels.letters[standing.car], letter, bold=True),
            Writing(left + 4, top - 3, name, "ink", bold=standing.place == 1),
            Writing(left + _STEP_COLUMNS // 2, top + 1, str(standing.place), ink, bold=True),
            Writing(left + (_STEP_COLUMNS - len(where)) // 2, PODIUM_ROWS - 1, where, ink),
        ]
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings)


def _car(canvas: Canvas[Paint], column: int, row: int, body: Paint) -> None:
    """Draw a car from its side, 7 cells wide and 2 high."""
    x, y = column * SAMPLES_ACROSS, row * SAMPLES_DOWN
    for wheel in (10, 45):
        canvas.disc(x + wheel, y + 25, 4, "chequer-white")
        canvas.disc(x + wheel, y + 24, 8, "line")
    canvas.disc(x + 29, y + 6, 5, "chequer-white")
    canvas.rectangle(x, y + 8, 8, 12, body)
    canvas.quad((x + 4, y + 14), (x + 34, y + 10), (x + 56, y + 20), (x + 4, y + 28), body)
    canvas.rectangle(x + 4, y + 16, 48, 10, body)


def places_chart(
    labels: RaceLabels,
    places: Sequence[tuple[int, Sequence[int]]],
    spin_outs: Mapping[int, frozenset[int]],
    own: Sequence[int],
    theme: ThemeName,
    size: tuple[int, int],
) -> list[Text]:
    """Draw a line for each car over the rounds; where not all fit, the newest.

    Args:
        places: Each round with its cars, first place first; at least one.
        spin_outs: The cars that spun out, by round.
        own: The cars whose lines lie on top, and are wider.
        size: Columns and rows that it may take.
    """
    cars = len(places[0][1])
    high = 2 if 2 * cars + 1 <= size[1] else 1
    cells = round_cells(len(places), size[0])
    shown = places[-max(1, (size[0] - _MARGIN - 4) // cells) :]
    canvas: Canvas[Paint] = Canvas(_MARGIN + cells * len(shown) + 4, cars * high + 1)
    writings: list[Writing[Paint]] = []
    for car in sorted(shown[-1][1], key=lambda car: car not in own):
        ranks = [list(order).index(car) for _, order in shown]
        _course(canvas, ranks, high, cells, _line_paint(labels, car), is_own=car in own)
        for at, (number, _) in enumerate(shown):
            if car in spin_outs.get(number, ()):
                column = _MARGIN + at * cells + cells // 2
                writings.append(Writing(column, ranks[at] * high + high - 1, "✗", "red", bold=True))
    for rank in range(cars):
        writings.append(Writing(1, rank * high, str(rank + 1), "soft"))
        for column, order in ((3, shown[0][1]), (canvas.columns - 2, shown[-1][1])):
            body, ink = car_paints(labels.setup.cars[order[rank]].colour)
            canvas.rectangle((column - 1) * 8, rank * high * 16, 24, 16, body)
            writings.append(Writing(column, rank * high, labels.letters[order[rank]], ink, bold=True))
    for at, (number, _) in enumerate(shown):
        if cells > 2 or number % 5 == 0 or at == 0:
            writings.append(Writing(_MARGIN + at * cells, cars * high, f"{number:^{cells}}"[:cells], "soft"))
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings, _weight)


def _weight(paint: Paint) -> float:
    return 1.0 if paint == "ground" else _LINE_WEIGHT


def _line_paint(labels: RaceLabels, car: int) -> Paint:
    """Name the paint of a car's line; a black one would not be seen on a dark ground."""
    colour = labels.setup.cars[car].colour
    return "car-black-ring" if colour == "black" else car_paints(colour)[0]


def _course(
    canvas: Canvas[Paint], ranks: Sequence[int], high: int, cells: int, paint: Paint, *, is_own: bool
) -> None:
    """Draw the line of one car: level in the middle of a round, slanting between two."""
    width = _OWN_WIDTH if is_own else _WIDTH
    level = min(SAMPLES_ACROSS * cells * 0.25, 8.0)
    before: tuple[float, float] | None = None
    for at, rank in enumerate(ranks):
        x, y = SAMPLES_ACROSS * (_MARGIN + (at + 0.5) * cells), SAMPLES_DOWN * rank * high + width / 2
        if before is not None:
            canvas.line(before, (x - level, y), width, paint)
        canvas.rectangle(x - level - 1, y - width / 2, 2 * level + 2, width, paint)
        before = x + level, y


def heat_bars(
    engine: Sequence[int], most: int, cells: int, theme: ThemeName, first_column: int = _MARGIN
) -> list[Text]:
    """Draw the Heat in an engine after each round, with the number below.

    Args:
        engine: Heat after each round.
        most: Heat of a whole engine.
        cells: Columns for a round.
        first_column: Where the first round begins.
    """
    rows = 2
    canvas: Canvas[Paint] = Canvas(first_column + cells * len(engine) + 4, rows + 1)
    writings: list[Writing[Paint]] = []
    for at, heat in enumerate(engine):
        paint: Paint = "red-fill" if heat <= 1 else "amber-fill" if heat <= most // 2 else "green-fill"
        high = max(2, round(rows * SAMPLES_DOWN * min(heat, most) / max(1, most) / 2) * 2)
        left = (first_column + at * cells) * SAMPLES_ACROSS
        canvas.rectangle(left, rows * SAMPLES_DOWN - high, max(1, cells - 1) * SAMPLES_ACROSS, high, paint)
        ink: Paint = "red" if not heat else "ink"
        writings.append(Writing(first_column + at * cells, rows, f"{heat:^{max(1, cells - 1)}}", ink))
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings)


def round_cells(rounds: int, columns: int) -> int:
    """Give how many columns a round has in the chart of places."""
    room = columns - _MARGIN - 4
    return next((cells for cells in _ROUND_CELLS if rounds * cells <= room), _ROUND_CELLS[-1])
