"""The version of the rules: a race begun with another version is refused with a reason (CORE-17)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

RULES_VERSION: Final = 2
"""Goes up when the same commands would lead to other events; records name the version they were made by."""

_OLDER: Final = MappingProxyType({1: "in which all played cards turned up before the first car moved"})
"""By older version: what was otherwise then, as a clause."""


def is_of_older_rules(version: int) -> bool:
    """Tell whether this program knows a version of the rules, and plays by newer ones."""
    return version in _OLDER


def refusal_of_rules(version: int) -> str | None:
    """Say why a race that another version of the rules began cannot continue; None where it can.

    Args:
        version: Of the rules that it was begun by.
    """
    if version == RULES_VERSION:
        return None
    older = _OLDER.get(version)
    what = f"version {version} of the rules, {older};" if older else f"version {version} of the rules;"
    return f"the race was begun by {what} this program plays version {RULES_VERSION}"
