"""Colours of cars and cards, shared by the panels. The map has its own, for it paints pixels."""

from __future__ import annotations

from typing import Final

from rich.style import Style

from heat_core.cards import CATALOGUE, CardName
from heat_core.setup import Colour

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
    "speed": "#e6e4df",
    "upgrade": "#f0b93a",
    "sponsorship": "#57b5d0",
    "stress": "#c792ea",
    "heat": "#ff6b5e",
}


def card_colour(card: CardName) -> str:
    """Give the colour that a kind of card is drawn in."""
    return _CARD_COLOURS[CATALOGUE[card].kind]


DIM: Final = Style(dim=True)
BOLD: Final = Style(bold=True)
ACTIVE: Final = Style(bold=True, reverse=True)
OWN: Final = Style(bold=True, underline=True)
