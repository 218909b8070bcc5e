"""The small box that explains something in a first race."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from heat_tui.race.hints import Hint

END_KEY = "k"


class LessonBox(Static):
    """A hint, over the foot of the map; nothing else moves for it."""

    DEFAULT_CSS = """
    LessonBox {
        layer: lesson; dock: bottom; width: 53; height: auto; max-height: 5; padding: 0 1;
        background: $accent; color: $background;
    }
    """

    def __init__(self) -> None:
        """Begin without a hint."""
        super().__init__(id="lesson", markup=False)
        self.hint: Hint | None = None
        self.display = False

    def show(self, hint: Hint | None) -> None:
        """Show a hint, or with None nothing."""
        self.hint = hint
        self.display = hint is not None
        if hint is not None:
            end = "" if hint.is_final else f" {END_KEY} ends the hints."
            self.update(
                Text.assemble((f"{hint.title}. ", "bold"), f"{hint.text} ", (hint.doing, "bold"), end)
            )
