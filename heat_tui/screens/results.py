"""The end of a race: who came where, and what each car did."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import set_cell_size
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from heat_core.events import Event
from heat_core.figures import race_figures
from heat_core.sentences import ordinal
from heat_core.view import RaceView
from heat_tui.race.palette import CAR_STYLES
from heat_tui.race.presenter import Cast
from heat_tui.screens.rows import counted

_REASONS = {
    "finished": "The race is over.",
    "gave_up": "The race is over: all have given up.",
    "abandoned": "The race was abandoned.",
}


class ResultsScreen(Screen[None]):
    """Standings with figures."""

    DEFAULT_CSS = """
    ResultsScreen #title { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    ResultsScreen #page { height: 1fr; padding: 1; }
    """
    BINDINGS = [Binding("enter,escape,q", "home", "Home", key_display="Enter")]

    def __init__(self, cast: Cast, view: RaceView, events: Sequence[Event], own: Sequence[int]) -> None:
        """Make the screen.

        Args:
            view: After the end.
            events: Of the whole race, as far as this terminal has seen them.
            own: The seats played here.
        """
        super().__init__()
        self.cast = cast
        self.race_view = view
        self._events = events
        self._own = own

    def compose(self) -> ComposeResult:
        """Title, table, keys."""
        setup = self.cast.setup
        title = (
            f"{setup.track.name} · {counted(setup.laps, 'lap')} · {counted(self.race_view.round, 'round')}"
        )
        yield Static(Text(title if not self.app.has_class("-ascii") else title.replace("·", "-")), id="title")
        with VerticalScroll(id="page", can_focus=False):
            yield Static(self.table(), id="table")
        yield Footer()

    def table(self) -> Text:
        """Make the table: a line a car, best first."""
        view = self.race_view
        figures = race_figures(len(view.cars), self._events)
        text = Text(_REASONS[view.end or "finished"], style=Style(bold=True))
        heading = f"{'':<6}{'':<2} {'name':<16} {'top speed':>9} {'Heat paid':>9} {'spin-outs':>9}"
        text.append(f"\n\n{heading} {'slipstreams':>11}\n", Style(dim=True))
        for standing in view.standings:
            car, told = view.cars[standing.car], figures[standing.car]
            style = Style(bold=standing.car in self._own, underline=standing.car in self._own)
            text.append(f"{ordinal(standing.place):>5} ", Style(bold=standing.place <= 3))
            text.append(
                self.cast.letters[standing.car], CAR_STYLES[self.cast.setup.cars[standing.car].colour]
            )
            text.append("  ")
            text.append(set_cell_size(self.cast.names[standing.car], 16), style)
            row = f" {told.top_speed:>9}"
            if not car.is_legend:
                row += f" {told.heat_paid:>9} {told.spin_outs:>9} {told.slipstreams:>11}"
            text.append(row + ("   gave up" if standing.status == "gave_up" else "") + "\n")
        return text

    def action_home(self) -> None:
        """Leave."""
        self.app.pop_screen()
