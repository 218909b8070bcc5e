"""The last results and what they add up to, beside Home's menu."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.style import Style
from rich.text import Text

from heat_tui.flow.career_words import place_bar
from heat_tui.flow.last_results import last_results
from heat_tui.saved.career import career_of
from heat_tui.saved.finished import Finished
from heat_tui.theme.colours import CYAN, DIM, GOLD, GREEN, ON_GOLD, Theme, inked
from heat_tui.theme.glyphs import spelled
from heat_tui.words.labels import cut


def own_panel(races: Sequence[Finished], theme: Theme, *, is_ascii: bool) -> Text:
    """Draw the newest results, and the places of the last races as bars.

    Args:
        races: At least one, oldest first.
    """
    text = Text()
    text.append("last races\n", Style(bold=True, color=GOLD))
    for result in last_results(races, datetime.now(UTC).astimezone()):
        text.append(f" {result.place} ", ON_GOLD if result.place == 1 else Style(bold=True))
        board = cut(Text(result.board), 11, is_ascii=is_ascii)
        text.append(" ")
        text.append_text(board)
        text.append(" " * (12 - board.cell_len))
        ahead = result.gap.startswith("+")
        text.append(f"{result.gap:>9}", Style(color=GREEN) if ahead else Style())
        text.append(f"{result.when:>10}\n", DIM)
    career = career_of(races)
    text.append("\nyou\n", Style(bold=True, color=GOLD))
    for word, number in (("races", career.races), ("won", career.won), ("podiums", career.podiums)):
        text.append(f"{word} ", DIM)
        text.append(f"{number}   ", Style(bold=True))
    text.append("\nplaces ", DIM)
    for race in career.form:
        colour = GOLD if race.place == 1 else CYAN if race.place <= 3 else None
        sign = str(race.place) if is_ascii else place_bar(race.place, race.cars)
        text.append(f"{sign} ", Style(color=colour))
    return inked(spelled(text, is_ascii=is_ascii), theme)
