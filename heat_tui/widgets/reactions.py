"""The list of phases 5 and 6 in place of the hand: what can be used, its cost and effect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_tui.race.rows import Hit, Row
from heat_tui.theme.colours import GOLD, GREEN, ON_AMBER, ON_CYAN, ON_GOLD, ON_GREEN, PLATE
from heat_tui.theme.glyphs import ASCII
from heat_tui.theme.paints import style
from heat_tui.widgets.chips import CHIPS
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut

ROWS_BESIDE_HAND: Final = 8
"""As many are in sight at once where the hand stays beside them; where there are more, it goes."""
_KEY_CELLS: Final = 6
"""Of the column of keys, as long as none of them has a longer name."""
_WORTH_CELLS: Final = 6
_COLUMN_CELLS: Final = 46
"""What a row has at 80x24: where twice that fits, there are two columns."""
_TALL: Final = 7
"""From this height on there is a blank line between rows, where all fit with that."""
_WORDY_CELLS: Final = 60
"""From this width on what is out of sight is counted in words."""
_BAR: Final = style("night", "ink", "panel")
_SELECTED_BAR: Final = style("night", "ink", "raised", bold=True)
_IDLE_BAR: Final = style("night", "soft", "panel")
_SELECTED_IDLE_BAR: Final = style("night", "soft", "raised", bold=True)
_KEY: Final = style("night", "gold", "raised", bold=True)
_EFFECT: Final = style("night", "ink", "line", bold=True)
_STRESS: Final = style("night", "stress-ink", "stress", bold=True)
_PARTS: Final = (
    (re.compile(r"\bmust:"), PLATE),
    (re.compile(r"\bfree\b"), ON_GREEN),
    (re.compile(r"(?<=boost: )\d+ Heat|(?<=pay )\d+ Heat|(?<=pays )\d+ Heat|(?<=, )\d+ Heat"), ON_AMBER),
    (re.compile(r"\b(?:super )?cools? \d+(?: Heat)?"), ON_CYAN),
    (re.compile(r"\bdiscard \d+ Stress"), _STRESS),
    (re.compile(r"\+\S+(?: to \d+)? (?:speed|for flips)|\badds [\d-]+"), _EFFECT),
)
"""What a row costs and does, and how that is marked."""
_END: Final = re.compile(r"(?<!up )\bto (?:space )?\d+(?:-\d+| to \d+)?|(?<=stay on )space \d+")
"""Where a row leads; it is marked by what that costs."""


class ReactionList(TextPanel):
    """Things to do, a row each, with key, cost and effect as chips; the selected one is marked.

    Where there is room there are two columns, or a blank line between the rows. Where there are more rows
    than fit, those around the selected one are shown, with how many there are above and below.
    """

    _rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row], *, beside_hand: bool = False) -> None:
        """Draw the rows, beside the hand or in its place; a click does the same as the key."""
        self._rows = rows
        self.set_class(beside_hand, "-beside-hand")
        self.show_fitting(self._draw_rows)

    def _draw_rows(self) -> None:
        rows, height = self._rows, self.size.height or len(self._rows)
        width = self.content_size.width or 200
        columns = 2 if width >= 2 * _COLUMN_CELLS and len(rows) > 1 else 1
        selected = next((number for number, row in enumerate(rows) if row.is_selected), 0)
        most = height * columns
        first = max(0, min(selected - most // 2, len(rows) - most))
        shown = rows[first : first + most]
        marks = self._marks(first, len(shown), width)
        deep = -(-len(shown) // columns)
        apart = 2 if height >= _TALL and 2 * deep - 1 <= height else 1
        cells = width // columns - (columns > 1)
        keys = max([_KEY_CELLS, *(len(row.key) + 1 for row in rows)])
        lines = [Text() for _ in range((deep - 1) * apart + 1 if shown else 0)]
        hits: list[Hit] = []
        for place, (row, mark) in enumerate(zip(shown, marks, strict=True)):
            column, line = divmod(place, deep)
            left = column * (cells + 1)
            lines[line * apart].append(" " if column else "").append_text(self._drawn(row, mark, keys, cells))
            hits.append(Hit((line * apart, left, left + cells, row.action)))
        self.show_lines(lines, hits, rows[selected].action if rows else "")

    def _marks(self, above: int, shown: int, width: int) -> list[str]:
        """Say at the first and the last row in sight how many there are above and below."""
        marks = [""] * shown
        below = len(self._rows) - above - shown
        is_wordy = width >= _WORDY_CELLS
        if above:
            marks[0] += f" {above} more above" if is_wordy else f" {self.glyphs.up}{above}"
        if below:
            marks[-1] += f" {below} more below" if is_wordy else f" {self.glyphs.down}{below}"
        return marks

    def _drawn(self, row: Row, mark: str, key_cells: int, width: int) -> Text:
        room = width - len(mark)
        if row.is_usable:
            bar = _SELECTED_BAR if row.is_selected else _BAR
        else:
            bar = _SELECTED_IDLE_BAR if row.is_selected else _IDLE_BAR
        line = Text(f"{self.glyphs.active if row.is_selected else ' '} ", bar)
        line.append(f"{row.key:<{key_cells}}")
        if any(each.worth for each in self._rows):
            line.append(f"{row.worth:<{_WORTH_CELLS}}", Style(color=GREEN))
        start = line.cell_len
        line.append(row.text_for(room - start))
        # What is cut all the same must not run into the mark or the instruments.
        line = cut(line, room, is_ascii=self.glyphs is ASCII)
        if row.is_usable:
            line.stylize(ON_GOLD if row.is_selected else _KEY, 1, len(row.key) + 3)
            self._add_chips(line, row, start)
        line.pad_right(room - line.cell_len)
        if mark:
            line.append(mark, Style(color=GOLD, bold=True))
        return line

    @staticmethod
    def _add_chips(line: Text, row: Row, start: int) -> None:
        """Mark what a row costs and does in the words behind its key."""
        for pattern, chip in _PARTS:
            for part in pattern.finditer(line.plain, start):
                line.stylize(chip, *part.span())
        if row.price is not None and (end := _END.search(line.plain, start)):
            line.stylize(CHIPS[row.price], *end.span())
