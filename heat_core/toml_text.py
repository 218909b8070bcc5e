"""What is wrong with a file that is no TOML, in our own words."""

from __future__ import annotations

import re
import tomllib
from typing import Final

_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)\Z")


def toml_fault(error: ValueError | RecursionError) -> str:
    """Say where a text stops being TOML, and what would be right.

    Args:
        error: What `tomllib.loads` raised.
    """
    if isinstance(error, RecursionError):
        return "not TOML: brackets are nested too deeply"
    if not isinstance(error, tomllib.TOMLDecodeError):
        return "not TOML: a number has thousands of digits"
    place = _PLACE.search(str(error))
    where = f"line {place[1]}, column {place[2]}" if place else "the end of the file"
    return f"not TOML: {where} is wrong; write name = value, each name once"
