"""256 colours: those that must differ have numbers of their own, the nearest of the palette by eye.

Otherwise a terminal with 256 colours gets the nearest by numbers, which makes the red car orange, the yellow
one salmon, and one of two grounds of the light theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor
from textual.filter import LineFilter

COLOUR_SYSTEM: Final = "256"
"""What Rich calls a terminal with so many colours."""

FIXED: Final[Mapping[str, int]] = {
    # Cars in lists, then on the map.
    "#c8332b": 160,
    "#2f62c4": 26,
    "#f0c030": 220,
    "#2f8f3f": 28,
    "#000000": 16,
    "#a8a8a8": 248,
    "#f08a24": 208,
    "#8a3fc0": 91,
    "#e03030": 160,
    "#3a74f6": 33,
    "#fad028": 220,
    "#34c454": 41,
    "#0a0a0c": 16,
    "#b0b4ba": 249,
    "#fa881c": 208,
    "#a654e0": 135,
    # Text on dark ground, then on light ground.
    "#e6e4df": 254,
    "#f0b93a": 214,
    "#57b560": 71,
    "#ff6b5e": 203,
    "#c792ea": 177,
    "#57b5d0": 74,
    "#7f8fd0": 104,
    "#1c1c1c": 234,
    "#8a5a00": 94,
    "#22702f": 22,
    "#b3261e": 124,
    "#6f2f9e": 54,
    "#1a6a86": 24,
    "#3f4fa0": 61,
    # The two themes, as far as they have colours of their own.
    "#3f6fb5": 67,
    "#131519": 233,
    "#1b1e24": 234,
    "#262a32": 236,
    "#2f5d9e": 25,
    "#2c7a35": 28,
    "#f4f1ea": 255,
    "#e9e4d9": 254,
    "#dcd5c6": 252,
}
"""Number in the palette of 256 by colour."""

_FIXED_TRIPLETS: Final = [(Color.parse(colour).get_truecolor(), number) for colour, number in FIXED.items()]
_OFF: Final = 1


class FixedColours(LineFilter):
    """Puts the fixed number in the place of a colour that has one; Textual calls it for each line drawn."""

    def apply(self, segments: list[Segment], background: ScreenColor) -> list[Segment]:
        """Give the segments with the fixed colours in them."""
        return [
            Segment(text, None if style is None else _fixed_style(style), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=4096)
def _fixed_style(style: Style) -> Style:
    ink, ground = _fixed(style.color), _fixed(style.bgcolor)
    if ink is style.color and ground is style.bgcolor:
        return style
    return style + Style(color=ink, bgcolor=ground)


def _fixed(colour: Color | None) -> Color | None:
    if colour is None or colour.triplet is None:
        return colour
    number = _number(colour.triplet)
    return colour if number is None else Color.from_ansi(number)


@lru_cache(maxsize=4096)
def _number(colour: ColorTriplet) -> int | None:
    """Find the number of a colour; those of a theme are a little off when Textual has reckoned with them."""
    for other, number in _FIXED_TRIPLETS:
        if all(abs(one - two) <= _OFF for one, two in zip(colour, other, strict=True)):
            return number
    return None
