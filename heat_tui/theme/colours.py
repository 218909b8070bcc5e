"""Styles of texts that every screen shares: what they mean, whatever the theme is.

A text is made in the paints of the night theme, whose colours know which paint they are; `inked` puts the
paints of the theme that is on in their place when the text is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Final, Protocol, cast

from rich.color import Color
from rich.style import Style
from rich.text import Span, Text

from heat_core.cards import CATALOGUE, CardName
from heat_core.race.setup import COLOURS, Colour
from heat_tui.theme.paints import PAINTS, Paint, ThemeName, colour, style, theme_named

_paint = partial(colour, "night")

INK: Final = _paint("ink")
SOFT: Final = _paint("soft")
GOLD: Final = _paint("gold")
RED: Final = _paint("red")
GREEN: Final = _paint("green")
AMBER: Final = _paint("amber")
VIOLET: Final = _paint("violet")
CYAN: Final = _paint("cyan")
LEGENDS: Final = _paint("legends-line")

ON_RED: Final = style("night", "red-ink", "red-fill", bold=True)
ON_GOLD: Final = style("night", "fill-ink", "gold-fill", bold=True)
ON_AMBER: Final = style("night", "fill-ink", "amber-fill", bold=True)
ON_GREEN: Final = style("night", "fill-ink", "green-fill", bold=True)
ON_CYAN: Final = style("night", "fill-ink", "cyan-fill", bold=True)
PLATE: Final = style("night", "plate-ink", "plate", bold=True)

DIM: Final = Style(dim=True)
BOLD: Final = Style(bold=True)
ACTIVE: Final = Style(bold=True, reverse=True)


def car_paints(car: Colour) -> tuple[Paint, Paint]:
    """Name the paints of a car and of the letter on it."""
    return cast("Paint", f"car-{car}"), cast("Paint", f"car-{car}-ink")


def _car_style(car: Colour) -> Style:
    body, letter = car_paints(car)
    return style("night", letter, body, bold=True)


CAR_STYLES: Final[dict[Colour, Style]] = {car: _car_style(car) for car in COLOURS}

_CARD_COLOURS: Final[Mapping[str, Color]] = {
    "speed": INK,
    "upgrade": _paint("upgrade-text"),
    "sponsorship": _paint("sponsorship-text"),
    "stress": VIOLET,
    "heat": RED,
}


def card_colour(card: CardName) -> Color:
    """Give the colour that a kind of card is drawn in."""
    return _CARD_COLOURS[CATALOGUE[card].kind]


class Theme(Protocol):
    """A theme of the program, as far as inks know it."""

    name: str


def inked(text: Text, theme: Theme) -> Text:
    """Give a text in the paints of a theme; what is dim is soft, so that it can be read in any.

    Args:
        text: In the styles above; it is left as it is.
        theme: The one that is on.
    """
    name = theme_named(theme.name)
    other = text.copy()
    other.style = _inked_style(text.style, name)
    other.spans = [Span(start, end, _inked_style(style, name)) for start, end, style in text.spans]
    return other


@cache
def _inked_style(style: str | Style, theme: ThemeName) -> Style:
    parsed = Style.parse(style) if isinstance(style, str) else style
    fore = SOFT if parsed.dim and parsed.bgcolor is None else parsed.color
    ink, ground = _of_theme(fore, theme), _of_theme(parsed.bgcolor, theme)
    return parsed + Style(color=ink, bgcolor=ground, dim=False if parsed.dim else None)


def _of_theme(painted: Color | None, theme: ThemeName) -> Color | None:
    if painted is None or painted.name not in PAINTS:
        return painted
    return colour(theme, cast("Paint", painted.name))
