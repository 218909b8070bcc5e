"""A panel that shows prepared text and reports clicks to the screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.widget import Widget

from heat_tui.race.rows import Hit
from heat_tui.theme.colours import inked
from heat_tui.theme.glyphs import ASCII, UNICODE, Glyphs
from heat_tui.widgets.line_changes import changed_regions


class TextPanel(Widget, can_focus=False):
    """Lines of text, cut at the panel's edge; parts of them may be clicked.

    What changes is handed to `show_lines`. What depends on
    the panel's size comes with `show_fitting`: a hidden panel has no size until it is laid out again.
    """

    DEFAULT_CSS: ClassVar[str] = """
    TextPanel { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: clip; }
    """

    class Pressed(Message):
        """A part of a panel was clicked.

        Attributes:
            action: Of the screen, for example `card(3)`.
        """

        def __init__(self, action: str) -> None:
            """Say what was clicked."""
            super().__init__()
            self.action = action

    def __init__(self, *, id: str | None = None) -> None:
        """Begin empty."""
        super().__init__(id=id)
        self.chosen: Offset | None = None
        """The cell of what is chosen here, in the panel; None: nothing is."""
        self._lines: list[Text] = []
        self._hits: list[Hit] = []
        self._draw: Callable[[], None] | None = None

    @property
    def glyphs(self) -> Glyphs:
        """The signs that this terminal can show."""
        return ASCII if self.app.has_class("-ascii") else UNICODE

    @property
    def has_pictures(self) -> bool:
        """Whether this terminal has the blocks and colours that pictures are made of."""
        return (
            not self.app.has_class("-ascii")
            and self.app.console.color_system is not None
            and "NO_COLOR" not in os.environ
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown now, without its styles."""
        return tuple(line.plain for line in self._lines)

    def show_lines(self, lines: Sequence[Text], hits: Sequence[Hit] = (), chosen: str = "") -> None:
        """Show other lines, none of them with a line break; only what differs is drawn again.

        Args:
            chosen: The action of the part that is chosen, which the terminal's cursor goes to; "" for none.
        """
        places = [Offset(first, row) for row, first, _, action in hits if action == chosen]
        self.chosen = places[-1] if places else None
        regions = changed_regions(self._lines, lines, self.size.width)
        self._lines, self._hits = [*lines], [*hits]
        if regions or not self.size.width:
            self.refresh(*regions)

    def show_fitting(self, draw: Callable[[], None]) -> None:
        """Draw now, and again whenever the panel has another size.

        Args:
            draw: Looks at the size and calls `show_lines`.
        """
        self._draw = draw
        draw()

    def on_resize(self) -> None:
        """Make use of the room there is now."""
        if self._draw is not None:
            self._draw()

    def render(self) -> Text:
        """Join the lines in the theme's colours; the style sheet has them cut rather than wrapped."""
        return inked(Text("\n").join(self._lines), self.app.current_theme)

    def on_click(self, event: events.Click) -> None:
        """Tell the screen what lies under the mouse."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for row, first, behind, action in self._hits:
            if offset.y == row and first <= offset.x < behind:
                event.stop()
                self.post_message(self.Pressed(action))
                return
