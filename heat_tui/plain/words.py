"""Symbols as words: plain mode spells out what screens show as symbols."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len

_SPOKEN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r" *→ *", " to "),
        (r"− ?", "minus "),
        (r" ?× ?", " times "),
        (r" *· *", ", "),
        ("…", "..."),
    )
)
_HASH: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b")
_PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def spoken(text: str) -> str:
    """Say a sentence of the screens without the signs that a screen reader leaves out."""
    for pattern, words in _SPOKEN:
        text = pattern.sub(words, text)
    return text


def wrapped(text: str, cells: int) -> str:
    """Break lines between words, where a terminal would break them anywhere; longer words stay whole.

    Args:
        cells: The width of the terminal; 0: there is none to fit.
    """
    if not cells:
        return text
    lines = []
    for line in text.split("\n"):
        shown = ""
        for word in line.split(" "):
            if shown and cell_len(f"{shown} {word}") > cells:
                lines.append(shown)
                shown = word
            else:
                shown = f"{shown} {word}" if shown else word
        lines.append(shown)
    return "\n".join(lines)


def sentence_of(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def without_hashes(text: str) -> str:
    """Say only how a hash begins: nobody wants to hear it whole, and the log has it."""
    return _HASH.sub(r"\1 and so on", text)


def place_word(place: int) -> str:
    """Say a place from 1: `third`."""
    return _PLACES[place - 1]
