"""Phase 5 and 6 in place of the hand: what can still be used, what it costs, what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.race.palette import GOLD
from heat_tui.widgets.panel import Hit, TextPanel


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

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Draw the rows; a click does the same as the key."""
        lines = []
        hits = []
        for number, row in enumerate(rows):
            mark = self.glyphs.active if row.is_selected else " "
            style = Style(dim=not row.is_usable, bold=row.is_selected)
            line = Text(f"{mark} ", style)
            line.append(f"{row.key:<6}", Style(color=GOLD, bold=True, dim=not row.is_usable))
            line.append(row.text, style)
            lines.append(line)
            if row.is_usable:
                hits.append(Hit((number, 0, 200, row.action)))
        self.show_lines(lines, hits)
