"""The small box that explains something in a first race."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.widgets import Static

from heat_tui.keys.bindings import keys_of
from heat_tui.words.hints import Hint

_END: Final = " {race.end_hints} ends the hints."
_MOST_LINES: Final = 5
"""Over the map; see the style sheet."""


class LessonBox(Static):
    """A hint: below the log where there is room, else over the foot or the top of the map."""

    DEFAULT_CSS: ClassVar[str] = """
    LessonBox { height: auto; padding: 0 1; background: $raised; color: $ink; }
    """

    def __init__(self, id: str) -> None:
        """Begin without a hint."""
        super().__init__(id=id, classes="-empty", markup=False)
        self.hint: Hint | None = None

    def keep_clear_of(self, row: int | None, rows: int) -> None:
        """Stand at the top where the foot would cover a row.

        Args:
            row: Of the map, None where there is nothing to cover.
            rows: How many the map has.
        """
        self.set_class(row is not None and row >= rows - _MOST_LINES, "-at-the-top")

    def show(self, hint: Hint | None) -> None:
        """Show a hint, or with None nothing."""
        self.hint = hint
        self.set_class(hint is None, "-empty")
        if hint is not None:
            title, text, doing, end = map(keys_of(self).fill, (hint.title, hint.text, hint.doing, _END))
            if hint.is_final:
                end = ""
            elif not doing:
                end = end.lstrip()
            self.update(Text.assemble((f"{title}. ", "bold"), f"{text} ", (doing, "bold"), end))
