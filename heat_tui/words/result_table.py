"""The results of a race as text: places, figures, and the positions in each round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import set_cell_size
from rich.style import Style
from rich.text import Text

from heat_core.race import events as e
from heat_core.record.figures import RaceFigures
from heat_core.rng import seed_commitment
from heat_core.sentences.events import seed_text
from heat_core.view.race_view import RaceView
from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import BOLD, CAR_STYLES, GOLD
from heat_tui.theme.paints import style
from heat_tui.words.result_words import gap_column

_LEAST_NAME_CELLS: Final = 8
_MOST_NAME_CELLS: Final = 20
_WIDTHS: Final = (11, 8, 6, 5, 5, 12, 9)
_HEADINGS: Final = (
    ("", "", "top", "Heat", "spun", "", "corners"),
    ("lap/space", "gap", "speed", "paid", "out", "slipstreams", "pressed"),
)
_CELLS_BEFORE_NAMES: Final = 5
TABLE_CELLS: Final = 78
"""How wide the table of results is where nothing else is said."""
_DIM = Style(dim=True)
_OWN_ROW: Final = style("night", "ink", "raised", bold=True)
PLACE_STYLES: Final = {
    1: Style(bold=True, color=GOLD),
    2: style("night", "silver-edge", bold=True),
    3: style("night", "bronze-edge", bold=True),
}
"""Of the number of a place in a table."""


PRESSED_EXPLAINED: Final = "Pressed: corners crossed 2 or more above the limit, or in a slipstream."

FALSE_SEED: Final = "This seed does not match the hash shown at the start: do not trust the result"


def result_table(
    labels: RaceLabels,
    view: RaceView,
    figures: Sequence[RaceFigures],
    own: Sequence[int],
    width: int = TABLE_CELLS,
) -> Text:
    """Make the table: two lines of headings, then a line a car, best first.

    Args:
        figures: Of each car.
        own: The seats played here.
        width: In cells; names are cut to it.
    """
    text = Text()
    names, *others = _widths(width)
    for words in _HEADINGS:
        text.append(" " * (_CELLS_BEFORE_NAMES + names) + _columns(words, others) + "\n", _DIM)
    for standing in view.standings:
        row = _table_row(labels, view, figures, standing.car, (names, *others))
        if standing.car in own:
            row = own_row(row, _CELLS_BEFORE_NAMES + names + sum(others))
        text.append_text(row).append("\n")
    return text


def _widths(width: int) -> list[int]:
    """Share a width out among the names and the other columns: names get what is there, up to a bound."""
    room = width - _CELLS_BEFORE_NAMES - sum(_WIDTHS)
    names = min(_MOST_NAME_CELLS, max(_LEAST_NAME_CELLS, room))
    more = max(0, room - names) // len(_WIDTHS)
    return [names, *(cells + more for cells in _WIDTHS)]


def _table_row(
    labels: RaceLabels, view: RaceView, figures: Sequence[RaceFigures], car: int, widths: Sequence[int]
) -> Text:
    told, place = figures[car], [standing.car for standing in view.standings].index(car) + 1
    cells = [where_text(labels, view, told, car), gap_column(labels, view, figures, car), f"{told.top_speed}"]
    if not view.cars[car].is_legend:
        counts = told.heat_paid, told.spin_outs, told.slipstreams, told.corners_pressed
        cells += [f"{count}" for count in counts]
    name = set_cell_size(labels.names[car], widths[0])
    return Text.assemble(
        " ",
        (f"{place:<2}", PLACE_STYLES.get(place, Style())),
        (labels.letters[car], CAR_STYLES[labels.setup.cars[car].colour]),
        f" {name}{_columns(cells, widths[1:])}",
    )


def own_row(row: Text, width: int) -> Text:
    """Mark a row of a table, which begins with a blank, as the player's own, over a width in cells."""
    own = Text.assemble(("▸", Style(color=GOLD)), row[1:])
    own.append(" " * (width - own.cell_len))
    own.stylize_before(_OWN_ROW)
    return own


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))


def where_text(labels: RaceLabels, view: RaceView, figures: RaceFigures, car: int) -> str:
    """Say where a car ended: how far beyond the finish line, or lap and space."""
    if view.cars[car].status == "gave_up":
        return "gave up"
    progress = final_progress(view, figures, car)
    beyond = progress - labels.track.finish_line(labels.setup.laps)
    if beyond > 0:
        return f"finish +{beyond}"
    return f"{labels.track.lap(progress)}/{labels.track.space(progress)}"


