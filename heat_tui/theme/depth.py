"""Terminals with fewer colours: the numbers chosen by hand take the place of true colours.

Otherwise such a terminal gets the nearest colour by numbers, which makes the red car orange, the yellow one
salmon, and one of the grounds of the light theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor
from textual.filter import LineFilter

from heat_tui.theme.paints import PAINTS, Depth

_DEPTHS: Final[Mapping[str, Depth]] = {"truecolor": "true", "256": "256", "standard": "16", "windows": "16"}


def depth_of(color_system: str | None) -> Depth:
    """Give the depth of what Rich calls a terminal's system of colours; None: it has no colours."""
    return "none" if color_system is None else _DEPTHS.get(color_system, "16")


@cache
def numbers(depth: Depth) -> Mapping[ColorTriplet, int]:
    """Give the number of each paint's true colour, in any theme; none where true colours are shown."""
    if depth not in ("256", "16"):
        return {}
    return {
        value.rgb: value.of_256 if depth == "256" else value.of_16
        for values in PAINTS.values()
        for value in values
    }


class FewerColours(LineFilter):
    """Puts the numbers of a depth in the place of paints; Textual calls it for each line drawn."""

    def __init__(self, depth: Depth) -> None:
        """Begin with a depth."""
        super().__init__()
        self.depth = depth

    @property
    def depth(self) -> Depth:
        """For which terminals; where paints have no numbers, Textual need not call this at all."""
        return self._depth

    @depth.setter
    def depth(self, depth: Depth) -> None:
        self._depth = depth
        self.enabled = bool(numbers(depth))

    def apply(self, segments: list[Segment], background: ScreenColor) -> list[Segment]:
        """Give the segments with the numbers in them."""
        return [
            Segment(text, None if style is None else _numbered(style, self.depth), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=8192)
def _numbered(style: Style, depth: Depth) -> Style:
    ink, ground = _number(style.color, depth), _number(style.bgcolor, depth)
    if ink is style.color and ground is style.bgcolor:
        return style
    return style + Style(color=ink, bgcolor=ground)


def _number(colour: Color | None, depth: Depth) -> Color | None:
    if colour is None or colour.triplet is None:
        return colour
    number = numbers(depth).get(colour.triplet)
    return colour if number is None else Color.from_ansi(number)
