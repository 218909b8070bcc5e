"""The daily race: today's board, the result that counts, and the line to paste."""

from __future__ import annotations

from typing import Final

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from heat_core.names import BadName
from heat_tui.daily import today
from heat_tui.flow.daily import DailyController
from heat_tui.screens.rows import ActionRow, FormScreen, MessageLine
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.colours import BOLD, DIM, GOLD, inked
from heat_tui.widgets.footer import KeyFooter

_RESULT: Final = Style(color=GOLD, bold=True)
_NOT_YET: Final = "There is no result to copy yet."
_COPIED: Final = "Copied, if your terminal allows it."


class DailyScreen(FormScreen):
    """Today's race and what came of it."""

    BINDINGS = [
        Binding("enter", "race", "Race", priority=True),
        Binding("c", "copy", "Copy result"),
        Binding("escape", "back", "Home"),
    ]

    daily: DailyController

    def compose(self) -> ComposeResult:
        """Title, what to know, the way on; the circuit beside them."""
        app = self.navigator
        self.daily = DailyController(app.folders, app.player_name, app.settings.colour, today())
        yield Static(self.daily.title, id="title", classes="title", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(id="form"):
                yield ActionRow("Race", id="race")
                with VerticalScroll(id="page", can_focus=False):
                    yield Static(id="told")
            yield TrackPicture(self.daily.track, id="picture")
        yield MessageLine()
        yield KeyFooter()

    def arrive(self) -> None:
        """Look up how it went so far."""
        self.daily.refresh()
        self.query_one("#told", Static).update(inked(self._told(), self.app.current_theme))
        self.set_focus(self.query_one("#race"), scroll_visible=False)

    def _told(self) -> Text:
        told = Text()
        for line in self.daily.result_lines():
            told.append(f"{line}\n", _RESULT)
        told.append("\n" if told else "")
        for line in self.daily.about():
            told.append(f"{line}\n")
        if earlier := self.daily.earlier():
            told.append("\nEarlier days\n", BOLD)
            for line in earlier:
                told.append(f"{line}\n", DIM)
        return told

    @on(ActionRow.Pressed, "#race")
    def action_race(self) -> None:
        """Race today's race."""
        try:
            table = self.daily.table()
        except BadName as error:
            self.say(str(error))
        else:
            self.navigator.race_here(table)

    def action_copy(self) -> None:
        """Copy the result, in signs."""
        lines = self.daily.result_lines()
        if lines:
            self.app.copy_to_clipboard(lines[0])
        self.say(_COPIED if lines else _NOT_YET)
