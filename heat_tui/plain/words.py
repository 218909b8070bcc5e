"""Symbols as words: plain mode spells out what screens show as symbols."""

from __future__ import annotations

import re
from calendar import month_name
from typing import Final

_SPOKEN: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r" *→ *", " to "),
        (r"− ?", "minus "),
        (r" ?× ?", " times "),
        (r" *· *", ", "),
        ("…", "..."),
        (
            r"(?<![\w+])\+([05])\b(?!\.\d| speed)",
            r"the \1",
        ),  # the starting upgrades
        (r"(?<![\w+])\+ ?(?=\w)", "plus "),
        (r"(?<= )= ", "equals "),
        (r"(?<=\d) ?%", " percent"),
        (r"(?<![\d-])(\d+)-(\d+)(?![\d-])", r"\1 to \2"),
        (r"(?<![\w.-])-(?=\d)", "minus "),
        (r"(?<=[a-z] )(\d)/(\d)\b", r"\1 or \2"),  # the speeds of a card, no fraction
        (r"(?<![^.!?\n] )(?<![^.!?\n ])\bSPIN-OUT\b", "Spin-out"),  # capitals are spelled, or shouted
        (r"\bSPIN-OUT\b", "spin-out"),
        (r"\bCLUTTERED\b", "cluttered"),
    )
)
_SENTENCE_END: Final = re.compile(r"(?<=[a-z0-9)'\"][.!?]) +(?=[A-Z0-9#?]|[a-z]\d?: )(?!For example)")
"""Not behind an initial: a name may have one."""
_DATE: Final = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])-(\d\d)\b")
_HASH: Final = re.compile(r"\b([0-9a-f]{8})(?:[0-9a-f]{24}|[0-9a-f]{56})\b")
"""A seed that the program drew, or what was promised of one."""


def spoken(text: str) -> str:
    """Say a sentence of the screens without the signs that a screen reader leaves out."""
    for pattern, words in _SPOKEN:
        text = pattern.sub(words, text)
    return text


def sentences_of(text: str) -> list[str]:
    """Part a text into lines of one sentence each; an example stays with its question."""
    return _SENTENCE_END.sub("\n", text).split("\n")


def begun_too_early(line: str) -> str:
    """Say why a line answers nothing."""
    did = f"began to type {line!r}" if line else "pressed Enter"
    return f"You {did} before this question appeared. Type your answer now."


def dates_spoken(text: str) -> str:
    """Say dates in words, where a voice would read numbers and dashes: `29 November 2026`."""
    return _DATE.sub(lambda found: f"{int(found[3])} {month_name[int(found[2])]} {found[1]}", text)


def sentence_of(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def without_hashes(text: str) -> str:
    """Say only how a hash begins: a voice reads it as trillions. `seed` and `log all` have it whole."""
    return _HASH.sub(r"\1 and so on", text)
