"""All that happened in a race as a list to go by."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Footer, OptionList
from textual.widgets.option_list import Option

from heat_tui.race.palette import inked
from heat_tui.screens.standing import HeatModal


class EventListScreen(HeatModal[int | None]):
    """Every moment in a sentence; gives the place of the chosen one, or None."""

    DEFAULT_CSS = """
    EventListScreen { align: center middle; background: $background 60%; }
    EventListScreen #box { width: 90%; max-width: 100; height: 90%; padding: 0 1;
        background: $panel; border: round $primary; }
    EventListScreen OptionList { height: 1fr; background: $panel; }
    """
    BINDINGS = [
        Binding("escape,q,e,l", "leave", "Close", key_display="Esc"),
        Binding("enter", "choose", "Go there", key_display="Enter"),
    ]

    def __init__(self, texts: Sequence[Text], now: int) -> None:
        """Make the list.

        Args:
            texts: A sentence for each moment.
            now: The place that is marked.
        """
        super().__init__()
        self._texts = texts
        self._now = now

    def compose(self) -> ComposeResult:
        """The list in its box."""
        with Vertical(id="box") as box:
            box.border_title = "What happened"
            theme = self.app.current_theme
            yield OptionList(
                *(
                    Option(inked(Text("> " if place == self._now else "  ") + text, theme))
                    for place, text in enumerate(self._texts)
                ),
                markup=False,
            )
        yield Footer()

    def arrive(self) -> None:
        """Begin at the present moment."""
        self.query_one(OptionList).highlighted = self._now

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the chosen place."""
        self.dismiss(event.option_index)

    def action_choose(self) -> None:
        """The same from the footer."""
        self.dismiss(self.query_one(OptionList).highlighted)

    def action_leave(self) -> None:
        """Choose none."""
        self.dismiss(None)
