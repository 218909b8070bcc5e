"""A line of the forecast and the style it is shown in."""

from __future__ import annotations

from typing import NamedTuple

from heat_tui.theme.colours import CYAN, GOLD, GREEN

DANGER = "bold white on #b3261e"
WARN = f"bold {GOLD}"
GOOD = GREEN
PLAIN = ""
DIM = "dim"
HINT = CYAN


class Line(NamedTuple):
    """A line and the style it is shown in."""

    text: str
    style: str = PLAIN
