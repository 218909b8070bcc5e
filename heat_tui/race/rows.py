"""What panels are given to show: plain values made from a view, without widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from heat_core.race.setup import Colour
from heat_tui.map.marks import CornerState

if TYPE_CHECKING:  # every panel has what is clicked from here, and Home needs no rules
    from heat_core.view.race_view import CarView


class Hit(tuple[int, int, int, str]):
    """A stretch of a line that does something when clicked: row, first column, behind the last, action."""

    __slots__ = ()


class Entry(NamedTuple):
    """One car of the table.

    Attributes:
        mark: `chosen`, `waiting`, `away` or "".
        gained: Places won since the turn order was fixed last; below 0: lost.
    """

    car: CarView
    name: str
    letter: str
    colour: Colour
    is_own: bool
    is_active: bool
    mark: str
    place: int
    gained: int = 0


class Row(NamedTuple):
    """One thing to do.

    Attributes:
        key: That selects it, its own.
        number: The row of the draft that it stands for; of a slipstream its spaces.
        short: The same in fewer words, where the text would not fit.
        hint: What else can be done with it while it is selected, where there is room.
        worth: By the advice, "" without.
        price: What the way that it leads to costs, None where it leads nowhere.
    """

    key: str
    text: str
    is_usable: bool
    is_selected: bool
    number: int
    short: str = ""
    hint: str = ""
    worth: str = ""
    price: CornerState | None = None

    @property
    def action(self) -> str:
        """Of a click."""
        return f"press({self.number})"

    def text_for(self, cells: int) -> str:
        """Give the longest text that fits; the shortest where none does."""
        texts = (f"{self.text}  {self.hint}" if self.hint else self.text, self.text)
        return next((text for text in texts if cell_len(text) <= cells), self.short or self.text)
