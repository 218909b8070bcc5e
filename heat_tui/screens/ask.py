"""Small dialogs that ask for one line of text, or for one of a few answers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input, Static

from heat_tui.screens.base import HeatModal
from heat_tui.screens.rows import ActionRow, SteadyInput
from heat_tui.widgets.footer import KeyFooter


class AskScreen(HeatModal[str | None]):
    """Ask for a line; gives it, or None when the player thinks better of it."""

    BINDINGS = [Binding("enter", "submit", "Confirm", priority=True), Binding("escape", "dismiss", "Back")]

    def __init__(self, question: str, value: str = "", *, is_secret: bool = False) -> None:
        """Make the dialog.

        Args:
            value: To begin with.
            is_secret: Whether what is typed is covered.
        """
        super().__init__()
        self._question = question
        self._value = value
        self._is_secret = is_secret

    def compose(self) -> ComposeResult:
        """Question and input."""
        with Vertical(id="box"):
            yield Static(self._question, markup=False)
            line = SteadyInput(self._value, compact=True, max_length=64)
            line.password = self._is_secret
            yield line
        yield KeyFooter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give what was typed."""
        self.dismiss(event.value)

    def action_submit(self) -> None:
        """The same from the footer."""
        self.after_typing(self._submit)

    def _submit(self) -> None:
        if self.is_current:  # a second Enter may come before the dialog is gone
            self.dismiss(self.query_one(Input).value)


class ChooseScreen(HeatModal[str | None]):
    """Ask for one of a few answers, each with its key; gives that key, or None for none of them."""

    BINDINGS = [
        Binding("up", "app.focus_previous", "Up", show=False),
        Binding("down", "app.focus_next", "Down", show=False),
    ]

    def __init__(self, question: str, answers: Sequence[tuple[str, str]]) -> None:
        """Make the dialog.

        Args:
            answers: Key and words of each; `n` is the way out.
        """
        super().__init__()
        self._question = question
        self._answers = answers
        for key, words in answers:
            self._bindings.bind(key, f"choose('{key}')", words[0].upper() + words[1:])
        # Last, as in the list above the footer.
        self._bindings.bind("escape,n", "choose('')", "Cancel", key_display="n")

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(id="box"):
            yield Static(Text(self._question), id="question")
            for key, words in (*self._answers, ("n", "cancel")):
                yield ActionRow(f"{key}  {words}", id=f"answer-{key}")
        yield KeyFooter()

    def arrive(self) -> None:
        """Begin at the way out: Enter alone does no harm."""
        self.set_focus(self.query_one("#answer-n"))

    def on_action_row_pressed(self, event: ActionRow.Pressed) -> None:
        """Answer by mouse or Enter."""
        self.action_choose(str(event.row.id).removeprefix("answer-").replace("n", ""))

    def action_choose(self, key: str) -> None:
        """Give an answer."""
        self.dismiss(key or None)
