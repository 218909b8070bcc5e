"""The end of a race: who came where, and what each car did."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from heat_core.events import Event
from heat_core.figures import race_figures
from heat_core.view import RaceView
from heat_tui.race.palette import GOLD, inked
from heat_tui.race.presenter import Cast
from heat_tui.race.result_table import lap_chart, result_table, seed_text_lines
from heat_tui.screens.rows import counted

_REASONS = {
    "finished": "The race is over.",
    "gave_up": "The race is over: all have given up or are out.",
    "abandoned": "The race was abandoned.",
}


class ResultsScreen(Screen[None]):
    """Standings with figures."""

    DEFAULT_CSS = """
    ResultsScreen #title { height: 1; background: $primary; color: $text; text-style: bold; padding: 0 1; }
    ResultsScreen #page { height: 1fr; padding: 1; }
    """
    BINDINGS = [
        Binding("enter", "onward", "Championship", key_display="Enter"),
        Binding("enter", "home", "Home", key_display="Enter"),
        Binding("escape,q", "home", "Home", key_display="Esc"),
        Binding("r", "again", "Race again"),
    ]

    def __init__(
        self,
        cast: Cast,
        view: RaceView,
        events: Sequence[Event],
        own: Sequence[int],
        *,
        again: Callable[[], None] | None = None,
        onward: Callable[[], None] | None = None,
    ) -> None:
        """Make the screen.

        Args:
            view: After the end.
            events: Of the whole race, as far as this terminal has seen them.
            own: The seats played here.
            again: Starts another race of the same kind, None where that cannot be done from here.
            onward: Goes on to the race's championship, None where it belongs to none.
        """
        super().__init__()
        self.cast = cast
        self.race_view = view
        self._events = events
        self._own = own
        self._again = again
        self._onward = onward

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
        """Say why the race ended and who won; then the table, who was where in each round, and the seed."""
        view, names = self.race_view, self.cast.names
        figures = race_figures(self.cast.setup, self._events)
        text = Text()
        if view.end == "finished":
            text.append(f"{names[view.standings[0].car]} wins. ", Style(bold=True, color=GOLD))
        text.append(_REASONS[view.end or "finished"] + "\n\n", Style(bold=True))
        text.append_text(result_table(self.cast, view, figures, self._own))
        if any(told.progress for told in figures):
            text.append("\n")
            text.append_text(lap_chart(self.cast, view, figures, self.app.size.width - 2))
        text.append_text(seed_text_lines(self._events))
        return inked(text, self.app.current_theme)

    def action_again(self) -> None:
        """Race once more: the same drivers on the same track, with other luck."""
        if self._again is not None:
            self._again()

    def action_onward(self) -> None:
        """Go on to the championship."""
        if self._onward is not None:
            self._onward()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer another race, and the way on, only where there are such."""
        ways = {"again": self._again, "onward": self._onward}
        return ways[action] is not None if action in ways else True

    def action_home(self) -> None:
        """Leave."""
        self.app.pop_screen()
