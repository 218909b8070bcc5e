"""The lines of a room's list: the places first, then the spectators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text
from textual.widgets.option_list import Option

from heat_tui.flow.room_rows import Row
from heat_tui.screens.new_race import TrackList
from heat_tui.screens.rows import is_ascii, swatch
from heat_tui.theme.colours import inked

_NAME_CELLS: Final = 16
_COLOUR_CELLS: Final = 9


class PlaceList(TrackList):
    """The places and spectators of a room; one of them is chosen."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(id="places", markup=False)
        self._rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row], first: int) -> None:
        """List who is there; the choice stays on its line.

        Args:
            first: The line that is chosen as long as nobody has chosen another.
        """
        chosen, self._rows = self.highlighted, rows
        self.set_options([Option(inked(self._line(row), self.app.current_theme)) for row in rows])
        self.highlighted = min(first if chosen is None else chosen, len(rows) - 1)

    @property
    def chosen(self) -> Row | None:
        """The chosen line; None before there is any."""
        return None if self.highlighted is None else self._rows[self.highlighted]

    def _line(self, row: Row) -> Text:
        if row.place is None:
            return Text.assemble("-  ", (row.name, "bold"), f"  {row.marks[0]}")
        if not row.name:
            return Text(f"{row.place + 1}  -- free --", "dim")
        text = Text(f"{row.place + 1}  ")
        text.append(row.name, "bold")
        text.append(" " * (_NAME_CELLS + 1 - cell_len(row.name)))
        car = swatch(row.colour or "grey", ascii_only=is_ascii(self))
        car.pad_right(_COLOUR_CELLS - car.cell_len)
        text.append_text(car)
        # Three marks are wider than the column at 80x24; who is host here has a Start button besides.
        marks = [mark for mark in row.marks if len(row.marks) < 3 or mark != "host"]
        return text.append(row.driver or ", ".join("READY" if mark == "ready" else mark for mark in marks))
