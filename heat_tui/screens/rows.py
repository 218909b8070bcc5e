"""The rows that forms are made of: one line each, by key and by mouse, so that they fit 80x24."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label

from heat_core.race.setup import Colour
from heat_tui.keys.bindings import keys_of
from heat_tui.keys.table import pressed_key
from heat_tui.screens.base import HeatScreen
from heat_tui.theme.colours import CAR_STYLES, inked
from heat_tui.widgets.marked_list import MARK_CELLS, focus_mark
from heat_tui.words.labels import cut

Value = TypeVar("Value")

LABEL_CELLS = 14
"""Where the values of rows begin: behind the mark, the label of at most 12 cells, and a blank."""


def is_ascii(widget: Widget) -> bool:
    """Tell whether the player wants plain ASCII only."""
    return widget.app.has_class("-ascii")


def row_mark(row: Widget) -> str:
    """Give the mark of a row of a form, which is chosen as long as it has the focus."""
    return focus_mark(row, is_chosen=row.has_focus, has_focus=row.has_focus)


def swatch(colour: Colour, *, ascii_only: bool) -> Text:
    """Show a car's colour by sign and word, so that it can be recognised without colour."""
    return Text.assemble(("#" if ascii_only else "■", CAR_STYLES[colour]), f" {colour}")


class ChoiceRow(Widget, Generic[Value], can_focus=True):
    """One of several values, changed in place with left and right.

    Attributes:
        value: The chosen one.
    """

    DEFAULT_CSS = """
    ChoiceRow { height: 1; width: 1fr; }
    """
    BINDINGS = [
        Binding("right", "step(1)", "Change", key_display="←→"),
        Binding("left", "step(-1)", "Back", show=False),
        Binding("space", "step(1)", "Next", show=False),
    ]

    class Changed(Message):
        """The player chose another value.

        Attributes:
            value: That one; the row may show yet another by the time the message is read.
        """

        def __init__(self, row: AnyChoiceRow) -> None:
            """Say which row."""
            super().__init__()
            self.row = row
            self.value: Any = row.value

        @property
        def control(self) -> AnyChoiceRow:
            """The row, for `@on`."""
            return self.row

    def __init__(
        self, label: str, choices: Sequence[tuple[Value, str | Text]], value: Value, *, id: str
    ) -> None:
        """Make a row.

        Args:
            label: What is chosen.
            choices: Values and how they are shown.
            value: The first choice; the list's first where it is not in the list.
        """
        super().__init__(id=id)
        self.label = label
        self._choices = list(choices)
        self._index = 0
        self.is_locked = False
        self.show(value)

    @property
    def value(self) -> Value:
        """The chosen value."""
        return self._choices[self._index][0]

    def show(self, value: Value) -> None:
        """Show a value as chosen, without a message."""
        self._index = next((n for n, (other, _) in enumerate(self._choices) if other == value), 0)
        self.refresh()

    def set_choices(self, choices: Sequence[tuple[Value, str | Text]]) -> None:
        """Offer other values; the chosen one stays chosen where it can."""
        value = self.value
        self._choices = list(choices)
        self.show(value)

    def lock_to(self, locked: bool) -> None:
        """Let the row be changed here, or only show it."""
        if self.is_locked != locked:
            self.is_locked = locked
            self.can_focus = not locked
            self.refresh()

    def render(self) -> Text:
        """Draw label and value."""
        text = Text(f"{row_mark(self)}{self.label:<{LABEL_CELLS - MARK_CELLS}}", no_wrap=True)
        left, right = ("", "") if self.is_locked else ("< ", " >") if is_ascii(self) else ("‹ ", " ›")
        shown = self._choices[self._index][1]
        room = self.content_size.width - LABEL_CELLS - len(left) - len(right)
        text.append(left, "bold")
        text.append_text(
            cut(shown if isinstance(shown, Text) else Text(shown, "bold"), room, is_ascii=is_ascii(self))
        )
        text.append(right, "bold")
        return inked(text, self.app.current_theme)

    def action_step(self, step: int) -> None:
        """Choose the next value, or the one before."""
        if self.is_locked or len(self._choices) < 2:
            return
        self._index = (self._index + step) % len(self._choices)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, everything else on."""
        if not self.is_locked:
            self.focus()
            self.action_step(-1 if LABEL_CELLS <= event.x <= LABEL_CELLS + 1 else 1)


AnyChoiceRow: TypeAlias = ChoiceRow[Any]
"""A row whose values only its screen knows."""


class SteadyInput(Input):
    """An input that takes all keys in the order in which they come, and whose cursor does not blink.

    Over a slow line every blink is traffic. And Textual hands keys like Ctrl-U to the program first, which
    gets round to them when the letters behind them stand there already.
    """

    def on_mount(self) -> None:
        """Let the cursor stand."""
        self.cursor_blink = False

    async def on_key(self, event: events.Key) -> None:
        """Do at once what a key does in a line of text."""
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return


class TextRow(Horizontal):
    """A line of text with its label."""

    DEFAULT_CSS = """
    TextRow { height: 1; width: 1fr; }
    TextRow Label { width: 14; }
    TextRow Input { width: 1fr; max-width: 48; }
    """

    def __init__(self, label: str, value: str, *, id: str, placeholder: str = "", most: int = 64) -> None:
        """Make a row.

        Args:
            most: Characters that can be typed.
        """
        super().__init__(id=f"{id}-row")
        self._label = label
        self.input = SteadyInput(
            value, placeholder=placeholder, compact=True, max_length=most, id=id, select_on_focus=False
        )

    @property
    def value(self) -> str:
        """What is typed now."""
        return self.input.value

    def compose(self) -> ComposeResult:
        """Label and input."""
        yield Label(f" {self._label}")
        yield self.input

    def on_descendant_focus(self) -> None:
        """Mark the row."""
        self.query_one(Label).update(row_mark(self.input) + self._label)

    def on_descendant_blur(self) -> None:
        """Take the mark away."""
        self.query_one(Label).update(row_mark(self.input) + self._label)


class ActionRow(Widget, can_focus=True):
    """Something to do: a button of one line."""

    DEFAULT_CSS = """
    ActionRow { height: 1; width: auto; min-width: 12; }
    """
    BINDINGS = [Binding("enter,space", "press", "Do it", show=False)]

    class Pressed(Message):
        """The row was chosen."""

        def __init__(self, row: ActionRow) -> None:
            """Say which row."""
            super().__init__()
            self.row = row

        @property
        def control(self) -> ActionRow:
            """The row, for `@on`."""
            return self.row

    def __init__(self, label: str, *, id: str) -> None:
        """Make a row.

        Args:
            label: Keys in it stand by the name of their use, in braces.
        """
        super().__init__(id=id)
        self.label = label

    def render(self) -> Text:
        """Draw it like a button."""
        return Text(f"{row_mark(self)}[ {keys_of(self).fill(self.label)} ]", no_wrap=True)

    def action_press(self) -> None:
        """Do it."""
        self.post_message(self.Pressed(self))

    def on_click(self) -> None:
        """The same by mouse."""
        self.action_press()


class FormColumn(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Rows that may not all fit; it leaves up and down to the screen, which goes from row to row."""


