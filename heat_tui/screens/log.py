"""The log of a race: to read, to filter, and in a replay to go to a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from heat_tui.keys.bindings import bound
from heat_tui.screens.base import HeatModal
from heat_tui.screens.rows import ChoiceRow
from heat_tui.theme.colours import inked
from heat_tui.theme.glyphs import spelled
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList
from heat_tui.words.log import TOPICS, LineTopic, LogLine, found

NOTHING: Final = "Nothing of that kind has happened yet."


class LogScreen(HeatModal[int | None]):
    """Every line of the log, or those of one car or one topic; gives the place of the chosen one, or None."""

    DEFAULT_CSS = """
    LogScreen { align: center middle; }
    LogScreen #box { width: 90%; max-width: 100; height: 90%; padding: 0 1 0 0;
        background: $panel; border: round $line; }
    LogScreen OptionList { height: 1fr; background: $panel; }
    LogScreen #looked-for { height: 1; }
    LogScreen #what { min-width: 35; }
    """
    BINDINGS = [
        Binding("left", "step('whose', -1)", "Previous driver", show=False, priority=True),
        Binding("right", "step('whose', 1)", "Driver", key_display="←→", priority=True),
        bound("log.topic", "step('what', 1)", "Topic"),
        Binding("escape", "leave", "Close", key_display="Esc"),
        # What opens it closes it too.
        *(bound(use, "leave", "Close", show=False) for use in ("view.leave", "race.log", "replay.list")),
        Binding("enter", "choose", "Go there", key_display="Enter", priority=True),
    ]
    AUTO_FOCUS = "#lines"

    def __init__(
        self, lines: Sequence[LogLine], names: Sequence[str], now: int | None = None, *, leads_on: bool
    ) -> None:
        """Make the list.

        Args:
            lines: In order.
            names: Of the cars, by number.
            now: The place to begin with, which is marked; None: the end, and nothing is marked.
            leads_on: Whether one can go to a line's moment; else the list is for reading.
        """
        super().__init__()
        self._lines = lines
        self._names = names
        self._now = now
        self._leads_on = leads_on
        self._places: list[int] = []

    def compose(self) -> ComposeResult:
        """What is looked for, and the lines, in a box."""
        with Vertical(id="box") as box:
            box.border_title = "Log"
            with Horizontal(id="looked-for"):
                cars: list[tuple[int | None, str]] = [(None, "everybody"), *enumerate(self._names)]
                yield ChoiceRow("Driver", cars, None, id="whose")
                topics: list[tuple[LineTopic | None, str]] = [(None, "everything"), *TOPICS.items()]
                yield ChoiceRow("Topic", topics, None, id="what")
            yield MarkedList(id="lines", markup=False)
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the present moment."""
        self._list(len(self._lines) - 1 if self._now is None else self._now)

    @on(ChoiceRow.Changed)
    def _look_anew(self) -> None:
        """List what is looked for now; the marked line stays as near as can be."""
        lines = self.query_one(OptionList)
        near = self._places[lines.highlighted or 0] if self._places else len(self._lines) - 1
        self._list(near)
        lines.focus()

    def _list(self, near: int) -> None:
        topic: LineTopic | None = self.query_one("#what", ChoiceRow).value
        car: int | None = self.query_one("#whose", ChoiceRow).value
        self._places = found(self._lines, topic, car)
        lines = self.query_one(OptionList)
        lines.clear_options()
        theme, is_ascii = self.app.current_theme, self.app.has_class("-ascii")
        mark = Text("  ") if self._now is not None else Text("")
        lines.add_options(
            Option(inked((Text("> ") if place == self._now else mark) + line, theme))
            for place in self._places
            if (line := spelled(self._lines[place].text, is_ascii=is_ascii))
        )
        if not self._places:
            lines.add_option(Option(NOTHING, disabled=True))
        lines.highlighted = sum(place < near for place in self._places) if self._places else None

    def action_step(self, row: str, step: int) -> None:
        """Look for another car's lines, or another topic."""
        self.query_one(f"#{row}", ChoiceRow).action_step(step)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the chosen place."""
        self.dismiss(self._places[event.option_index] if self._leads_on else None)

    def action_choose(self) -> None:
        """The same by key."""
        self.query_one(OptionList).action_select()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be a moment to go to."""
        return self._leads_on if action == "choose" else True

    def action_leave(self) -> None:
        """Choose none."""
        self.dismiss(None)
