"""Where plain mode is: said wherever somebody who cannot use the screens may be."""

from __future__ import annotations

from typing import Final

PLAIN_MODE: Final = "For screen readers and braille: heat-tui --plain"
GUESTS_PLAIN_MODE: Final = "For screen readers and braille: TERM=dumb before the line that you typed"
"""The same for somebody who came in by ssh."""

COLUMNS: Final = 80
ROWS: Final = 24
"""What the screens need."""
TOO_SMALL: Final = (
    f"This needs a terminal of {COLUMNS} columns and {ROWS} lines. At any size: heat-tui --plain"
)


def before_the_screen(columns: int, rows: int, *, is_wanted: bool) -> str:
    """Give the line that stands above the first screen; "" for none.

    Args:
        columns: Of the terminal.
        rows: The same.
        is_wanted: Whether plain mode is named at each start; at a terminal too small it always is.
    """
    if columns < COLUMNS or rows < ROWS:
        return f"The screens need {COLUMNS}x{ROWS} cells, this terminal has {columns}x{rows}. {PLAIN_MODE}"
    return PLAIN_MODE if is_wanted else ""
