"""The list of puzzles, and what an answer was worth."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import OptionList, Static

from heat_tui.flow.puzzles import ONE_ANSWER, Answer, PuzzleShelf
from heat_tui.screens.base import HeatModal
from heat_tui.screens.dialogs import Hanging
from heat_tui.screens.rows import FormScreen, MessageLine, is_ascii
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.theme.colours import BOLD, DIM, GOLD, GREEN, inked
from heat_tui.widgets.footer import KeyFooter
from heat_tui.widgets.marked_list import MarkedList

_RIGHT: Final = Style(color=GREEN, bold=True)


class PuzzlesScreen(FormScreen):
    """A list, the easiest first."""

    BINDINGS = [
        Binding("enter", "solve", "Solve", priority=True),
        Binding("escape", "back", "Home"),
    ]

    def __init__(self, at: int = 0) -> None:
        """Make the screen.

        Args:
            at: The place of the puzzle that is chosen first.
        """
        super().__init__()
        self._at = at

    @cached_property
    def _shelf(self) -> PuzzleShelf:
        return PuzzleShelf(self.navigator.folders)

    def compose(self) -> ComposeResult:
        """Title, list and the chosen puzzle's circuit, one line for answers, keys."""
        yield Static("Puzzles", classes="title")
        with Horizontal(classes="columns"):
            yield MarkedList(id="puzzles", markup=False)
            yield TrackPicture(id="picture", classes="beside")
        yield MessageLine(ONE_ANSWER)
        yield KeyFooter()

    def arrive(self) -> None:
        """Show the shelf."""
        shelf = self._shelf
        self.query_one(".title", Static).update(f"Puzzles   {shelf.summary}")
        if shelf.fault:
            self.say(shelf.fault)
        puzzles = self.query_one(OptionList)
        for place, puzzle in enumerate(shelf.puzzles):
            line = Text(f" {shelf.text(place, is_plain=is_ascii(self))}")
            line.stylize(DIM if shelf.is_solved(puzzle) else BOLD)
            puzzles.add_option(inked(line, self.app.current_theme))
        puzzles.highlighted = min(self._at, puzzles.option_count - 1)
        puzzles.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show where the chosen puzzle is, and how the race stands."""
        opened = self._shelf.open(event.option_index, self.navigator.player_name)
        setup = opened.table.setup
        notes = self._shelf.facts(event.option_index, opened)
        self.query_one(TrackPicture).show(setup.track, setup.laps, notes=notes)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open what was chosen."""
        self.action_solve()

    def action_solve(self) -> None:
        """Show the chosen puzzle on the race screen."""
        self.navigator.solve(self.query_one(OptionList).highlighted or 0)


class AnswerDialog(HeatModal[str]):
    """What an answer was worth; gives `again`, `next` or `list`."""

    DEFAULT_CSS = """
    AnswerDialog { align: center middle; }
    AnswerDialog #box { width: 90%; max-width: 84; height: auto; max-height: 90%; padding: 0 1;
        background: $panel; border: round $line; }
    AnswerDialog #page { height: auto; max-height: 100%; }
    """
    BINDINGS = [
        Binding("enter,n", "dismiss('next')", "Next", key_display="Enter"),
        Binding("a", "dismiss('again')", "Try again"),
        Binding("escape", "dismiss('list')", "List"),
    ]

    def __init__(self, answer: Answer) -> None:
        """Make the dialog."""
        super().__init__()
        self._answer = answer

    def compose(self) -> ComposeResult:
        """Verdict, solution, worths, keys."""
        answer = self._answer
        lines = [
            Text(answer.verdict, _RIGHT if answer.is_right else BOLD),
            Text(""),
            Text(answer.solution),
            Text(""),
            *(Text(line, Style(color=GOLD) if "(your answer)" in line else "") for line in answer.lines),
            Text(""),
            Text(answer.missed, DIM),
        ]
        with Vertical(id="box") as box:
            box.border_title = "Answer"
            with VerticalScroll(id="page", can_focus=False):
                yield Static(Hanging([inked(line, self.app.current_theme) for line in lines]))
        yield KeyFooter()