def final_progress(view: RaceView, figures: RaceFigures, car: int) -> int:
    """Say how far a car came."""
    return figures.progress[-1] if figures.progress else view.cars[car].progress


def places_by_round(view: RaceView, figures: Sequence[RaceFigures]) -> list[list[int]]:
    """Order the cars after each round, the leader first; after the last as they are ranked.

    In a race that is not over, its round under way counts as one.
    """
    rounds = max(len(told.progress) for told in figures)
    final = [standing.car for standing in view.standings]
    if not final:
        rounds += 1
        final = [*view.ranking]
    orders = []
    for number in range(rounds):
        # Where two stood in one space, the record of places says no more: the better at the end goes first.
        orders.append(sorted(final, key=lambda car: -_progress(figures[car], number)))
    return [*orders[:-1], final]


def _progress(figures: RaceFigures, number: int) -> int:
    return figures.progress[number] if number < len(figures.progress) else 0


def seed_text_lines(events: Sequence[e.Event]) -> Text:
    """Tell what all cards were dealt from, and whether that is what was promised at the start (CORE-16).

    Args:
        events: Of the race; nothing is shown if its end has no seed, and no promise without its start.
    """
    seeds = [event.seed for event in events if isinstance(event, e.RaceEnded)]
    if not seeds or seeds[-1] is None:
        return Text()
    promises = [event.seed_commitment for event in events if isinstance(event, e.RaceSetUp)]
    return promise_text(seeds[-1], promises[0] if promises else None)


def promise_text(seed: str, commitment: str | None) -> Text:
    """Tell a seed, and whether it is the one whose hash was shown at the start.

    Args:
        commitment: That hash; None: it has not been seen.
    """
    text = Text()
    text.append(f"\nAll cards were dealt from the seed {seed_text(seed)}\n", _DIM)
    if commitment == seed_commitment(seed):
        text.append(f"Its hash is the one shown at the start: {commitment}\n", _DIM)
    elif commitment is not None:
        text.append(f"{FALSE_SEED}\n", BOLD)
    return text


_ROUND_CELLS = (4, 3, 2)
"""Cells for a round in the chart, the widest that fits first."""


def cars_key(labels: RaceLabels, width: int) -> list[Text]:
    """Say whose each letter of a chart is, as many cars to a line as fit a width in cells."""
    lines = [Text(" ")]
    for letter, name, car in zip(labels.letters, labels.names, labels.setup.cars, strict=True):
        entry = Text.assemble((letter, CAR_STYLES[car.colour]), f" {name}")
        if lines[-1].cell_len > 1 and lines[-1].cell_len + entry.cell_len > width:
            lines.append(Text(" "))
        lines[-1].append_text(entry).append("  ")
    return lines


def lap_chart(
    labels: RaceLabels,
    view: RaceView,
    figures: Sequence[RaceFigures],
    width: int,
    *,
    marked: int | None = None,
) -> Text:
    """Draw who was where after each round, as far as they fit a width in cells: the newest.

    Args:
        marked: A round that is marked, and fits in any case; None: none is.
    """
    orders = places_by_round(view, figures)
    cells = next((cells for cells in _ROUND_CELLS if len(orders) * cells <= width - 8), _ROUND_CELLS[-1])
    fitting = max(1, (width - 8) // cells)
    begin = max(0, len(orders) - fitting)
    first = view.round - len(orders) + 1
    if marked is not None:
        begin = max(0, min(begin, marked - first))
    shown = orders[begin : begin + fitting]
    first += begin
    numbers = "".join(
        f"{number if cells > 2 or number % 5 == 0 or number == first else '':<{cells}}"
        for number in range(first, first + len(shown))
    )
    text = Text()
    text.append(f"{'round':>6} {numbers}\n", _DIM)
    for place in range(len(shown[0])):
        text.append(f"{place + 1:>5}  ", _DIM)
        for order in shown:
            car = order[place]
            text.append(labels.letters[car], CAR_STYLES[labels.setup.cars[car].colour])
            text.append(" " * (cells - 1))
        text.append("\n")
    if marked is not None and first <= marked < first + len(shown):
        text.append(" " * (7 + cells * (marked - first)) + "^\n")
    return text
