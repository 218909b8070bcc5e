"""The circuit of a championship's next race beside its table, and the table itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal
from textual.widgets import Static

from heat_tui.flow.season import SeasonPage
from heat_tui.screens.circuit_row import CircuitRow
from heat_tui.screens.rows import is_ascii
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.colours import inked
from heat_tui.theme.glyphs import spelled
from heat_tui.words.season_table import season_page

if TYPE_CHECKING:
    from heat_core.track_facts import TrackFacts

_LEAST_COLUMNS: Final = 110
"""Of the screen: the table before the last race needs 66 of them."""


class SeasonColumns(Horizontal):
    """What a championship's screen says at the left, the next race's circuit at the right where it fits."""

    DEFAULT_CSS = """
    SeasonColumns { height: 1fr; }
    SeasonColumns TrackPicture { width: 40%; height: 1fr; padding: 0 1; }
    """

    _board: tuple[TrackFacts, int] | None = None

    def show_page(self, page: SeasonPage) -> None:
        """Show what is told, and the circuit of the next race or none."""
        told = spelled(season_page(*page), is_ascii=is_ascii(self))
        self.query_one("#told", Static).update(inked(told, self.app.current_theme))
        self.query_one(CircuitRow).show(page.circuits)
        self._board = page.next_board
        self._show_board()

    def on_resize(self) -> None:
        """Show the circuit where there is room for it."""
        self._show_board()

    def _show_board(self) -> None:
        pictures, board = self.query(TrackPicture), self._board
        if board is None or self.app.size.width < _LEAST_COLUMNS:
            pictures.remove()
        elif pictures:
            pictures.first().show(*board)
        else:
            picture = TrackPicture(board[0], id="map")
            picture.laps = board[1]
            self.mount(picture)
