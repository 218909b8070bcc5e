"""How much plain mode says: the level of words, what has just been said, and which examples are known.

What is left out at a level can be asked for: `log`, `where`, `hand`, `legends` and `again` say it all.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from typing import Final, get_args

import msgspec

from heat_tui.state import Folders, WordLevel, load_settings, save_settings

LEVELS: Final[tuple[WordLevel, ...]] = get_args(WordLevel)
"""From the fewest words to the most."""

_REMEMBERED_SECONDS: Final = 60.0
"""So long nothing is said again that has not changed."""
_MOST_EXAMPLES: Final = 5
"""Of each kind of question."""

_MEANINGS: Final[dict[WordLevel, str]] = {
    "few": "what concerns you, and how far the others drive",
    "usual": "that, what each answer leads to, and what others pay",
    "all": "everything that happens",
}


class Voice:
    """How much is said at a terminal.

    Attributes:
        level: The level of words.
    """

    def __init__(self, level: WordLevel = "usual", now: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing said.

        Args:
            now: Gives the time in seconds.
        """
        self.level: WordLevel = level
        self._now = now
        self._said: dict[Hashable, tuple[str, float]] = {}
        self._examples: Counter[Hashable] = Counter()
        self._is_asked = False

    def says(self, level: WordLevel) -> bool:
        """Tell whether what belongs to a level, and to those above it, is said."""
        return LEVELS.index(self.level) >= LEVELS.index(level)

    def fresh(self, about: Hashable, text: str) -> str:
        """Give what is to be said about something: nothing where it was the same less than a minute ago."""
        before, moment = self._said.get(about, ("", 0.0))
        if text == before and self._now() - moment < _REMEMBERED_SECONDS:
            return ""
        return self.note(about, text)

    def changed(self, about: Hashable, text: str) -> str:
        """Give what is to be said about something: nothing where the same was said last."""
        return "" if self._said.get(about, ("", 0.0))[0] == text else self.note(about, text)

    def first(self, about: Hashable, text: str) -> str:
        """Give what is to be said about something: nothing where anything has been said about it."""
        return "" if about in self._said else self.note(about, text)

    def note(self, about: Hashable, text: str) -> str:
        """Note that something is said; gives it."""
        self._said[about] = text, self._now()
        return text

    def forget(self) -> None:
        """Say everything again when it comes up next: somebody else listens, or it was long ago."""
        self._said.clear()

    def repeat(self) -> None:
        """Say the next question whole, with an example: it was asked for."""
        self.forget()
        self._is_asked = True

    def example(self, kind: Hashable, text: str) -> str:
        """Give the example behind a question, nothing once five of its kind have been given."""
        self._examples[kind] += 1
        is_given, self._is_asked = self._is_asked or self._examples[kind] <= _MOST_EXAMPLES, False
        return f" For example: {text}" if is_given else ""

    def knows(self, kind: Hashable) -> bool:
        """Note that something is explained; tell whether it has been five times before."""
        self._examples[kind] += 1
        return self._examples[kind] > _MOST_EXAMPLES


def words_commands(folders: Folders, voice: Voice) -> dict[str, Callable[[], str]]:
    """Give what `words`, `words few` and so on do at any question, by what is typed."""

    def choose(level: WordLevel) -> str:
        voice.level = level
        voice.forget()
        is_saved = save_settings(folders, msgspec.structs.replace(load_settings(folders), words=level))
        return _level_text(level) if is_saved else f"{_level_text(level)} The settings cannot be saved."

    def tell() -> str:
        levels = "; ".join(f"words {level} says {_MEANINGS[level]}" for level in LEVELS)
        return f"{_level_text(voice.level)} {levels[:1].upper()}{levels[1:]}."

    return {"words": tell, **{f"words {level}": partial(choose, level) for level in LEVELS}}


def _level_text(level: WordLevel) -> str:
    return f"Words: {level}."
