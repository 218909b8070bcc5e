"""What can be used in phase 5, by name: `cool`, `adrenaline speed`, `boost`, `gas pedal 4`.

A name belongs to one symbol for the whole turn, used or not, so that no word ever means another one later on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.data.facts import SymbolKind
from heat_core.decisions import ReactChoice
from heat_core.race.events import Symbol
from heat_core.sentences.card_words import card_name, family_name
from heat_core.text import listed
from heat_tui.race.draft import usable_rows

_WORDS: Final[dict[SymbolKind, str]] = {
    "cooldown": "cool",
    "super_cool": "super cool",
    "boost": "boost",
    "speed": "speed",
    "reduce_stress": "calm",
    "heat": "pay",
    "scrap": "scrap",
    "salvage": "salvage",
    "accelerate": "accelerate",
    "draft": "draft",
}
"""What is typed for the symbols that are used in phase 5."""

_MISSING: Final[dict[str, str]] = {
    "adrenaline": "You have no adrenaline this turn: the last cars have it when a round begins",
    "boost": "You cannot boost this turn: your gear must allow it, and each boost is used once",
    "cool": "Nothing cools this turn: 1st and 2nd gear cool, and some cards",
}
"""Why something that many turns have is not in this one, by its first word."""

_TIMES: Final = ("", "second ", "third ", "fourth ", "fifth ", "sixth ")


def reaction_names(choice: ReactChoice) -> dict[str, int]:
    """Name everything that the turn has for phase 5, used or not, with its row."""
    names: dict[str, int] = {}
    rows = [(_symbol_name(use.symbol), row) for row, use in enumerate(choice.symbols)]
    first = len(choice.symbols)
    rows += [(card_name(use.card).casefold(), first + place) for place, use in enumerate(choice.direct)]
    for name, row in rows:
        if name:
            times = sum(known.endswith(name) for known in names if known.removesuffix(name) in _TIMES)
            names[f"{_TIMES[times]}{name}"] = row
    return names


def usable_names(choice: ReactChoice) -> dict[str, int]:
    """Name what can be used now, with its row."""
    rows = usable_rows(choice)
    return {name: row for name, row in reaction_names(choice).items() if row in rows}


def _symbol_name(symbol: Symbol) -> str:
    """Name a symbol by where it comes from and what it does; "" for what works by itself."""
    if symbol.kind == "direct":
        return card_name(symbol.source).casefold()
    if (word := _WORDS.get(symbol.kind, "")) and symbol.card:
        return f"{family_name(symbol.source).casefold()} {word}"
    return word if not word or symbol.source == "gear" else f"{symbol.source} {word}"


def read_reaction(choice: ReactChoice, text: str) -> tuple[int, str] | str:
    """Find what a text names, and what stands behind the name.

    Args:
        text: The name, its initials, or as much of each word as distinguishes it; then an amount or cards.

    Returns:
        The row and the rest; or what is wrong, in one sentence.
    """
    names, words = reaction_names(choice), text.casefold().split()
    for used in range(len(words), 0, -1):
        found = _named(words[:used], names)
        if len(found) == 1:
            return names[found[0]], " ".join(words[used:])
        if found:
            return f"{' '.join(words[:used])!r} could be {listed(found, 'or')}."
    can = listed([*usable_names(choice), "done"], "or")
    missing = next((why for word, why in _MISSING.items() if words and word.startswith(words[0])), "")
    return f"{missing or f'Nothing in this turn is called {text!r}'}. You can type {can}."


def _named(words: Sequence[str], names: dict[str, int]) -> list[str]:
    """List the names that some words mean: the very name, else its initials, else names begun like this."""
    typed = " ".join(words)
    if typed in names:
        return [typed]
    by_initials = [name for name in names if typed == "".join(word[0] for word in name.split())]
    return by_initials or [name for name in names if _begins(name.split(), words)]


def _begins(name: Sequence[str], words: Sequence[str]) -> bool:
    return len(words) <= len(name) and all(map(str.startswith, name, words))


def split_reactions(choice: ReactChoice, text: str) -> list[str]:
    """Split an answer at its commas where each part begins with a name; cards to salvage have commas, too."""
    parts: list[str] = []
    for part in text.split(","):
        if not parts or part.strip().casefold() == "done" or not isinstance(read_reaction(choice, part), str):
            parts.append(part.strip())
        else:
            parts[-1] += f" {part.strip()}"
    return parts
