"""A line of the forecast and the style it is shown in."""

from __future__ import annotations

import textwrap
from typing import Final, NamedTuple

from rich.style import Style

from heat_tui.theme.colours import AMBER, GREEN, ON_RED, SOFT

DANGER: Final = ON_RED
WARN: Final = Style(color=AMBER, bold=True)
GOOD: Final = Style(color=GREEN)
PLAIN: Final = Style()
DIM: Final = Style(color=SOFT)
NOTICE: Final = Style(bold=True)
HINT: Final = Style(italic=True)


class Line(NamedTuple):
    """A line and the style it is shown in."""

    text: str
    style: Style = PLAIN

    def folded(self, columns: int) -> list[Line]:
        """Give as many lines as the sentence needs.

        Args:
            columns: Of a line, in cells.
        """
        return [Line(part, self.style) for part in textwrap.wrap(self.text, columns)]
