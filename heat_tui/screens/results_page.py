"""The pages of results: blocks of lines, side by side where there is room, on pages where there is not."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.flow.results import ResultsController
from heat_tui.screens.results_picture import PODIUM_COLUMNS, heat_bars, places_chart, podium, round_cells
from heat_tui.theme.colours import BOLD, CAR_STYLES, DIM, GOLD
from heat_tui.theme.paints import ThemeName
from heat_tui.words.highlights import TITLES, highlight_place
from heat_tui.words.result_table import lap_chart, result_table, seed_text_lines, where_text

WIDE: Final = (116, 33)
"""Columns and rows from which on the podium is there, and blocks lie side by side."""
_MOMENTS_COLUMNS: Final = 36


class PageLook(NamedTuple):
    """How pages are drawn.

    Attributes:
        columns: Cells across.
        rows: Lines of a page.
        theme: Whose paints pictures have; None: letters in place of pictures.
        has_watch: Whether the moments can be watched from here, by their numbers.
    """

    columns: int
    rows: int
    theme: ThemeName | None
    has_watch: bool


def result_pages(results: ResultsController, bests: Sequence[str], look: PageLook) -> list[Text]:
    """Make the pages: places and figures first, then places over the rounds, then moments.

    Args:
        bests: Sentences on the own bests; empty while they are not known.
    """
    table = [*_lines(result_table(results.labels, results.view, results.figures, results.own))]
    table += [Text(line, Style(color=GOLD)) for text in bests for line in textwrap.wrap(text, 74)]
    is_wide = look.theme is not None and look.columns >= WIDE[0] and look.rows >= WIDE[1]
    if look.theme is not None and is_wide:
        upper = _beside(_podium(results, look.theme), PODIUM_COLUMNS + 1, table)
        room = look.columns - _MOMENTS_COLUMNS - 2
        chart = _chart(results, look, room)
        blocks = [upper, _beside(chart, room + 2, _moments(results, look, _MOMENTS_COLUMNS))]
    else:
        blocks = [table, _chart(results, look, look.columns), _moments(results, look, look.columns)]
    return _packed([block for block in blocks if block], look.rows)


def seed_page(results: ResultsController) -> Text:
    """Show what all cards were dealt from."""
    return seed_text_lines(results.events) or Text("The seed is not shown: the championship goes on with it.")


def _packed(blocks: Sequence[list[Text]], rows: int) -> list[Text]:
    """Put blocks on pages, as many on each as there is room for; a longer one is divided."""
    pages: list[list[Text]] = []
    for block in blocks:
        for first in range(0, len(block), rows):
            part = block[first : first + rows]
            if pages and len(pages[-1]) + 1 + len(part) <= rows:
                pages[-1] += [Text(), *part]
            else:
                pages.append([*part])
    return [Text("\n").join(page) for page in pages]


def _lines(text: Text) -> list[Text]:
    lines = [*text.split("\n")]
    while lines and not lines[-1].plain:
        lines.pop()
    return lines


def _beside(left: Sequence[Text], columns: int, right: Sequence[Text]) -> list[Text]:
    """Lay lines side by side, the right ones from a column on."""
    lines = []
    for row in range(max(len(left), len(right))):
        line = Text(end="")
        if row < len(left):
            line.append_text(left[row])
        if row < len(right):
            line.append(" " * (columns - line.cell_len))
            line.append_text(right[row])
        lines.append(line)
    return lines


def _podium(results: ResultsController, theme: ThemeName) -> list[Text]:
    wheres = [
        where_text(results.labels, results.view, results.figures[standing.car], standing.car)
        for standing in results.view.standings
    ]
    return podium(results.labels, results.view, wheres, theme)


def _chart(results: ResultsController, look: PageLook, columns: int) -> list[Text]:
    """Draw who was where after each round, as a picture or in letters."""
    if not results.places:
        return []
    heading = Text("places over the rounds", Style(bold=True, color=GOLD))
    if look.theme is None:
        return _lines(lap_chart(results.labels, results.view, results.figures, columns))
    rows = look.rows if look.rows < WIDE[1] else look.rows - 14
    engine, cars = results.engine, len(results.figures)
    bars = 4 if engine else 0
    if rows - bars - 1 < cars + 1:
        bars = 0
    size = (columns, rows - bars - 1)
    chart = [heading, *places_chart(
        results.labels, results.places, results.spin_outs, results.own, look.theme, size
    )]  # fmt: skip
    if bars:
        cells = round_cells(len(results.places), columns)
        shown = engine[-max(1, (columns - 10) // cells) :]
        most = results.labels.engine_size(results.view)
        chart.append(Text("      Heat in your engine after each round", DIM))
        chart += heat_bars(shown, most, cells, look.theme)
    return chart


def _moments(results: ResultsController, look: PageLook, columns: int) -> list[Text]:
    """List the moments that are worth watching, each with the key that shows it."""
    if not results.highlights:
        return []
    labels = results.labels
    lines = [Text("moments", Style(bold=True, color=GOLD))]
    for number, moment in enumerate(results.highlights, start=1):
        line = Text()
        line.append(f"{number} " if look.has_watch else "", Style(bold=True, color=GOLD))
        line.append(labels.letters[moment.car], CAR_STYLES[labels.setup.cars[moment.car].colour])
        line.append(f" {TITLES[moment.kind]}", BOLD)
        lines.append(line)
        told = f"{labels.names[moment.car]} {moment.what}; {highlight_place(labels, moment)}"
        lines += [Text(f"  {part}") for part in textwrap.wrap(told, columns - 3)]
    return lines
