"""Places over the rounds, and the Heat of an engine, as pictures on the same columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.text import Text

from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, Writing, lines
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import car_paints
from heat_tui.theme.paints import Paint, ThemeName, style

_MARGIN: Final = 6
"""Cells in front of the first round: place, letter, a gap."""
_BEHIND: Final = 4
"""Cells behind the last one: a gap, letter."""
_LEAST_CELLS: Final = 2
_MOST_CELLS: Final = 20
"""Columns of a round."""
_MOST_ROWS: Final = 5
"""Rows of a place."""
_WIDTH: Final = 6.0
_OWN_WIDTH: Final = 10.0
"""Of lines, in samples. They lie at the bottom of their cells, where the eighths of a cell fit them."""
_LINE_WEIGHT: Final = 3.0
_BAR_COLUMNS: Final = 8
_MOST_BAR_ROWS: Final = 5

LEAST_HEAT_ROWS: Final = 3
"""Rows that `heat_bars` needs."""


class ChartColumns(NamedTuple):
    """Which rounds are drawn, and where.

    Attributes:
        cells: Columns for a round.
        first: Place of the first round that is drawn among all.
        rounds: How many are drawn.
    """

    cells: int
    first: int
    rounds: int

    @classmethod
    def fitting(cls, rounds: int, columns: int) -> ChartColumns:
        """Use all columns there are; where not all rounds fit, the newest are drawn."""
        room = max(1, columns - _MARGIN - _BEHIND)
        cells = min(_MOST_CELLS, max(_LEAST_CELLS, room // rounds))
        drawn = min(rounds, max(1, room // cells))
        return cls(cells, rounds - drawn, drawn)

    @property
    def columns(self) -> int:
        """Of the whole chart."""
        return _MARGIN + self.cells * self.rounds + _BEHIND

    def left(self, at: int) -> int:
        """Give the first column of a round that is drawn, counted from 0."""
        return _MARGIN + self.cells * at


def place_rows(cars: int, rows: int) -> int:
    """Give how many rows a place has in a chart of so many rows, the round's numbers among them."""
    return max(1, min(_MOST_ROWS, (rows - 1) // cars))


def places_chart(
    labels: RaceLabels,
    places: Sequence[tuple[int, Sequence[int]]],
    spin_outs: Mapping[int, frozenset[int]],
    own: Sequence[int],
    theme: ThemeName,
    across: ChartColumns,
    rows: int,
    *,
    shown: float = 1.0,
) -> list[Text]:
    """Draw a line for each car over the rounds.

    Args:
        places: Each round with its cars, first place first; at least one.
        spin_outs: The cars that spun out, by round.
        own: The cars whose lines lie on top, and are wider.
        across: Of all these rounds.
        rows: That it may take, one more than cars at least.
        shown: Which part of the rounds is drawn already, in [0.0, 1.0].
    """
    drawn = places[across.first :]
    high = place_rows(len(drawn[0][1]), rows)
    line_row = (high - 1) // 2
    cars = len(drawn[0][1])
    canvas: Canvas[Paint] = Canvas(across.columns, cars * high + 1)
    writings: list[Writing[Paint]] = []
    until = round(shown * len(drawn))
    for car in sorted(drawn[-1][1], key=lambda car: car not in own):
        ranks = [list(order).index(car) for _, order in drawn[:until]]
        for at, rank in enumerate(ranks):
            if car in spin_outs.get(drawn[at][0], ()):
                column, row = across.left(at) + across.cells // 2, rank * high + line_row
                canvas.rectangle(
                    column * SAMPLES_ACROSS, row * SAMPLES_DOWN, SAMPLES_ACROSS, SAMPLES_DOWN, "red-fill"
                )
                writings.append(Writing(column, row, "✗", "red-ink", bold=True))
        rows_of_line = [rank * high + line_row for rank in ranks]
        _course(canvas, rows_of_line, across, _line_paint(labels, car), is_own=car in own)
    for rank in range(cars):
        row = rank * high + line_row
        writings.append(Writing(1, row, str(rank + 1), "soft"))
        ends = ((3, drawn[0][1]), (canvas.columns - 2, drawn[-1][1]))
        for column, order in ends if until == len(drawn) else ends[:1]:
            body, ink = car_paints(labels.setup.cars[order[rank]].colour)
            canvas.rectangle((column - 1) * SAMPLES_ACROSS, row * SAMPLES_DOWN, 24, SAMPLES_DOWN, body)
            writings.append(Writing(column, row, labels.letters[order[rank]], ink, bold=True))
    for at, (number, _) in enumerate(drawn):
        if across.cells > 2 or number % 5 == 0 or at == 0:
            name = f"{number:^{across.cells}}"[: across.cells]
            writings.append(Writing(across.left(at), cars * high, name, "soft"))
        if at % 2:
            left, width = across.left(at) * SAMPLES_ACROSS, across.cells * SAMPLES_ACROSS
            canvas.rectangle(left, 0, width, cars * high * SAMPLES_DOWN, "panel")
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings, _weight)


def _weight(paint: Paint) -> float:
    return 1.0 if paint in ("ground", "panel") else _LINE_WEIGHT


def _line_paint(labels: RaceLabels, car: int) -> Paint:
    """Name the paint of a car's line; a black one would not be seen on a dark ground."""
    colour = labels.setup.cars[car].colour
    return "car-black-ring" if colour == "black" else car_paints(colour)[0]


def _course(
    canvas: Canvas[Paint], rows: Sequence[int], across: ChartColumns, paint: Paint, *, is_own: bool
) -> None:
    """Draw the line of one car: level in the middle of a round, slanting between two.

    Args:
        rows: Of the canvas, for each round.
    """
    width = _OWN_WIDTH if is_own else _WIDTH
    level = max(1, across.cells // 4)
    before: tuple[float, float] | None = None
    for at, row in enumerate(rows):
        middle = across.left(at) + across.cells // 2
        # Whole cells: a sample that reaches into the next one would show as a stroke over all its height.
        left, right = (middle - level) * SAMPLES_ACROSS, (middle + level) * SAMPLES_ACROSS
        y = SAMPLES_DOWN * (row + 1) - width / 2
        if before is not None:
            canvas.line(before, (left, y), width, paint)
        canvas.rectangle(left, y - width / 2, right - left, width, paint)
        before = right, y


def heat_bars(
    engine: Sequence[int],
    most: int,
    theme: ThemeName,
    across: ChartColumns,
    rows: int,
    *,
    shown: float = 1.0,
) -> list[Text]:
    """Draw the Heat in an engine after each round, each as the filled part of a whole engine.

    Args:
        engine: Heat after each round of the chart.
        most: Heat of a whole engine.
        across: Of the chart above.
        rows: That it may take, `LEAST_HEAT_ROWS` at least.
        shown: Which part of the rounds is drawn already, in [0.0, 1.0].
    """
    bar_rows = min(_MOST_BAR_ROWS, rows - 1)
    canvas: Canvas[Paint] = Canvas(across.columns, bar_rows + 1)
    writings: list[Writing[Paint]] = []
    whole = bar_rows * SAMPLES_DOWN
    width = max(1, min(_BAR_COLUMNS, across.cells - 1))
    drawn = engine[across.first :]
    for at, heat in enumerate(drawn[: round(shown * len(drawn))]):
        paint: Paint = "red-fill" if heat <= 1 else "amber-fill" if heat <= most // 2 else "green-fill"
        high = round(whole * min(heat, most) / max(1, most) / 2) * 2
        column = across.left(at) + (across.cells - width) // 2
        left = column * SAMPLES_ACROSS
        canvas.rectangle(left, whole - high, width * SAMPLES_ACROSS, high, paint)
        canvas.rectangle(left, 0, width * SAMPLES_ACROSS, whole, "raised")
        ink: Paint = "red" if not heat else "ink"
        writings.append(Writing(column, bar_rows, f"{heat:^{width}}", ink))
    canvas.fill("ground")
    return lines(canvas, partial(style, theme), writings)
