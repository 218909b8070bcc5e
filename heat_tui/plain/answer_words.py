"""Words that mean the same at every question of plain mode."""

from __future__ import annotations

from typing import Final

_LEAVING: Final = ("leave", "quit", "exit")
_ASKING: Final = ("?", "help")
_NOTHING: Final = ("done", "no", "n", "none", "skip")
_YES: Final = ("yes", "y")


def is_leaving(line: str) -> bool:
    """Tell whether a line leaves what one is at."""
    return line.casefold() in _LEAVING


def is_asking(line: str) -> bool:
    """Tell whether a line asks for an explanation."""
    return line.casefold() in _ASKING


def is_yes(line: str) -> bool:
    """Tell whether a line means yes."""
    return line.strip().casefold() in _YES


def is_nothing(line: str) -> bool:
    """Tell whether a line means: nothing, or nothing more."""
    return line.strip().casefold() in _NOTHING
