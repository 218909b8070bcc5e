"""Small dialogs over the race: a page of text, and a question."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from heat_tui.keys.bindings import bound
from heat_tui.screens.base import HeatModal
from heat_tui.theme.colours import Theme, inked
from heat_tui.widgets.footer import KeyFooter

if TYPE_CHECKING:
    from heat_tui.client.connect_failed import Notice

_MOST_HANGING_CELLS: Final = 20
_HEAD: Final = re.compile(r" *(?:\S+(?: \S+)* {2,})?")
"""What a line begins with: blanks, and if two more follow soon, what is before those."""


class Hanging:
    """Lines that are folded so that the rest of each is below its text, not below its heading."""

    def __init__(self, lines: Sequence[Text]) -> None:
        """Fold lines when they are drawn."""
        self._lines = lines

    def inked(self, theme: Theme) -> Hanging:
        """Give them in the paints of a theme."""
        return Hanging([inked(line, theme) for line in self._lines])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw them."""
        for line in self._lines:
            yield from _folded(line, console, options.max_width)


def _folded(line: Text, console: Console, width: int) -> Iterator[Text]:
    found = _HEAD.match(line.plain)
    hanging = found.end() if found is not None else 0
    if hanging > _MOST_HANGING_CELLS:
        hanging = len(line.plain) - len(line.plain.lstrip())
    rest = line[hanging:].wrap(console, max(1, width - hanging))
    yield line[:hanging] + rest[0] if rest else line
    for part in rest[1:]:
        yield Text(" " * hanging) + part


class ScrolledPage(HeatModal[None]):
    """Lines to read, which arrows scroll."""

    DEFAULT_CSS = """
    ScrolledPage { align: center middle; }
    ScrolledPage #box { width: 90%; max-width: 90; height: auto; max-height: 90%; padding: 0 1;
        background: $panel; border: round $line; }
    ScrolledPage #columns { height: auto; max-height: 100%; }
    ScrolledPage #page { height: auto; max-height: 100%; }
    ScrolledPage #page Static { padding: 0 1 0 0; }
    """
    BINDINGS = [
        Binding("escape,enter", "close", "Close", key_display="Esc"),
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
            with Horizontal(id="columns"):
                with VerticalScroll(id="page", can_focus=False):
                    yield Static(Hanging([inked(line, self.app.current_theme) for line in self._lines]))
                yield from self.beside()
        yield KeyFooter()

    def beside(self) -> Iterable[Widget]:
        """Give what is shown right of the lines."""
        return ()

    def on_resize(self) -> None:
        """Name the keys that scroll where there is more than is seen."""
        self.call_after_refresh(self.refresh_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to scroll to."""
        return action != "scroll" or bool(self.query_one("#page", VerticalScroll).max_scroll_y)

    def action_close(self) -> None:
        """Back to the race."""
        self.dismiss()

    def on_click(self) -> None:
        """A click anywhere closes."""
        self.dismiss()


class PageDialog(ScrolledPage):
    """Lines to read that ask for nothing: any key that opens such a page closes this one, too."""

    BINDINGS = [
        bound(use, "close", "Close", show=False)
        for use in ("view.leave", "view.help", "view.signs", "race.log", "view.piles")
    ]


def notice_dialog(notice: Notice) -> PageDialog:
    """Make the box of a notice, which can be read at leisure."""
    return PageDialog(notice.title, [Text(line) for line in notice.lines])


class NewsDialog(HeatModal[None]):
    """Sentences that come up by themselves: any key or click closes them, once they can have been seen."""

    DEFAULT_CSS = """
    NewsDialog { align: center middle; }
    NewsDialog #box { width: 70; max-width: 100%; height: auto; padding: 1 2;
        background: $panel; border: round $line; }
    NewsDialog #any-key { color: $text-muted; margin: 1 0 0 0; }
    """

    def __init__(self, title: str, lines: Sequence[Text]) -> None:
        """Make the dialog."""
        super().__init__()
        self._title = title
        self._lines = lines
        self._since = time.monotonic()

    def compose(self) -> ComposeResult:
        """The sentences, and how to continue."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            yield Static(inked(Text("\n").join(self._lines), self.app.current_theme))
            yield Static("Press any key to continue", id="any-key")

    def on_key(self, event: events.Key) -> None:
        """Close; a key that was meant for the screen below does nothing."""
        event.stop()
        event.prevent_default()
        if time.monotonic() - self._since >= self.navigator.enter_gap_seconds:
            self.dismiss()

    def on_click(self) -> None:
        """Close."""
        self.dismiss()


class ConfirmDialog(HeatModal[bool]):
    """A question with yes and no; no is the way out."""

    DEFAULT_CSS = """
    ConfirmDialog { align: center middle; }
    ConfirmDialog #box { width: 60; max-width: 100%; height: auto; padding: 1 2;
        background: $panel; border: round $line; }
    ConfirmDialog .answer { height: 1; margin: 1 0 0 0; color: $gold; text-style: bold; }
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
