"""Colours of cars and cards, shared by the panels. The map has its own, for it paints pixels.

Text is coloured for a dark background; `inked` puts it into the colours of the theme that is on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Protocol

from rich.style import Style
from rich.text import Span, Text

from heat_core.cards import CATALOGUE, CardName
from heat_core.race.setup import Colour

INK: Final = "#e6e4df"
GOLD: Final = "#f0b93a"
GREEN: Final = "#57b560"
RED: Final = "#ff6b5e"
VIOLET: Final = "#c792ea"
CYAN: Final = "#57b5d0"
BLUE: Final = "#7f8fd0"

_BY_DAY: Final[Mapping[str, str]] = {
    INK: "#1c1c1c",
    GOLD: "#8a5a00",
    GREEN: "#22702f",
    RED: "#b3261e",
    VIOLET: "#6f2f9e",
    CYAN: "#1a6a86",
    BLUE: "#3f4fa0",
}
_OF_THE_TERMINAL: Final[Mapping[str, str]] = {
    INK: "default",
    GOLD: "yellow",
    GREEN: "green",
    RED: "red",
    VIOLET: "magenta",
    CYAN: "cyan",
    BLUE: "blue",
}

CAR_STYLES: Final[dict[Colour, Style]] = {
    "red": Style.parse("bold white on #c8332b"),
    "blue": Style.parse("bold white on #2f62c4"),
    "yellow": Style.parse("bold black on #f0c030"),
    "green": Style.parse("bold white on #2f8f3f"),
    "black": Style.parse("bold white on #000000"),
    "grey": Style.parse("bold black on #a8a8a8"),
    "orange": Style.parse("bold black on #f08a24"),
    "purple": Style.parse("bold white on #8a3fc0"),
}

_CARD_COLOURS: Final = {
    "speed": INK,
    "upgrade": GOLD,
    "sponsorship": CYAN,
    "stress": VIOLET,
    "heat": RED,
}


def card_colour(card: CardName) -> str:
    """Give the colour that a kind of card is drawn in."""
    return _CARD_COLOURS[CATALOGUE[card].kind]


class Theme(Protocol):
    """A theme of the program, as far as inks know it."""

    name: str
    dark: bool


def inked(text: Text, theme: Theme) -> Text:
    """Give a text in the colours of a theme: darker by day, or the terminal's own.

    Args:
        text: In the colours above; it is left as it is.
    """
    if "ansi" in theme.name:
        own = True
    elif theme.dark:
        return text
    else:
        own = False
    other = text.copy()
    other.style = _inked_style(text.style, own)
    other.spans = [Span(start, end, _inked_style(style, own)) for start, end, style in text.spans]
    return other


@cache
def _inked_style(style: str | Style, is_terminals_own: bool) -> Style:
    parsed = Style.parse(style) if isinstance(style, str) else style
    if parsed.color is None or parsed.bgcolor is not None:
        return parsed
    ink = (_OF_THE_TERMINAL if is_terminals_own else _BY_DAY).get(parsed.color.name)
    return parsed + Style(color=ink) if ink else parsed


DIM: Final = Style(dim=True)
BOLD: Final = Style(bold=True)
ACTIVE: Final = Style(bold=True, reverse=True)
