"""How eyes see colours: contrast of text, distances, and what colour-blind eyes make of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet

from heat_tui.theme.paints import Depth

Rgb: TypeAlias = tuple[int, int, int]
Blindness: TypeAlias = Literal["red-blind", "green-blind", "blue-blind"]
Rows: TypeAlias = tuple[tuple[float, float, float], ...]

BLINDNESS: Final[Mapping[str, Rows]] = {
    "red-blind": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "green-blind": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "blue-blind": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""By Machado, Oliveira and Fernandes (2009), severity 1.0: from linear RGB to what is seen."""

_TO_XYZ: Final[Rows] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)


def shown_rgb(colour: Color, depth: Depth) -> Rgb:
    """Give what a terminal of a depth makes of a colour; the 16 are those of the standard palette (VGA)."""
    if depth == "true":
        return _rgb(colour.get_truecolor())
    system = ColorSystem.EIGHT_BIT if depth == "256" else ColorSystem.STANDARD
    number = colour.downgrade(system).number
    assert number is not None, colour
    return _rgb((EIGHT_BIT_PALETTE if depth == "256" else STANDARD_PALETTE)[number])


def contrast(one: Rgb, other: Rgb) -> float:
    """Reckon the contrast of two colours as WCAG 2 does: 1.0 to 21.0."""
    dark, light = sorted(_mixed(_TO_XYZ, _linear(colour))[1] for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def as_seen(colour: Rgb, blindness: str) -> Rgb:
    """Give the colour that looks to everybody as this one does to colour-blind eyes."""
    red, green, blue = (_encoded(part) for part in _mixed(BLINDNESS[blindness], _linear(colour)))
    return red, green, blue


def distance(one: Rgb, other: Rgb) -> float:
    """Reckon how far apart two colours are: the way between them in CIELAB."""
    return math.dist(_lab(one), _lab(other))


def _rgb(colour: ColorTriplet) -> Rgb:
    return colour.red, colour.green, colour.blue


def _linear(colour: Rgb) -> Sequence[float]:
    parts = [part / 255 for part in colour]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _encoded(part: float) -> int:
    part = min(max(part, 0.0), 1.0)
    return round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


def _mixed(rows: Rows, parts: Sequence[float]) -> list[float]:
    return [sum(weight * part for weight, part in zip(row, parts, strict=True)) for row in rows]


def _lab(colour: Rgb) -> tuple[float, float, float]:
    parts = [part / white for part, white in zip(_mixed(_TO_XYZ, _linear(colour)), _WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (841 / 108) * part + 4 / 29 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
