"""Room codes: short, easy to type, without characters that look or sound alike."""

from __future__ import annotations

import secrets
from collections.abc import Container
from typing import Final

from heat_core.wire.address import code_problem

SIGNS: Final = "FHKMRWXY34679"
"""No two of them rhyme (B, D, P; M, N; A, K) or look alike (0, O; 1, I; 5, S; 2, Z; 8, B)."""

CODE_LENGTH: Final = 5
"""Of a server or fleet with up to 3,700 rooms."""

CODES_A_ROOM: Final = 100
"""How many codes there are for each room at least: who mistypes or guesses one should find no room."""


def code_length(rooms: int) -> int:
    """Say how long the code of a new room is.

    Args:
        rooms: How many there are, on all servers of a shared store.
    """
    length = CODE_LENGTH
    while len(SIGNS) ** length < CODES_A_ROOM * rooms:
        length += 1
    return length


def new_code(rooms: int, *taken: Container[str]) -> str:
    """Draw a code that no room has.

    Args:
        rooms: How many there are, on all servers of a shared store.
        taken: Where to look for rooms.
    """
    length = code_length(rooms)
    while True:
        code = "".join(secrets.choice(SIGNS) for _ in range(length))
        if not any(code in codes for codes in taken):
            return code


def is_code(text: str) -> bool:
    """Tell whether a room could have a code, as `normal_code` gives it; an operator's may be any word."""
    return bool(text) and not code_problem(text)


def normal_code(typed: str) -> str:
    """Make of a typed code what the server's table of rooms has: capitals, no spaces or dashes."""
    return "".join(typed.upper().replace("-", " ").split())
