"""A championship between its races and at its end: standings, the next race, who drives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.cells import set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from heat_core.bot_names import without_level
from heat_core.drivers import DriverName
from heat_core.text import with_article
from heat_tui.flow.season import DRIVERS, END_QUESTION, SeasonController
from heat_tui.keys.bindings import bound
from heat_tui.screens.circuit_row import CircuitRow
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import LABEL_CELLS, ActionRow, ChoiceRow, FormScreen, MessageLine
from heat_tui.screens.season_board import SeasonColumns
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MARK_CELLS
from heat_tui.words.season_table import season_title

_DRIVERS: Final[list[tuple[DriverName, str]]] = [
    (driver, "at this keyboard" if driver == "human" else with_article(f"{driver} bot")) for driver in DRIVERS
]


class SeasonScreen(FormScreen):
    """The table and the way on; every choice is saved at once."""

    BINDINGS = [
        Binding("enter", "start", "Race", priority=True),
        Binding("escape", "back", "Home"),
        Binding("enter", "back", "Home", priority=True),
        Binding("pagedown", "scroll(10)", "Scroll", key_display="PgDn"),
        bound("season.abandon", "abandon"),
        Binding("pageup", "scroll(-10)", "Up", show=False),
    ]
    SCROLLED = "#form"

    def __init__(self, season: SeasonController, news: str = "") -> None:
        """Make the screen.

        Args:
            news: One sentence to begin with.
        """
        super().__init__()
        self._news = news
        self.season = season

    def compose(self) -> ComposeResult:
        """Table and words, a row for each seat, the way on."""
        yield Static(id="title", classes="title", markup=False)
        with SeasonColumns(), VerticalScroll(id="form", can_focus=False):
            yield Static(id="told")
            if not self.season.is_over:
                yield Static("Who drives", classes="heading")
                yield from self._driver_rows()
            yield ActionRow("", id="start")
            yield CircuitRow(id="circuits")
        yield MessageLine(self._news)
        yield KeyFooter()

    def _driver_rows(self) -> Iterator[ChoiceRow[DriverName]]:
        for seat, driver in self.season.drivers.items():
            label = set_cell_size(without_level(self.season.names[seat]), LABEL_CELLS - MARK_CELLS - 1)
            yield ChoiceRow(label, _DRIVERS, driver, id=f"seat{seat}")

    def arrive(self) -> None:
        """Begin at the way on."""
        self._show()
        self.set_focus(self.query_one("#start"), scroll_visible=False)

    def _show(self) -> None:
        page, app = self.season.page, self.navigator
        if self.season.is_over:
            self.app.run_worker(self.season.finish(app.folders, app.settings), group="keep")
        self.query_one("#title", Static).update(season_title(page.setup, page.view))
        self.query_one(SeasonColumns).show_page(page)
        start = self.query_one("#start", ActionRow)
        start.label = self.season.next_race or "Home"
        start.refresh(layout=True)
        if trouble := self.season.trouble:
            self.say(trouble)
        self.refresh_bindings()

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Hand a seat over; one at least must be played here."""
        seat = int(str(event.row.id).removeprefix("seat"))
        refusal = self.season.hand_over(seat, str(event.value))
        self.say(refusal)
        if refusal:
            event.row.show(self.season.drivers[seat])
        else:
            self._show()

    def why_not(self, action: str) -> str:
        """What is over is neither raced on with nor ended."""
        return "The championship is over." if action in ("abandon", "start") and self.season.is_over else ""

    @on(ActionRow.Pressed, "#start")
    def _way_on_pressed(self) -> None:
        if self.season.is_over:
            self.action_back()
        else:
            self.action_start()

    def action_start(self) -> None:
        """Race."""
        self.navigator.race_of_championship(self.season)

    def action_abandon(self) -> None:
        """Ask, then end the championship for good."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self.season.abandon()
                for row in self.query("ChoiceRow, .heading"):
                    row.remove()
                self._show()

        self.app.push_screen(ConfirmDialog(END_QUESTION), answered)
