"""Phase 5 and 6 in place of the hand: what can still be used, what it costs, what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.labels import cut
from heat_tui.race.glyphs import ASCII
from heat_tui.race.palette import GOLD
from heat_tui.widgets.panel import Hit, TextPanel

_KEY_CELLS: Final = 6
"""Of the column of keys, as long as none of them has a longer name."""


class Row(NamedTuple):
    """One thing to do.

    Attributes:
        key: That does it.
        action: Of a click.
    """

    key: str
    text: str
    action: str
    is_usable: bool
    is_selected: bool


class ReactionList(TextPanel):
    """One line a thing to do; the selected one is marked."""

    _rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Draw the rows; a click does the same as the key."""
        self._rows = rows
        self.show_fitting(self._draw_rows)

    def _draw_rows(self) -> None:
        lines = []
        hits = []
        cells = max(_KEY_CELLS, *(len(row.key) + 1 for row in self._rows)) if self._rows else _KEY_CELLS
        for number, row in enumerate(self._rows_in_sight()):
            mark = self.glyphs.active if row.is_selected else " "
            style = Style(dim=not row.is_usable, bold=row.is_selected)
            line = Text(f"{mark} ", style)
            line.append(f"{row.key:<{cells}}", Style(color=GOLD, bold=True, dim=not row.is_usable))
            line.append(row.text, style)
            # The panel's last column stays free: what is cut must not run into the instruments.
            room = self.content_size.width or 200
            lines.append(cut(line, room, is_ascii=self.glyphs is ASCII))
            if row.is_usable:
                hits.append(Hit((number, 0, 200, row.action)))
        self.show_lines(lines, hits)

    def _rows_in_sight(self) -> Sequence[Row]:
        """Leave out what does not fit: first what cannot be used, then what is far from the selection."""
        rows, height = self._rows, self.size.height
        if height and len(rows) > height:
            rows = [row for row in rows if row.is_usable]
        if not height or len(rows) <= height:
            return rows
        selected = next((number for number, row in enumerate(rows) if row.is_selected), 0)
        first = max(0, selected - height + 1)
        return rows[first : first + height]
