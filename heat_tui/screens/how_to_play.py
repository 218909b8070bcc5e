"""How to play, as a screen."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from heat_tui.keys.bindings import bound, keys_of
from heat_tui.screens.base import HeatScreen
from heat_tui.widgets.footer import KeyFooter
from heat_tui.words.how_to_play import sections

_ABOVE_HOME: Final = 2
"""So many screens there are where this one lies right above Home."""


class HowToPlayScreen(HeatScreen[None]):
    """The page."""

    BINDINGS = [
        Binding("escape", "back", "Back"),
        bound("page.learn", "learn"),
        Binding("down", "scroll(1)", "Scroll", key_display="↑↓"),
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("pagedown,space", "scroll(0, 1)", "Page", key_display="PgDn"),
        Binding("pageup", "scroll(0, -1)", "Page up", show=False),
        Binding("home", "first_line", "First line", show=False),
        Binding("end", "last_line", "Last line", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        yield Static("How to play", classes="title")
        with VerticalScroll(id="page", can_focus=False):
            for _ in sections():
                yield Static(classes="section", markup=False)
        yield KeyFooter()

    def arrive(self) -> None:
        """Write the page."""
        self.show_keys()

    def show_keys(self) -> None:
        """Write the page with the keys that hold."""
        super().show_keys()
        parts = self.query(".section").results(Static)
        for part, (heading, text) in zip(parts, sections(keys_of(self)), strict=True):
            part.update(Text.assemble("\n", (heading, "bold"), "\n", text))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """From a race one does not fall into another."""
        return action != "learn" or len(self.app.screen_stack) <= _ABOVE_HOME

    def action_learn(self) -> None:
        """Race the race that explains each phase when it first happens."""
        self.navigator.action_learn()

    def action_back(self) -> None:
        """Go back to where one came from."""
        self.go_back()

    def action_first_line(self) -> None:
        """Go to the beginning of the page."""
        self.query_one("#page").scroll_home(animate=False, immediate=True)

    def action_last_line(self) -> None:
        """Go to the end of the page."""
        self.query_one("#page").scroll_end(animate=False, immediate=True)
