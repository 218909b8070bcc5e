"""The list of phases 5 and 6 in place of the hand: what can be used, its cost and effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_tui.race.rows import Hit, Row
from heat_tui.theme.colours import GOLD, GREEN
from heat_tui.theme.glyphs import ASCII
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut

_KEY_CELLS: Final = 6
_WORTH_CELLS: Final = 6
"""Of the column of keys, as long as none of them has a longer name."""


class ReactionList(TextPanel):
    """One line a thing to do; the selected one is marked.

    Where there are more than lines, those around the selected one are shown, with how many there are above
    the first and below the last.
    """

    _rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Draw the rows; a click does the same as the key."""
        self._rows = rows
        self.show_fitting(self._draw_rows)

    def _draw_rows(self) -> None:
        rows, height = self._rows, self.size.height or len(self._rows)
        selected = next((number for number, row in enumerate(rows) if row.is_selected), 0)
        first = max(0, min(selected - height // 2, len(rows) - height))
        shown = rows[first : first + height]
        marks = [""] * len(shown)
        if first:
            marks[0] += f" {self.glyphs.up}{first}"
        if below := len(rows) - first - len(shown):
            marks[-1] += f" {self.glyphs.down}{below}"
        cells = max([_KEY_CELLS, *(len(row.key) + 1 for row in rows)])
        drawn = zip(shown, marks, strict=True)
        lines = [self._drawn(row, mark, cells) for row, mark in drawn]
        self.show_lines(lines, [Hit((number, 0, 200, row.action)) for number, row in enumerate(shown)])

    def _drawn(self, row: Row, mark: str, key_cells: int) -> Text:
        room = (self.content_size.width or 200) - len(mark)
        style = Style(dim=not row.is_usable, bold=row.is_selected)
        line = Text(f"{self.glyphs.active if row.is_selected else ' '} ", style)
        line.append(f"{row.key:<{key_cells}}", Style(color=GOLD, bold=True, dim=not row.is_usable))
        if any(each.worth for each in self._rows):
            line.append(f"{row.worth:<{_WORTH_CELLS}}", Style(color=GREEN, bold=row.is_selected))
        line.append(row.text_for(room - line.cell_len), style)
        # What is cut all the same must not run into the mark or the instruments.
        line = cut(line, room, is_ascii=self.glyphs is ASCII)
        if mark:
            line.pad_right(room - line.cell_len)
            line.append(mark, Style(color=GOLD, bold=True))
        return line
