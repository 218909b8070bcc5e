"""Style sheets, parsed once in a process for each set of variables.

Textual parses all of them anew for each program and at each change of theme. That is a third of the way to a
first screen, and for a process that is forked from one that has shown a screen all of it is done already.
"""

from __future__ import annotations

from typing import Any, Final

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_Parsed = LRUCache[tuple[Any, ...], list[RuleSet]]

_MOST_SOURCES: Final = 1024
"""More than this program has widgets and screens with a style of their own."""

_PARSED: Final[LRUCache[tuple[tuple[str, str], ...], _Parsed]] = LRUCache(16)
"""By the variables; there are as many sets as themes."""


class SharedStylesheet(Stylesheet):
    """A style sheet whose rules are shared with all others that have the same variables."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        """Begin without a source."""
        super().__init__(variables=variables)
        self._parse_cache = _parsed_with(self._variables)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other variables; `reparse` applies them."""
        self._parse_cache = LRUCache(1)  # what is forgotten here is not what others share
        super().set_variables(variables)
        self._parse_cache = _parsed_with(variables)

    def reparse(self) -> None:
        """Apply the variables, with a new parse only of what was never parsed with them.

        Raises:
            StylesheetError: A source is wrong; the rules stay as they were.
        """
        self.parse()


def _parsed_with(variables: dict[str, str]) -> _Parsed:
    key = tuple(variables.items())
    parsed = _PARSED.get(key)
    if parsed is None:
        parsed = _PARSED[key] = LRUCache(_MOST_SOURCES)
    return parsed
