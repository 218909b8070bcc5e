"""Where plain mode is: said wherever somebody who cannot use the screens may be."""

from __future__ import annotations

from typing import Final

_OWN_WAY: Final = "heat-tui --plain"
WAY_BY_SSH: Final = "TERM=dumb before the line that you typed"
WAY_BY_BROWSER: Final = "ask your host for the way in by ssh"
"""Guests have started no program whose option they could give."""

COLUMNS: Final = 80
ROWS: Final = 24
"""What the screens need."""


def plain_mode(way: str = "") -> str:
    """Say who plain mode is for, and how it is started.

    Args:
        way: How a guest starts it; "": whoever says it is at this machine.
    """
    return f"For screen readers and braille: {way or _OWN_WAY}"


def too_small(way: str) -> str:
    """Say what the screens need, and how to play without; `way` is that of `plain_mode`."""
    return f"This needs a terminal of {COLUMNS} columns and {ROWS} lines. At any size: {way or _OWN_WAY}"


def before_the_screen(columns: int, rows: int, *, is_wanted: bool) -> str:
    """Give the line that stands above the first screen; "" for none.

    Args:
        columns: Of the terminal.
        rows: The same.
        is_wanted: Whether plain mode is named at each start; at a terminal too small it always is.
    """
    if columns < COLUMNS or rows < ROWS:
        return f"The screens need {COLUMNS}x{ROWS} cells, this terminal has {columns}x{rows}. {plain_mode()}"
    return plain_mode() if is_wanted else ""
