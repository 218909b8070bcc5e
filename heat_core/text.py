"""Numbers, places and lists as words of a sentence."""

from __future__ import annotations

from collections.abc import Iterable


def ordinal(number: int) -> str:
    """Say a place from 1 as an ordinal: `1st`, `12th`, `22nd`."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def counted(number: int, word: str) -> str:
    """Say a number of things: `1 card`, `2 cards`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def with_article(word: str) -> str:
    """Say that there is one of something: `a hard bot`, `an easy bot`."""
    return f"{'an' if word.startswith(('a', 'e', 'i', 'o')) else 'a'} {word}"


def listed(words: Iterable[str], last: str) -> str:
    """Write at least one word as a list in a sentence: `1, 2 or 3`.

    Args:
        words: Not empty.
        last: Stands before the last of several: `and`, `or`.
    """
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end
