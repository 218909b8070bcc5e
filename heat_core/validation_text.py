"""What msgspec found wrong with a message or a file, in words of our own."""

from __future__ import annotations

import re
from typing import Final

_PLACE: Final = re.compile(r"(?:at|in) `\$\.?([\w.\[\]]*)`\Z")
_EXPECTED: Final = re.compile(
    r"Expected `([a-z]+)[a-z| ]*`(?: of length)?(?: (<=|>=))?(?: (-?\d+))?(?:,| -|\Z)"
)
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")
_KINDS: Final = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "object": "a map",
    "str": "a text",
}
_UNITS: Final = {"array": " entries", "object": " entries", "str": " characters"}
_LIMITS: Final = {"<=": " of at most ", ">=": " of at least ", None: " of "}


def field_at_fault(text: str) -> str | None:
    """Give the path of the field that a validation error is about; None where it is about no single one."""
    found, missing = _PLACE.search(text), _MISSING.match(text)
    path = [found[1]] if found and found[1] else []
    return ".".join([*path, missing[1]] if missing else path) or None


def validation_text(text: str) -> str:
    """Say in words of our own where and what a validation error found, without anything that the peer wrote.

    Places are made of our own field names; of the rest only kinds, limits and our own field names are taken.
    """
    found = _PLACE.search(text)
    subject = f"The field {found[1]}" if found and found[1] else "The message"
    if missing := _MISSING.match(text):
        return f"{subject} lacks the field {missing[1]}."
    if text.startswith("Object contains unknown field"):
        return f"{subject} has a field that is not known."
    if (expected := _EXPECTED.match(text)) and (kind := _KINDS.get(expected[1])):
        limit = f"{_LIMITS[expected[2]]}{expected[3]}{_UNITS.get(expected[1], '')}" if expected[3] else ""
        return f"{subject} must be {kind}{limit}."
    return f"{subject} has a value that is not allowed."
