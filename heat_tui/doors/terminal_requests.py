"""What a guest's terminal is like, by what the guest's program says; only what is harmless is believed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_TERM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
_VALUE: Final = re.compile(r"[A-Za-z0-9_.@-]{0,40}")
_PASSED: Final = ("COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "ACCESSIBLE")
"""All the variables that a guest can set."""

_CANNOT_PLACE_TEXT: Final = ("dumb", "unknown", "network")
_NO: Final = ("", "0", "no", "off", "false")

MOST_COLUMNS: Final = 600
MOST_ROWS: Final = 300
"""More than any screen shows: what a guest says of the size must not cost any amount of memory."""


def environment_of(term: str, asked: Mapping[bytes, bytes]) -> dict[str, str]:
    """Give all the variables of a login.

    Args:
        term: The kind of terminal, as the guest's program names it.
        asked: The variables that it asks for.
    """
    environment = {"TERM": term if _TERM.fullmatch(term) else "dumb"}
    for name in _PASSED:
        value = asked.get(name.encode(), b"").decode("ascii", "replace")
        if value and _VALUE.fullmatch(value):
            environment[name] = value
    return environment


def wants_lines(environment: Mapping[str, str]) -> bool:
    """Tell whether a login plays in lines: the terminal cannot place text, or its owner reads by ear."""
    accessible = environment.get("ACCESSIBLE", "").lower()
    return environment["TERM"] in _CANNOT_PLACE_TEXT or accessible not in _NO


def bounded_size(columns: int, rows: int) -> tuple[int, int]:
    """Give a size that can be shown; a program that knows none says 0."""
    return max(1, min(columns or 80, MOST_COLUMNS)), max(1, min(rows or 24, MOST_ROWS))
