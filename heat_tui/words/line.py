"""A line of the forecast and the style it is shown in."""

from __future__ import annotations

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