class FormScreen(HeatScreen[None]):
    """A screen of rows: up and down go from row to row, Escape goes back."""

    BINDINGS = [
        Binding("up", "app.focus_previous", "Up", show=False),
        Binding("down", "app.focus_next", "Row", key_display="↑↓"),
        Binding("escape", "back", "Back"),
    ]
    AUTO_FOCUS = None
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]

    def why_not(self, action: str) -> str:
        """Say why an action cannot be done now, in one sentence; empty where it can. Screens say more."""
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The footer has only what can be done now."""
        return not self.why_not(action)

    def on_key(self, event: events.Key) -> None:
        """Say why a key does nothing now."""
        key = pressed_key(event.key, event.character)
        for binding in self.BINDINGS:
            if isinstance(binding, Binding) and binding.id and key in keys_of(self).all_of(binding.id):
                if refusal := self.why_not(binding.action.partition("(")[0]):
                    self.say(refusal)

    def action_back(self) -> None:
        """Go back to where one came from."""
        self.go_back()

    def say(self, text: str, *, names_keys: bool = False) -> None:
        """Put one sentence in the screen's message line; see `MessageLine.say`."""
        for line in self.query(MessageLine):
            line.say(text, names_keys=names_keys)


class MessageLine(Widget):
    """The line in which a screen answers; a long sentence takes more lines rather than lose its end."""

    DEFAULT_CSS = """
    MessageLine { height: auto; min-height: 1; max-height: 3; width: 1fr; }
    """

    def __init__(self, text: str = "") -> None:
        """Make the one message line of a screen, with a text of the program's own; see `say`."""
        super().__init__(id="message")
        self._text = text
        self._names_keys = True

    @property
    def text(self) -> str:
        """What is shown."""
        return keys_of(self).fill(self._text) if self._names_keys else self._text

    def say(self, text: str, *, names_keys: bool = False) -> None:
        """Show another text.

        Args:
            names_keys: Whether keys stand in it by the name of their use, in braces; not in people's texts.
        """
        self._text = text
        self._names_keys = names_keys
        self.refresh(layout=True)

    def render(self) -> Text:
        """Draw it."""
        return Text(self.text)
