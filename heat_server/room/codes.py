"""Room codes: short, easy to type, without characters that look or sound alike."""

from __future__ import annotations

import secrets
from collections.abc import Container
from typing import Final

SIGNS: Final = "FHKMRWXY34679"
"""No two of them rhyme (B, D, P; M, N; A, K) or look alike (0, O; 1, I; 5, S; 2, Z; 8, B)."""

CODE_LENGTH: Final = 5


def new_code(*taken: Container[str]) -> str:
    """Draw a code that no room has.

    Args:
        taken: Where to look for rooms.
    """
    while True:
        code = "".join(secrets.choice(SIGNS) for _ in range(CODE_LENGTH))
        if not any(code in codes for codes in taken):
            return code


def is_code(text: str) -> bool:
    """Tell whether a room could have a code, as `normal_code` gives it."""
    return len(text) == CODE_LENGTH and all(sign in SIGNS for sign in text)


def normal_code(typed: str) -> str:
    """Make of a typed code what the server's table of rooms has: capitals, no spaces or dashes."""
    return "".join(typed.upper().replace("-", " ").split())
