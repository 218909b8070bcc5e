"""The pages of results: blocks of lines, side by side where there is room, on pages where there is not."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.flow.results import ResultsController
from heat_tui.race.rows import Hit
from heat_tui.screens.blocks import Block, below, beside, pages_of
from heat_tui.screens.results_chart import LEAST_HEAT_ROWS, ChartColumns, heat_bars, place_rows, places_chart
from heat_tui.screens.results_picture import BIG, SMALL, podium, podium_cars
from heat_tui.theme.colours import DIM, GOLD
from heat_tui.theme.paints import Paint, ThemeName, style
from heat_tui.words.highlights import TITLES, Highlight, HighlightKind, highlight_place
from heat_tui.words.result_table import (
    PRESSED_EXPLAINED,
    TABLE_CELLS,
    lap_chart,
    result_table,
    seed_text_lines,
    where_text,
)

WIDE: Final = (116, 32)
"""Columns and rows from which on the podium is there, and blocks lie side by side."""
_NOTE_FROM: Final = 24
"""Rows from which on there is room to explain a column."""
_BIG: Final = (160, 50)
"""The same for the big podium."""
_LEAST_ROUNDS: Final = 2
"""Of a race that a chart says something about."""
_MOMENT_COLUMNS: Final = 38
_MOST_MOMENT_COLUMNS: Final = 52
_TITLE: Final = Style(bold=True, color=GOLD)
_SIGNS: Final[Mapping[HighlightKind, tuple[str, Paint]]] = {
    "spin_out": ("✗", "red"),
    "slipstream": ("»", "cyan"),
    "corner": ("▲", "amber"),
    "top_speed": ("★", "green"),
    "lead": ("↑", "gold"),
}
"""The sign of each kind of moment and its paint."""


class Reveal(NamedTuple):
    """How much is there already of what comes bit by bit.

    Attributes:
        steps: Steps of the podium, from the third place on.
        rounds: The part of the rounds in the chart, in [0.0, 1.0].
    """

    steps: int
    rounds: float


ALL: Final = Reveal(3, 1.0)


class PageLook(NamedTuple):
    """How pages are drawn.

    Attributes:
        columns: Cells across.
        rows: Lines of a page.
        theme: Whose paints pictures have; None: letters in place of pictures.
        has_watch: Whether the moments can be watched from here, by their numbers.
        reveal: What is there already.
    """

    columns: int
    rows: int
    theme: ThemeName | None
    has_watch: bool
    reveal: Reveal = ALL

    @property
    def is_wide(self) -> bool:
        """Whether blocks lie side by side."""
        return self.theme is not None and self.columns >= WIDE[0] and self.rows >= WIDE[1]


def result_pages(results: ResultsController, bests: Sequence[str], look: PageLook) -> list[Block]:
    """Make the pages: places and figures first, then places over the rounds, then moments.

    Args:
        bests: Sentences on the own bests; empty while they are not known.
    """
    if look.theme is not None and look.is_wide:
        return pages_of(_wide_blocks(results, bests, look, look.theme), look.rows)
    has_note = look.rows >= _NOTE_FROM
    table = _table(results, bests, min(look.columns, TABLE_CELLS), is_spaced=False, has_note=has_note)
    rest = look.rows - len(table.lines) - 1
    chart = _chart(results, look, look.columns, rest if rest > len(results.figures) + 1 else look.rows)
    blocks = [table, chart, _moments(results, look, look.columns, look.rows)]
    return pages_of([block for block in blocks if block.lines], look.rows)


def _wide_blocks(
    results: ResultsController, bests: Sequence[str], look: PageLook, theme: ThemeName
) -> list[Block]:
    """Lay the table beside the podium, and the moments beside the chart."""
    upper = _podium_and_table(results, bests, look, theme)
    aside = min(_MOST_MOMENT_COLUMNS, max(_MOMENT_COLUMNS, look.columns // 4))
    left = look.columns - aside - 2
    chart = _chart(results, look, left, look.rows - len(upper.lines) - 1)
    rest = look.rows - len(upper.lines) - 1
    moments = _moments(results, look, aside, rest)
    return [block for block in (upper, beside(chart, left + 2, moments)) if block.lines]


def _podium_and_table(
    results: ResultsController, bests: Sequence[str], look: PageLook, theme: ThemeName
) -> Block:
    """Lay the table beside the podium; without one where nobody has won."""
    if results.view.end != "finished":
        return _table(results, bests, look.columns, is_spaced=False)
    is_big = look.columns >= _BIG[0] and look.rows >= _BIG[1]
    size = BIG if is_big else SMALL
    wheres = [
        where_text(results.labels, results.view, results.figures[standing.car], standing.car)
        for standing in results.view.standings
    ]
    cars = podium_cars(results.labels, results.view, wheres)
    steps = Block(podium(cars, size, theme, look.reveal.steps))
    rows = size.rows - 3 - len(bests)
    is_spaced = rows >= 2 * len(results.view.standings)
    table = _table(results, bests, look.columns - size.columns - 1, is_spaced=is_spaced)
    return beside(steps, size.columns + 1, table)


def seed_page(results: ResultsController) -> Text:
    """Show what all cards were dealt from."""
    return seed_text_lines(results.events) or Text("The seed stays hidden until the championship ends.")


def _lines(text: Text) -> list[Text]:
    lines = [*text.split("\n")]
    while lines and not lines[-1].plain:
        lines.pop()
    return lines


def _table(
    results: ResultsController, bests: Sequence[str], columns: int, *, is_spaced: bool, has_note: bool = True
) -> Block:
    """Make the table, with a word on pressed corners and the sentences on the own bests below."""
    heading, units, *rows = _lines(
        result_table(results.labels, results.view, results.figures, results.own, columns)
    )
    table = [heading, units]
    for row in rows:
        table += [Text(), row] if is_spaced and len(table) > 2 else [row]
    if has_note:
        table += [Text(line, DIM) for line in textwrap.wrap(PRESSED_EXPLAINED, columns - 2)]
    told = [Text(line, _TITLE) for text in bests for line in textwrap.wrap(text, columns - 2)]
    return Block([*table, *([Text()] if is_spaced and told else []), *told])


def _chart(results: ResultsController, look: PageLook, columns: int, rows: int) -> Block:
    """Draw who was where after each round, as a picture or in letters."""
    if len(results.places) < _LEAST_ROUNDS:
        return Block([])
    if look.theme is None:
        return Block(_lines(lap_chart(results.labels, results.view, results.figures, columns)))
    heading = Text("Places over the rounds", _TITLE)
    if any(results.spin_outs.values()):
        heading.append("   ")
        heading.append("✗", style("night", "red-ink", "red-fill", bold=True))
        heading.append(" spin-out", DIM)
    across = ChartColumns.fitting(len(results.places), columns)
    cars, engine = len(results.figures), results.engine
    has_bars = bool(engine) and rows - 2 - LEAST_HEAT_ROWS > cars
    room = rows - 1 - (1 + LEAST_HEAT_ROWS if has_bars else 0)
    chart_rows = min(room, 1 + cars * place_rows(cars, room))
    drawn = places_chart(
        results.labels, results.places, results.spin_outs, results.own, look.theme, across, chart_rows,
        shown=look.reveal.rounds,
    )  # fmt: skip
    chart = [heading, *drawn]
    if has_bars:
        chart.append(Text("Heat in your engine after each round", _TITLE))
        most = results.labels.engine_size(results.view)
        left = rows - len(chart)
        chart += heat_bars(engine, most, look.theme, across, left, shown=look.reveal.rounds)
    return Block(chart)


def _moments(results: ResultsController, look: PageLook, columns: int, rows: int) -> Block:
    """List the moments that are worth watching, each with the key that shows it, as loosely as fits."""
    if not results.highlights:
        return Block([])
    for gap, has_place in ((1, True), (0, True), (0, False)):
        block = Block([Text("Moments", _TITLE)])
        for number, moment in enumerate(results.highlights, start=1):
            key = number if look.has_watch else 0
            shown = _moment(results, moment, key, columns, has_place=has_place)
            block = below(block, shown, gap=gap if number > 1 else 0)
        if len(block.lines) <= rows:
            break
    return block


def _moment(
    results: ResultsController, moment: Highlight, number: int, columns: int, *, has_place: bool
) -> Block:
    """Draw one moment on a panel with a bar in its paint.

    Args:
        number: The key that shows it; 0: it cannot be watched from here.
        has_place: Whether round and space have a line of their own; else the round ends the first one.
    """
    sign, paint = _SIGNS[moment.kind]
    title = Text.assemble((f"{sign} ", style("night", paint, bold=True)), (TITLES[moment.kind], "bold"))
    if number:
        title.append("  ").append(f"{number}", _TITLE).append(" watch" if has_place else "", DIM)
    if not has_place:
        title.append(f"  round {moment.round}", DIM)
    told = f"{results.labels.names[moment.car]} {moment.what}"
    lines = [title, *(Text(f"  {part}") for part in textwrap.wrap(told, columns - 5))]
    if has_place:
        lines.append(Text.assemble((f"  {highlight_place(results.labels, moment)}", DIM)))
    panel = []
    for line in lines:
        row = Text.assemble(("▌", style("night", paint)), " ", line)
        row.append(" " * (columns - row.cell_len))
        row.stylize_before(style("night", None, "panel"))
        panel.append(row)
    hits = [Hit((row, 0, columns, f"moment({number})")) for row in range(len(panel))] if number else ()
    return Block(panel, tuple(hits))
