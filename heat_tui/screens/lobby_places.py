"""The lines of a room's list: the places first, then the spectators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.binding import Binding
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from heat_tui.flow.room_rows import Row
from heat_tui.keys.bindings import keys_of
from heat_tui.race.letters import car_letters
from heat_tui.screens.new_race import TrackList
from heat_tui.screens.rows import is_ascii
from heat_tui.theme.colours import AMBER, CAR_STYLES, DIM, GREEN, ON_AMBER, ON_GREEN, inked
from heat_tui.theme.paints import Paint, theme_named
from heat_tui.widgets.car_pictures import SMALL_COLUMNS, small_car
from heat_tui.widgets.marked_list import MARK_CELLS
from heat_tui.words.labels import cut

_NAME_CELLS: Final = 16
_COLOUR_CELLS: Final = 7
_PICTURED: Final = (58, 34)
"""Columns of the list and rows of the screen from which on a place has two lines, and its car a picture."""
_FREE: Final = "{lobby.bot} adds a bot, {lobby.legend} a Legend"
_MARKS: Final = {
    "ready": ("READY", Style(bold=True, color=GREEN)),
    "not ready": ("not ready", Style(color=AMBER)),
}
_STATES: Final = {"ready": (" ✓ ready ", ON_GREEN), "not ready": (" … not ready ", ON_AMBER)}


class PlaceList(TrackList):
    """The places and spectators of a room; one of them is chosen. Right goes to the settings beside it."""

    BINDINGS = [Binding("right", "screen.to_settings", show=False)]

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(id="places", markup=False)
        self._rows: Sequence[Row] = ()
        self._letters: Sequence[str] = ()
        self._shown_chosen = 0
        self._is_host = False

    def show_rows(self, rows: Sequence[Row], first: int, *, is_host: bool) -> None:
        """List who is there; the choice stays on its line.

        Args:
            first: The line that is chosen as long as nobody has chosen another.
            is_host: Whether free places can be filled from here.
        """
        chosen, self._rows, self._is_host = self.highlighted, rows, is_host
        letters = iter(car_letters([row.name for row in rows if row.place is not None and row.name]))
        self._letters = [next(letters) if row.place is not None and row.name else "" for row in rows]
        at = self._shown_chosen = min(first if chosen is None else chosen, len(rows) - 1)
        self.set_options(
            [Option(self._prompt(number, is_chosen=number == at)) for number in range(len(rows))]
        )
        self.highlighted = at

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Draw the cars of the line that was left and of the chosen one on their grounds."""
        if self._has_pictures and self._shown_chosen != self.highlighted is not None:
            for number in {min(self._shown_chosen, len(self._rows) - 1), self.highlighted}:
                prompt = self._prompt(number, is_chosen=number == self.highlighted)
                self.replace_option_prompt_at_index(number, prompt)
            self._shown_chosen = self.highlighted

    def _prompt(self, number: int, *, is_chosen: bool) -> Text:
        row, letter = self._rows[number], self._letters[number]
        ground: Paint = "raised" if is_chosen else "ground"
        line = self._pictured(row, letter, ground) if self._has_pictures else self._line(row, letter)
        return inked(line, self.app.current_theme)

    def on_resize(self) -> None:
        """Give each place as many lines as there is room for."""
        if self._rows:
            self.show_rows(self._rows, 0, is_host=self._is_host)

    @property
    def chosen(self) -> Row | None:
        """The chosen line; None before there is any."""
        return None if self.highlighted is None else self._rows[self.highlighted]

    @property
    def _has_pictures(self) -> bool:
        columns, rows = _PICTURED
        is_roomy = self.content_size.width >= columns and self.screen.size.height >= rows
        return is_roomy and not is_ascii(self)

    def _line(self, row: Row, letter: str) -> Text:
        """Say who has a place in one line."""
        if row.place is None:
            return Text.assemble("-  ", (row.name, "bold"), f"  {row.marks[0]}")
        if not row.name:
            return Text(f"{row.place + 1}  -- free --", "dim")
        text = Text.assemble(f"{row.place + 1} ", (letter, _car(row)), " ", (row.name, "bold"))
        text.append(" " * (_NAME_CELLS + 1 - cell_len(row.name)))
        text.append(f"{row.colour or '':<{_COLOUR_CELLS}}")
        # Three marks are wider than the column at 80x24; who is host here has a Start button besides.
        marks = [mark for mark in row.marks if len(row.marks) < 3 or mark != "host"]
        text.append(row.driver)
        for number, mark in enumerate(marks):
            text.append(", " if number else "")
            text.append(*_MARKS.get(mark, (mark, None)))
        return text.append(_more_time(row))

    def _pictured(self, row: Row, letter: str, ground: Paint) -> Text:
        """Draw who has a place in two lines, with the car."""
        if row.place is None:
            return self._line(row, letter)
        width = self.content_size.width - MARK_CELLS - 1
        if not row.name:
            text = Text(f"{row.place + 1}  {' ' * SMALL_COLUMNS}  free\n", DIM)
            return text.append(f"   {' ' * SMALL_COLUMNS}  {keys_of(self).fill(_FREE)}" * self._is_host, DIM)
        theme = theme_named(self.app.current_theme.name)
        upper, lower = small_car(row.colour or "grey", theme, ground)
        name = cut(row.name, _NAME_CELLS + 6, is_ascii=False)
        first = Text.assemble(f"{row.place + 1}  ", upper, "  ", (f" {letter} ", _car(row)), "  ")
        first.append_text(name)
        for mark, (words, chip) in _STATES.items():
            if mark in row.marks:
                first.append(" " * (width - first.cell_len - cell_len(words)))
                first.append(words, chip)
        told = [row.driver, *(mark for mark in row.marks if mark not in _STATES), row.colour or ""]
        second = Text.assemble("   ", lower, "  ", (", ".join(filter(None, told)) + _more_time(row), DIM))
        return Text.assemble(first, "\n", second)


def _more_time(row: Row) -> str:
    """Say in few cells how much more time a driver has."""
    minutes, seconds = divmod(row.more_seconds, 60)
    return "" if not row.more_seconds else f" +{row.more_seconds}s" if seconds else f" +{minutes}m"


def _car(row: Row) -> Style:
    return CAR_STYLES[row.colour or "grey"]
