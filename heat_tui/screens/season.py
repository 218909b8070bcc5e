"""A championship between its races, and at its end: who stands where, what comes next, who drives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from rich.cells import set_cell_size
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from heat_core.bots import BOTS, DriverName
from heat_tui.keys.bindings import bound
from heat_tui.saved.championship import Championship
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.rows import LABEL_CELLS, ActionRow, ChoiceRow, FormScreen, MessageLine
from heat_tui.theme.colours import inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.season_table import season_page, season_title

_DRIVERS: Final[list[tuple[DriverName, str]]] = [
    ("human", "at this keyboard"),
    *((bot, f"a {bot} bot") for bot in BOTS),
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

    def __init__(self, championship: Championship, news: str = "") -> None:
        """Make the screen.

        Args:
            news: One sentence to begin with.
        """
        super().__init__()
        self._news = news
        self._championship = championship
        self._names = [car.name for car in championship.season.setup.cars]

    def compose(self) -> ComposeResult:
        """Table and words, a row for each seat, the way on."""
        yield Static(id="title", classes="title", markup=False)
        with VerticalScroll(id="form", can_focus=False):
            yield Static(id="told")
            if not self._championship.season.is_over:
                yield Static("Who drives", classes="heading")
                yield from self._driver_rows()
            yield ActionRow("", id="start")
        yield MessageLine(self._news)
        yield KeyFooter()

    def _driver_rows(self) -> Iterator[ChoiceRow[DriverName]]:
        for seat, driver in self._championship.season.drivers.items():
            label = set_cell_size(self._names[seat], LABEL_CELLS - 1)
            yield ChoiceRow(label, _DRIVERS, driver, id=f"seat{seat}")

    def arrive(self) -> None:
        """Begin at the way on."""
        self._show()
        self.set_focus(self.query_one("#start"), scroll_visible=False)

    def _show(self) -> None:
        view = self._championship.view()
        setup = self._championship.season.setup
        if view.status == "ended":
            self.app.run_worker(self.navigator.keep_records(self._championship.records()), group="keep")
            self._championship.delete()  # it has been seen: there is nothing to come back to
        self.query_one("#title", Static).update(season_title(setup, view))
        own = [seat for seat, driver in self._championship.season.drivers.items() if driver == "human"]
        told = season_page(setup, view, own)
        self.query_one("#told", Static).update(inked(told, self.app.current_theme))
        start = self.query_one("#start", ActionRow)
        start.label = self._way_on()
        start.refresh(layout=True)
        if view.status != "ended" and not self._championship.is_saved:
            self.say("It cannot be saved on this machine; it ends with the program.")
        self.refresh_bindings()

    def _way_on(self) -> str:
        view = self._championship.view()
        if view.status == "ended":
            return "Home"
        number = f"race {view.race} on {view.races[view.race - 1].track}"
        return f"Continue {number}" if self._championship.table is not None else f"Start {number}"

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Hand a seat over; one at least must be played here."""
        seat, driver = int(str(event.row.id).removeprefix("seat")), cast(DriverName, event.value)
        drivers = self._championship.season.drivers | {seat: driver}
        if "human" not in drivers.values():
            event.row.show("human")
            self.say("At least one car must be driven at this keyboard.")
            return
        self.say("")
        self._championship.set_driver(seat, driver)
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is over is neither raced on with nor ended."""
        return not (action in ("abandon", "start") and self._championship.season.is_over)

    @on(ActionRow.Pressed, "#start")
    def _way_on_pressed(self) -> None:
        if self._championship.season.is_over:
            self.action_back()
        else:
            self.action_start()

    def action_start(self) -> None:
        """Race."""
        self.navigator.race_of_championship(self._championship)

    def action_abandon(self) -> None:
        """Ask, then end the championship for good."""

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                self._championship.abandon()
                for row in self.query("ChoiceRow, .heading"):
                    row.remove()
                self._show()

        question = "End this championship for good? Unfinished races score nothing."
        self.app.push_screen(ConfirmDialog(question), answered)

    def action_scroll(self, lines: int) -> None:
        """Scroll the page."""
        self.query_one("#form", VerticalScroll).scroll_relative(y=lines, animate=False)
