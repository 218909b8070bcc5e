"""The panels beside Home's menu: the last results, and what all own races add up to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_core.race.setup import Colour
from heat_tui.flow.career_words import form_text
from heat_tui.flow.last_results import LastResult, last_results
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, lines
from heat_tui.saved.career import Career
from heat_tui.saved.finished import Finished
from heat_tui.theme.colours import CAR_STYLES, DIM, GREEN, ON_GOLD, Theme, inked
from heat_tui.theme.glyphs import spelled
from heat_tui.theme.paints import Paint, style
from heat_tui.words.labels import cut

NEWCOMER: Final = "No finished races yet.\nFirst race is a short one that explains each phase as it comes."

_CHIPS: Final = {
    1: ON_GOLD,
    2: style("night", "card-ink", "card-shade", bold=True),
    3: style("night", "road-ink", "gravel", bold=True),
}
"""Of a place, as on the podium."""
_LAPS_FROM: Final = 40
"""Cells from which on there is room for the laps."""
_BOARD_CELLS: Final = 13
_BAR_CELLS: Final = 2
_PLOT_ROWS: Final = 3


def results_panel(races: Sequence[Finished], width: int, most: int, theme: Theme, *, is_ascii: bool) -> Text:
    """Write the newest results, a line each.

    Args:
        races: Oldest first.
        width: In cells.
        most: How many at most.
    """
    if not races:
        return inked(Text(NEWCOMER), theme)
    results = last_results(races, datetime.now(UTC).astimezone(), most)
    told = [_result_line(result, width, is_ascii=is_ascii) for result in results]
    return inked(spelled(Text("\n").join(told), is_ascii=is_ascii), theme)


def _result_line(result: LastResult, width: int, *, is_ascii: bool) -> Text:
    line = Text(f" {result.place} ", _CHIPS.get(result.place, Style(bold=True)), no_wrap=True)
    line = Text.assemble(line, " ", (cut(result.board, _BOARD_CELLS, is_ascii=is_ascii)))
    line.pad_right(5 + _BOARD_CELLS - line.cell_len)
    if width >= _LAPS_FROM:
        line.append(f"{result.laps:<6}", DIM)
    line.append(f"{result.gap:>9}", Style(color=GREEN) if result.gap.startswith("+") else Style())
    return line.append(f"{result.when:>{max(0, width - line.cell_len)}}", DIM)


def own_panel(
    name: str, colour: Colour, career: Career, width: int, theme: Theme, *, has_pictures: bool, is_ascii: bool
) -> Text:
    """Write who you are and what your races add up to, and plot the places of the last ones.

    Args:
        width: In cells.
        has_pictures: Whether the plot is drawn, else it is the places as digits.
    """
    text = Text(no_wrap=True)
    text.append("car ", DIM).append(f" {name[:1].upper()} ", CAR_STYLES[colour])
    text.append(f" {cut(name, width - 8, is_ascii=is_ascii)}\n", Style(bold=True))
    for word, number in (("races", career.races), ("won", career.won), ("podiums", career.podiums)):
        text.append(f"{word} ", DIM)
        text.append(f"{number}   ", Style(bold=True))
    races = career.plotted[-((width - 7) // (_BAR_CELLS + 1)) :]
    if not races:
        return inked(text, theme)
    if not has_pictures:
        text.append("\nplaces ", DIM).append(form_text(career.form))
        return inked(text, theme)
    for number, row in enumerate(_plot(races)):
        text.append("\nplaces " if number == _PLOT_ROWS - 1 else "\n       ", DIM).append_text(row)
    return inked(text, theme)


def _plot(races: Sequence[Finished]) -> list[Text]:
    """Draw places as bars, the newest last: the higher, the better."""
    canvas: Canvas[Paint] = Canvas(len(races) * (_BAR_CELLS + 1), _PLOT_ROWS)
    whole = _PLOT_ROWS * SAMPLES_DOWN
    for number, race in enumerate(races):
        high = max(2, round(whole * (race.cars - race.place + 1) / race.cars / 2) * 2)
        paint: Paint = "gold-fill" if race.place == 1 else "soft" if race.place <= 3 else "line"
        left = number * (_BAR_CELLS + 1) * SAMPLES_ACROSS
        canvas.rectangle(left, whole - high, _BAR_CELLS * SAMPLES_ACROSS, high, paint)
    canvas.fill("panel")
    return lines(canvas, partial(style, "night"))
