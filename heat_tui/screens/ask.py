"""A small dialog that asks for one line of text."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Label

from heat_tui.screens.rows import SteadyInput


class AskScreen(ModalScreen[str | None]):
    """Ask for a line; gives it, or None when the player thinks better of it."""

    BINDINGS = [Binding("escape", "dismiss", "Back"), Binding("enter", "submit", "Take it")]

    def __init__(self, question: str, value: str) -> None:
        """Make the dialog.

        Args:
            value: To begin with.
        """
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        """Question and input."""
        with Vertical(id="box"):
            yield Label(self._question, markup=False)
            yield SteadyInput(self._value, compact=True, max_length=64)
        yield Footer()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give what was typed."""
        self.dismiss(event.value)

    def action_submit(self) -> None:
        """The same from the footer."""
        self.dismiss(self.query_one(Input).value)
