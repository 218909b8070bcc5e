"""A letter for each car, so that cars can be distinguished without colour."""

from __future__ import annotations

import string
from collections.abc import Sequence


def car_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Give each car a letter of its own: of its name where one is free, else the next of the alphabet."""
    taken: set[str] = set()
    letters = []
    for name in names:
        wished = [letter for letter in name.upper() if letter in string.ascii_uppercase]
        letter = next(letter for letter in (*wished, *string.ascii_uppercase) if letter not in taken)
        taken.add(letter)
        letters.append(letter)
    return tuple(letters)
