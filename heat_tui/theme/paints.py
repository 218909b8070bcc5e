"""Every colour of the program: one paint a line, named by what it means, with its value in each theme.

A value has three forms: true colour, and a number chosen by hand for terminals with 256 and with 16 colours.
All is drawn in true colours; `heat_tui.theme.depth` puts the number in their place on the way to a terminal
that has fewer. So two paints of a theme that have one true colour also have one number.

Colours mean one thing: gold is you, your keys and what is chosen; red is Heat and a spin-out; amber costs
Heat; green is free or done; violet is Stress; cyan is slipstream, cooling and water.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.color import Color, ColorType
from rich.color_triplet import ColorTriplet
from rich.style import Style

Depth: TypeAlias = Literal["true", "256", "16", "none"]
"""How many colours are shown."""
ThemeName: TypeAlias = Literal["night", "light", "contrast"]
THEME_NAMES: Final[tuple[ThemeName, ...]] = ("night", "light", "contrast")

Paint: TypeAlias = Literal[
    # The screen.
    "ground", "panel", "raised", "line", "ink", "soft", "faint",
    # What means something, as text.
    "gold", "red", "green", "amber", "violet", "cyan", "upgrade-text", "sponsorship-text",
    # The same as fills, and the text on them.
    "gold-fill", "green-fill", "amber-fill", "cyan-fill", "fill-ink", "red-fill", "red-ink", "red-glow",
    "burnt",
    # The land.
    "grass-even", "grass-odd", "tree-even", "tree-odd", "gravel", "land-ink",
    # The road: by sector, and by whether the space is even or odd.
    "asphalt-1-even", "asphalt-1-odd", "asphalt-2-even", "asphalt-2-odd", "asphalt-3-even", "asphalt-3-odd",
    "flooded-even", "flooded-odd", "tunnel-even", "tunnel-odd", "tunnel-roof", "parapet",
    "edge", "kerb-red", "kerb-white", "corner-line", "legends-line", "chequer-black", "chequer-white",
    "grid-mark", "tick", "spot", "road-ink", "skid", "halo", "plate", "plate-ink",
    # A circuit behind other things.
    "far-land", "far-road", "far-edge", "far-kerb",
    # Cards: paper and ink.
    "card", "card-shade", "card-ink", "stress", "stress-ink", "heat-dark", "heat", "heat-glow", "heat-ink",
    "upgrade", "upgrade-ink", "sponsorship", "sponsorship-ink",
    # The steps of the podium, each with its lit edge; the text on them is `fill-ink`.
    "gold-step", "gold-edge", "silver-step", "silver-edge", "bronze-step", "bronze-edge",
    # Cars and their letters.
    "car-red", "car-red-ink", "car-blue", "car-blue-ink", "car-yellow", "car-yellow-ink",
    "car-green", "car-green-ink", "car-black", "car-black-ink", "car-black-ring", "car-grey", "car-grey-ink",
    "car-orange", "car-orange-ink", "car-purple", "car-purple-ink",
]  # fmt: skip


class Value(NamedTuple):
    """A colour as each kind of terminal shows it.

    Attributes:
        true: Red, green and blue as `#rrggbb`.
        of_256: Number in the palette of 256, in [16, 256): the first 16 differ from terminal to terminal.
        of_16: Number among the terminal's own 16.
    """

    true: str
    of_256: int
    of_16: int

    @property
    def rgb(self) -> ColorTriplet:
        """Red, green and blue, each in [0, 256)."""
        return ColorTriplet(*bytes.fromhex(self.true[1:]))


def _same(true: str, of_256: int, of_16: int) -> tuple[Value, Value, Value]:
    return (Value(true, of_256, of_16),) * 3


def _each(
    night: tuple[str, int, int], light: tuple[str, int, int], contrast: tuple[str, int, int]
) -> tuple[Value, Value, Value]:
    return Value(*night), Value(*light), Value(*contrast)


# fmt: off
PAINTS: Final[Mapping[Paint, tuple[Value, Value, Value]]] = {
    # ------------------ night ----------------- light ------------------ contrast --------------
    "ground":          _each(("#101318", 233, 0),  ("#f5f2eb", 231, 15), ("#000000", 16, 0)),
    "panel":           _each(("#171b22", 234, 0),  ("#ece7dc", 255, 15), ("#000000", 16, 0)),
    "raised":          _each(("#212732", 235, 0),  ("#ddd6c7", 254, 15), ("#1c1c1c", 234, 0)),
    "line":            _each(("#38414f", 239, 8),  ("#b5ab97", 248, 7),  ("#8a8a8a", 245, 7)),
    "ink":             _each(("#ece9e2", 255, 15), ("#1d1f23", 234, 0),  ("#ffffff", 231, 15)),
    "soft":            _each(("#a5aeba", 249, 7),  ("#535862", 240, 8),  ("#d6d6d6", 252, 7)),
    "faint":           _each(("#5d6775", 242, 8),  ("#8e8a80", 245, 7),  ("#8a8a8a", 245, 7)),

    "gold":            _each(("#f5d547", 221, 11), ("#6b5a00", 58, 3),   ("#ffe97a", 228, 11)),
    "red":             _each(("#ff6f61", 203, 9),  ("#b3261e", 124, 1),  ("#ff7a1a", 208, 9)),
    "green":           _each(("#4ccf8f", 78, 10),  ("#0f6b3c", 22, 4),   ("#56b4ff", 75, 14)),
    "amber":           _each(("#ff9a4d", 208, 11), ("#9a3f00", 94, 3),   ("#ffb000", 214, 11)),
    "violet":          _each(("#c3a1f7", 183, 13), ("#6a2fb0", 55, 5),   ("#e6b8ff", 183, 13)),
    "cyan":            _each(("#67cfe6", 81, 14),  ("#0d6079", 24, 4),   ("#8fe3ff", 117, 6)),

    "upgrade-text":    _each(("#d8b98c", 180, 11), ("#74501a", 94, 3),   ("#ffd84d", 221, 11)),
    "sponsorship-text": _each(("#8fb0ff", 111, 14), ("#2f4fb5", 25, 4),  ("#9db4ff", 111, 14)),

    "gold-fill":       _each(("#f5d547", 221, 11), ("#f0b52c", 221, 11), ("#ffe97a", 228, 11)),
    "green-fill":      _each(("#4ccf8f", 78, 10),  ("#35c27d", 78, 10),  ("#56b4ff", 75, 14)),
    "amber-fill":      _each(("#ff9a4d", 208, 11), ("#f4a91c", 214, 11), ("#ffb000", 214, 11)),
    "cyan-fill":       _each(("#67cfe6", 81, 14),  ("#2fb6d6", 74, 14),  ("#8fe3ff", 117, 6)),
    "fill-ink":        _same("#17130a", 16, 0),
    "red-fill":        _each(("#c9302c", 160, 1),  ("#b3261e", 124, 1),  ("#b04a00", 130, 1)),
    "red-ink":         _same("#ffffff", 231, 15),
    "red-glow":        _each(("#ff5a4d", 203, 9),  ("#e8483d", 203, 9),  ("#ff7a1a", 208, 9)),
    "burnt":           _each(("#7a1713", 88, 9),   ("#e3a59b", 181, 9),  ("#5e2a04", 52, 9)),

    "grass-even":      _each(("#23533a", 22, 0),   ("#a9cf9d", 151, 15), ("#0c0c0c", 232, 0)),
    "grass-odd":       _each(("#275b40", 22, 0),   ("#b3d6a6", 151, 15), ("#101010", 233, 0)),
    "tree-even":       _each(("#173a28", 234, 0),  ("#83b279", 108, 15), ("#0c0c0c", 232, 0)),
    "tree-odd":        _each(("#1e4a33", 235, 0),  ("#94c08a", 108, 15), ("#101010", 233, 0)),
    "gravel":          _each(("#6d6650", 95, 3),   ("#dccfa6", 187, 15), ("#262626", 235, 0)),
    "land-ink":        _each(("#d3e2d6", 253, 15), ("#1f3a22", 233, 0),  ("#e6e6e6", 254, 15)),

    "asphalt-1-even":  _each(("#393d45", 237, 8),  ("#868a92", 245, 7),  ("#303030", 236, 8)),
    "asphalt-1-odd":   _each(("#3f434c", 238, 8),  ("#8e929a", 246, 7),  ("#383838", 237, 8)),
    "asphalt-2-even":  _each(("#46433f", 239, 8),  ("#96918a", 247, 7),  ("#444444", 238, 8)),
    "asphalt-2-odd":   _each(("#4c4945", 240, 8),  ("#9e9992", 248, 7),  ("#4c4c4c", 239, 8)),
    "asphalt-3-even":  _each(("#433c48", 236, 8),  ("#928a98", 243, 7),  ("#3a3a3a", 237, 8)),
    "asphalt-3-odd":   _each(("#49424e", 237, 8),  ("#9a92a0", 244, 7),  ("#424242", 238, 8)),
    "flooded-even":    _each(("#283e68", 17, 4),   ("#7f9fd0", 110, 14), ("#0a3a5c", 23, 4)),
    "flooded-odd":     _each(("#304874", 24, 4),   ("#8ba9d8", 111, 14), ("#10456b", 24, 4)),
    "tunnel-even":     _each(("#22232a", 235, 8),  ("#7c8089", 244, 7),  ("#1a1a1a", 234, 8)),
    "tunnel-odd":      _each(("#282a31", 236, 8),  ("#82868f", 245, 7),  ("#202020", 235, 8)),
    "tunnel-roof":     _each(("#16161a", 233, 5),  ("#55585f", 240, 8),  ("#8f8f8f", 246, 5)),
    "parapet":         _each(("#c4b48c", 180, 3),  ("#7a6a42", 95, 3),   ("#ffffff", 231, 15)),
    "edge":            _each(("#969aa1", 247, 7),  ("#ffffff", 231, 15), ("#ffffff", 231, 15)),
    "kerb-red":        _each(("#d03a36", 167, 9),  ("#d2332f", 160, 1),  ("#8a8a8a", 245, 7)),
    "kerb-white":      _each(("#f0ede6", 255, 15), ("#ffffff", 231, 15), ("#ffffff", 231, 15)),
    "corner-line":     _each(("#ff5148", 196, 9),  ("#c01810", 124, 1),  ("#ffffff", 231, 15)),
    "legends-line":    _each(("#7486c8", 104, 12), ("#3f55b8", 61, 4),   ("#9db4ff", 111, 14)),
    "chequer-black":   _same("#0e0e0e", 232, 0),
    "chequer-white":   _same("#f4f4f4", 255, 15),
    "grid-mark":       _each(("#cecec8", 252, 15), ("#f4f4f4", 255, 15), ("#d6d6d6", 252, 7)),
    "tick":            _each(("#7e7f82", 244, 7),  ("#c9ccd1", 252, 15), ("#a0a0a0", 247, 7)),
    "spot":            _each(("#a0a3a8", 247, 7),  ("#e6e6e6", 254, 15), ("#bcbcbc", 250, 7)),
    "road-ink":        _each(("#ece9e2", 255, 15), ("#0f1012", 16, 0),   ("#ffffff", 231, 15)),
    "skid":            _each(("#0b0b0d", 232, 0),  ("#26272b", 235, 8),  ("#000000", 16, 0)),
    "halo":            _same("#ffffff", 231, 15),
    "plate":           _each(("#f2eee4", 255, 15), ("#fffdf7", 230, 15), ("#ffffff", 231, 15)),
    "plate-ink":       _each(("#17130a", 16, 0),   ("#17130a", 16, 0),   ("#000000", 16, 0)),

    "far-land":        _each(("#13201b", 233, 0),  ("#e6ecdb", 194, 15), ("#060606", 16, 0)),
    "far-road":        _each(("#20222a", 235, 0),  ("#d6d4ce", 188, 15), ("#121212", 233, 0)),
    "far-edge":        _each(("#3e4149", 238, 8),  ("#c2bdb3", 250, 7),  ("#3c3c3c", 237, 8)),
    "far-kerb":        _each(("#632528", 52, 1),   ("#dba79e", 181, 7),  ("#5c5c5c", 240, 8)),

    "card":            _each(("#f2eee4", 255, 15), ("#fffdf7", 230, 15), ("#ffffff", 231, 15)),
    "card-shade":      _each(("#cfccc4", 251, 7),  ("#dcdcda", 253, 7),  ("#d9dbde", 253, 7)),
    "card-ink":        _each(("#1b1d22", 234, 0),  ("#1b1d22", 234, 0),  ("#000000", 16, 0)),
    "stress":          _each(("#5a3a94", 54, 5),   ("#6a3fb5", 55, 5),   ("#2b1840", 53, 5)),
    "stress-ink":      _each(("#f1e8ff", 255, 15), ("#f1e8ff", 255, 15), ("#f0d9ff", 225, 15)),
    "heat-dark":       _each(("#7d1410", 88, 1),   ("#b3261e", 124, 1),  ("#000000", 16, 0)),
    "heat":            _each(("#b8261a", 124, 1),  ("#c2321f", 160, 1),  ("#5c2600", 52, 1)),
    "heat-glow":       _each(("#ff9a3d", 214, 11), ("#ffb347", 215, 11), ("#ffb26b", 215, 15)),
    "heat-ink":        _each(("#ffe3c8", 230, 15), ("#fff4ea", 231, 15), ("#ffb26b", 215, 15)),
    "upgrade":         _each(("#e2a92c", 214, 11), ("#f0bd45", 221, 11), ("#ffd84d", 221, 11)),
    "upgrade-ink":     _each(("#231a05", 16, 0),   ("#231a05", 16, 0),   ("#000000", 16, 0)),
    "sponsorship":     _same("#2f55b8", 25, 4),
    "sponsorship-ink": _same("#ffffff", 231, 15),

    "gold-step":       _each(("#b3943c", 136, 11), ("#dcb450", 179, 11), ("#ffe97a", 228, 11)),
    "gold-edge":       _each(("#ffd75e", 221, 15), ("#b58a1e", 136, 3),  ("#ffffff", 231, 15)),
    "silver-step":     _each(("#8b9199", 246, 15), ("#bfc3c9", 251, 15), ("#bebebe", 250, 15)),
    "silver-edge":     _each(("#c9ced6", 252, 15), ("#50565f", 240, 8),  ("#ffffff", 231, 15)),
    "bronze-step":     _each(("#b0743f", 137, 7),  ("#cf9a68", 173, 7),  ("#e59e00", 172, 7)),
    "bronze-edge":     _each(("#e09a5c", 173, 11), ("#7d4c20", 94, 3),   ("#ffffff", 231, 15)),

    "car-red":         _each(("#d6322f", 160, 1),  ("#d6322f", 160, 1),  ("#d55e00", 166, 9)),
    "car-red-ink":     _each(("#ffffff", 231, 15), ("#ffffff", 231, 15), ("#000000", 16, 0)),
    "car-blue":        _each(("#2f6fe0", 26, 12),  ("#2f6fe0", 26, 12),  ("#0072b2", 25, 12)),
    "car-blue-ink":    _same("#ffffff", 231, 15),
    "car-yellow":      _each(("#f4c62e", 220, 11), ("#f4c62e", 220, 11), ("#f0e442", 227, 15)),
    "car-yellow-ink":  _same("#000000", 16, 0),
    "car-green":       _each(("#2fa653", 35, 10),  ("#2fa653", 35, 10),  ("#009e73", 36, 10)),
    "car-green-ink":   _same("#000000", 16, 0),
    "car-black":       _each(("#17181b", 16, 0),   ("#17181b", 16, 0),   ("#000000", 16, 0)),
    "car-black-ink":   _same("#ffffff", 231, 15),
    "car-black-ring":  _each(("#8d949e", 246, 7),  ("#8d949e", 246, 7),  ("#8d949e", 246, 7)),
    "car-grey":        _each(("#b4bac2", 250, 7),  ("#b4bac2", 250, 7),  ("#bdbdbd", 250, 7)),
    "car-grey-ink":    _same("#000000", 16, 0),
    "car-orange":      _each(("#f0852a", 208, 9),  ("#f0852a", 208, 9),  ("#e69f00", 172, 11)),
    "car-orange-ink":  _same("#000000", 16, 0),
    "car-purple":      _each(("#c45fb4", 169, 13), ("#c45fb4", 169, 13), ("#cc79a7", 175, 13)),
    "car-purple-ink":  _same("#000000", 16, 0),
}
# fmt: on


def theme_named(name: str) -> ThemeName:
    """Find a theme; an unknown name is that of night."""
    return next((theme for theme in THEME_NAMES if theme == name), "night")


def value(theme: ThemeName, paint: Paint) -> Value:
    """Give what a paint looks like in a theme."""
    return PAINTS[paint][THEME_NAMES.index(theme)]


@cache
def rgb(theme: ThemeName, paint: Paint) -> ColorTriplet:
    """Give a paint's red, green and blue, each in [0, 256)."""
    return value(theme, paint).rgb


LEAST_CONTRAST: Final = 4.5
"""Of a text and what is behind it, by WCAG 2."""


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Reckon the contrast of two colours, in [1.0, 21.0]."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(parts: tuple[int, int, int]) -> float:
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@cache
def colour(theme: ThemeName, paint: Paint) -> Color:
    """Give a paint as a colour of Rich that knows which paint it is: its name is the paint's."""
    return Color(paint, ColorType.TRUECOLOR, triplet=rgb(theme, paint))


@cache
def style(
    theme: ThemeName,
    fore: Paint | None = None,
    back: Paint | None = None,
    *,
    bold: bool | None = None,
    underline: bool | None = None,
    italic: bool | None = None,
) -> Style:
    """Give a style in the paints of a theme; None leaves a part as it is."""
    return Style(
        color=None if fore is None else colour(theme, fore),
        bgcolor=None if back is None else colour(theme, back),
        bold=bold,
        underline=underline,
        italic=italic,
    )
