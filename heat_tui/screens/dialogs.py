"""Small dialogs over the race: a page of text, and a question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from heat_tui.race.palette import inked
from heat_tui.screens.standing import HeatModal
from heat_tui.widgets.footer import KeyFooter

if TYPE_CHECKING:
    from heat_tui.app import HeatApp


class PageDialog(HeatModal[None]):
    """Lines to read; arrows scroll, any of the usual keys closes."""

    DEFAULT_CSS = """
    PageDialog { align: center middle; background: $background 60%; }
    PageDialog #box { width: 90%; max-width: 90; height: auto; max-height: 90%; padding: 0 1;
        background: $panel; border: round $primary; }
    PageDialog #page { height: auto; max-height: 100%; }
    """
    BINDINGS = [
        Binding("escape,q,enter,question_mark,l,o", "close", "Close", key_display="Esc"),
        Binding("up", "scroll(-1)", "Up", show=False),
        Binding("down", "scroll(1)", "Down", show=False),
        Binding("pageup", "scroll(-10)", "Up"),
        Binding("pagedown", "scroll(10)", "Down"),
    ]

    def __init__(self, title: str, lines: Sequence[Text]) -> None:
        """Make the dialog."""
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """A box with the lines."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            with VerticalScroll(id="page", can_focus=False):
                yield Static(inked(Text("\n").join(self._lines), self.app.current_theme))
        yield KeyFooter()

    def action_scroll(self, lines: int) -> None:
        """Scroll."""
        self.query_one("#page", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_close(self) -> None:
        """Back to the race."""
        self.dismiss()

    def on_click(self) -> None:
        """A click anywhere closes."""
        self.dismiss()


class NewsDialog(HeatModal[None]):
    """Sentences that come up by themselves: any key or click closes them, once they can have been seen."""

    DEFAULT_CSS = """
    NewsDialog { align: center middle; background: $background 60%; }
    NewsDialog #box { width: 70; max-width: 100%; height: auto; padding: 1 2;
        background: $panel; border: round $primary; }
    NewsDialog #any-key { color: $text-muted; margin: 1 0 0 0; }
    """

    def __init__(self, title: str, lines: Sequence[Text]) -> None:
        """Make the dialog."""
        super().__init__()
        self._title = title
        self._lines = lines
        self._since = time.monotonic()

    def compose(self) -> ComposeResult:
        """The sentences, and how to go on."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            yield Static(inked(Text("\n").join(self._lines), self.app.current_theme))
            yield Static("any key: go on", id="any-key")

    def on_key(self, event: events.Key) -> None:
        """Close; a key that was meant for the screen below does nothing."""
        event.stop()
        event.prevent_default()
        if time.monotonic() - self._since >= cast("HeatApp", self.app).enter_gap_seconds:
            self.dismiss()

    def on_click(self) -> None:
        """Close."""
        self.dismiss()


class ConfirmDialog(HeatModal[bool]):
    """A question with yes and no; no is the way out."""

    DEFAULT_CSS = """
    ConfirmDialog { align: center middle; background: $background 60%; }
    ConfirmDialog #box { width: 60; max-width: 100%; height: auto; padding: 1 2;
        background: $panel; border: round $primary; }
    ConfirmDialog .answer { height: 1; margin: 1 0 0 0; }
    """
    BINDINGS = [Binding("y", "answer(True)", "Yes"), Binding("n,escape", "answer(False)", "No")]

    def __init__(self, question: str) -> None:
        """Make the dialog."""
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(id="box"):
            yield Static(Text(self._question))
            yield Static(Text("[ y  yes ]"), classes="answer", id="yes")
            yield Static(Text("[ n  no ]"), classes="answer", id="no")
        yield KeyFooter()

    def on_click(self, event: object) -> None:
        """Answer by mouse."""
        for answer in ("yes", "no"):
            if self.query_one(f"#{answer}").is_mouse_over:
                self.dismiss(answer == "yes")

    def action_answer(self, is_yes: bool) -> None:
        """Answer by key."""
        self.dismiss(is_yes)
