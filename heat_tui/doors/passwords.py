"""Passwords that a host reads out to friends."""

from __future__ import annotations

import secrets
from typing import Final

_SIGNS: Final = "bcdfghjkmnpqrstvwxz23456789"
_SIGNS_IN_HALF: Final = 4
"""Two such halves are forty bits: with the door's limits nobody finds them by trying."""


def new_password() -> str:
    """Make a password that is easy to read out and to type."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_SIGNS_IN_HALF)) for _ in range(2))
