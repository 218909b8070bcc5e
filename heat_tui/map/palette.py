"""What the map looks like in each of its four modes: tables of colours and glyphs.

With colour, a cell shows its two pixels as a half block. Without, the more important of the two picks one
glyph. The 16 colours are given by the values that Rich turns back into exactly these 16.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.color import Color
from rich.style import Style

from heat_tui.map import raster as painted

Mode: TypeAlias = Literal["truecolor", "ansi16", "mono", "ascii"]
MODES: Final[tuple[Mode, ...]] = ("truecolor", "ansi16", "mono", "ascii")

Rgb: TypeAlias = tuple[int, int, int]
Slope: TypeAlias = Literal["level", "upright", "rising", "falling"]
"""How the road runs on the screen: left to right, up and down, or along a diagonal."""
Role: TypeAlias = Literal[
    "sign", "changed sign", "token", "number", "arrow", "race spot", "other spot", "grid spot"
]
CarColour: TypeAlias = str


class Cell(NamedTuple):
    """One character of the screen and its style."""

    glyph: str
    style: Style


BLANK: Final = Cell(" ", Style())

_BLACK: Final = (0, 0, 0)
_DARK: Final = (85, 85, 85)
_LIGHT: Final = (170, 170, 170)
_WHITE: Final = (255, 255, 255)
_RED: Final = (170, 0, 0)
_BRIGHT_RED: Final = (255, 85, 85)
_GREEN: Final = (0, 170, 0)
_BRIGHT_GREEN: Final = (85, 255, 85)
_BROWN: Final = (170, 85, 0)
_YELLOW: Final = (255, 255, 85)
_BLUE: Final = (0, 0, 170)
_BRIGHT_BLUE: Final = (85, 85, 255)
_PURPLE: Final = (170, 0, 170)
_CYAN: Final = (0, 170, 170)

_TRUECOLOR: Final[dict[int, Rgb]] = {
    painted.GRASS: (26, 66, 37),
    painted.GRASS_ALTERNATE: (30, 74, 42),
    painted.EDGE: (132, 134, 138),
    painted.KERB_RED: (208, 44, 44),
    painted.KERB_WHITE: (240, 240, 236),
    painted.CORNER_LINE: (236, 40, 40),
    painted.LEGENDS_LINE: (84, 94, 136),
    painted.CHEQUER_BLACK: (14, 14, 14),
    painted.CHEQUER_WHITE: (244, 244, 244),
    painted.GRID_MARK: (206, 206, 200),
    painted.PARAPET: (196, 180, 140),
    painted.TICK: (126, 127, 130),
    painted.TUNNEL_ROOF: (22, 22, 26),
}
_SURFACES: Final[tuple[tuple[Rgb, Rgb, Rgb], ...]] = (
    ((56, 58, 66), (82, 79, 76), (66, 56, 70)),
    ((40, 62, 104), (58, 76, 118), (48, 60, 112)),
    ((34, 35, 40), (46, 44, 42), (38, 32, 42)),
)
"""By ground (dry, flooded, tunnel) and by tone of the sector."""
_PARITY_LIGHTER: Final = 11

_ANSI16: Final[dict[int, Rgb]] = {
    painted.GRASS: _GREEN,
    painted.GRASS_ALTERNATE: _GREEN,
    painted.EDGE: _LIGHT,
    painted.KERB_RED: _BRIGHT_RED,
    painted.KERB_WHITE: _WHITE,
    painted.CORNER_LINE: _RED,
    painted.LEGENDS_LINE: _BRIGHT_BLUE,
    painted.CHEQUER_BLACK: _BLACK,
    painted.CHEQUER_WHITE: _WHITE,
    painted.GRID_MARK: _WHITE,
    painted.PARAPET: _BROWN,
    painted.TICK: _LIGHT,
    painted.TUNNEL_ROOF: _PURPLE,
}
_SURFACES_ANSI16: Final[tuple[tuple[Rgb, Rgb, Rgb], ...]] = (
    (_BLACK, _DARK, _BLACK),
    (_BLUE, _BLUE, _BLUE),
    (_BLACK, _DARK, _BLACK),
)

_CARS: Final[dict[CarColour, Rgb]] = {
    "red": (224, 48, 48),
    "blue": (58, 116, 246),
    "yellow": (250, 208, 40),
    "green": (52, 196, 84),
    "black": (10, 10, 12),
    "grey": (176, 180, 186),
    "orange": (250, 136, 28),
    "purple": (166, 84, 224),
}
_CARS_ANSI16: Final[dict[CarColour, Rgb]] = {
    "red": _BRIGHT_RED,
    "blue": _BRIGHT_BLUE,
    "yellow": _YELLOW,
    "green": _BRIGHT_GREEN,
    "black": _BLACK,
    "grey": _LIGHT,
    "orange": _BROWN,
    "purple": _PURPLE,
}
_HIGHLIGHTS: Final[dict[str, Rgb]] = {
    "target": (64, 220, 120),
    "danger": (255, 64, 64),
    "maybe": (250, 208, 40),
    "slipstream": (80, 210, 240),
    "boost": (255, 176, 32),
    "skid": (222, 96, 72),
    "cursor": (255, 255, 255),
    "free": (76, 207, 143),
    "heat": (255, 154, 77),
    "spin_out": (255, 90, 77),
}
_HIGHLIGHTS_ANSI16: Final[dict[str, Rgb]] = {
    "target": _BRIGHT_GREEN,
    "danger": _BRIGHT_RED,
    "maybe": _YELLOW,
    "slipstream": _CYAN,
    "boost": _YELLOW,
    "skid": _RED,
    "cursor": _WHITE,
    "free": _GREEN,
    "heat": _YELLOW,
    "spin_out": _BRIGHT_RED,
}
HIGHLIGHT_GLYPHS: Final[dict[str, tuple[str, str]]] = {
    "target": ("◎", "O"),
    "danger": ("×", "X"),
    "maybe": ("○", "%"),
    "slipstream": ("»", "~"),
    "boost": ("*", "*"),
    "skid": ("≈", "&"),
    "cursor": ("◇", "?"),
}
"""By name of the highlight: in Unicode and in ASCII."""

# Race line, other spot, starting place.
_SPOT_GLYPHS: Final[dict[Mode, tuple[str, str, str]]] = {
    "truecolor": ("•", "·", "□"),
    "ansi16": ("•", "·", "□"),
    "mono": ("•", "·", "□"),
    "ascii": ("o", ".", "]"),
}
_SPOT_ROLES: Final[tuple[Role, ...]] = ("race spot", "other spot", "grid spot")
_LINES_ACROSS: Final[dict[Slope, str]] = {"level": "┃", "upright": "━", "rising": "╲", "falling": "╱"}
_LEGENDS_ACROSS: Final[dict[Slope, str]] = {"level": "┆", "upright": "┄", "rising": "┄", "falling": "┄"}
_TICKS_ACROSS: Final[dict[Slope, str]] = {"level": "│", "upright": "─", "rising": "╲", "falling": "╱"}
_ASCII_TICKS: Final[dict[Slope, str]] = {"level": "|", "upright": "-", "rising": "\\", "falling": "/"}
_ASCII_EDGES: Final[dict[Slope, str]] = {"level": "-", "upright": "|", "rising": "/", "falling": "\\"}


def spot_glyph(mode: Mode, role: Role) -> str:
    """Give the sign of an empty spot."""
    return _SPOT_GLYPHS[mode][_SPOT_ROLES.index(role)]


@lru_cache(maxsize=4096)
def _coloured(fore: Rgb, back: Rgb, *, bold: bool = False, underline: bool = False) -> Style:
    return Style(
        color=Color.from_rgb(*fore),
        bgcolor=Color.from_rgb(*back),
        bold=bold or None,
        underline=underline or None,
    )


@lru_cache(maxsize=512)
def kind_colour(mode: Mode, kind: int) -> Rgb:
    """Give the colour of a kind of pixel; only for the two modes that have colours."""
    table, surfaces = (_ANSI16, _SURFACES_ANSI16) if mode == "ansi16" else (_TRUECOLOR, _SURFACES)
    if not painted.is_surface(kind):
        return table[kind]
    ground, rest = divmod(kind - painted.SURFACE, 6)
    red, green, blue = surfaces[ground][rest // 2]
    if mode == "ansi16" or rest % 2 == 0:
        return red, green, blue
    return red + _PARITY_LIGHTER, green + _PARITY_LIGHTER, blue + _PARITY_LIGHTER


@lru_cache(maxsize=8192)
def two_pixels(upper: Rgb, lower: Rgb) -> Cell:
    """Make the cell that shows two colours one above the other."""
    if upper == lower:
        return Cell(" ", _coloured(_BLACK, upper))
    return Cell("▀", _coloured(upper, lower))


@lru_cache(maxsize=8192)
def road_cell(mode: Mode, upper: int, lower: int, slope: Slope) -> Cell:
    """Make the cell of two pixels.

    Args:
        mode: How the terminal shows colour.
        upper: Kind of the upper pixel.
        lower: Kind of the lower pixel.
        slope: How the road runs here.
    """
    if mode in ("truecolor", "ansi16"):
        return two_pixels(kind_colour(mode, upper), kind_colour(mode, lower))
    return Cell((_mono_glyph if mode == "mono" else _ascii_glyph)(upper, lower, slope), Style())


_RIM: Final = frozenset({painted.EDGE, painted.KERB_RED, painted.KERB_WHITE, painted.PARAPET})


def _mono_glyph(upper: int, lower: int, slope: Slope) -> str:
    both = (upper, lower)
    if painted.CORNER_LINE in both:
        return _LINES_ACROSS[slope]
    if painted.CHEQUER_WHITE in both or painted.CHEQUER_BLACK in both:
        return "▚" if upper == painted.CHEQUER_WHITE else "▞"
    if upper in _RIM or lower in _RIM:
        if painted.KERB_WHITE in both and upper in _RIM and lower in _RIM:
            return "▒"
        return "█" if upper in _RIM and lower in _RIM else "▀" if upper in _RIM else "▄"
    if painted.LEGENDS_LINE in both:
        return _LEGENDS_ACROSS[slope]
    if painted.TICK in both:
        return _TICKS_ACROSS[slope]
    if painted.GRID_MARK in both:
        return _LINES_ACROSS[slope]
    if painted.TUNNEL_ROOF in both:
        return "░"
    if any(painted.is_surface(kind) and (kind - painted.SURFACE) // 6 == painted.FLOODED for kind in both):
        return "~"
    return " "


def _ascii_glyph(upper: int, lower: int, slope: Slope) -> str:
    both = (upper, lower)
    if painted.CORNER_LINE in both:
        return "#"
    if painted.CHEQUER_WHITE in both or painted.CHEQUER_BLACK in both:
        return "%"
    if upper in _RIM or lower in _RIM:
        if painted.PARAPET in both:
            return "="
        return _ASCII_EDGES[slope]
    if painted.LEGENDS_LINE in both:
        return ":"
    if painted.TICK in both:
        return _ASCII_TICKS[slope]
    if painted.GRID_MARK in both:
        return "]"
    if painted.TUNNEL_ROOF in both:
        return "^"
    if any(painted.is_surface(kind) and (kind - painted.SURFACE) // 6 == painted.FLOODED for kind in both):
        return "~"
    return " "


_LIFTS: Final[dict[Role, int]] = {"race spot": 74, "other spot": 46, "grid spot": 150}
"""How much lighter a spot's sign is than the road."""


@lru_cache(maxsize=1024)
def text_style(mode: Mode, role: Role, under: int) -> Style:
    """Give the style of a sign, a number or an empty spot.

    Args:
        mode: How the terminal shows colour.
        role: What the text is.
        under: The kind of pixel that it is written on.
    """
    if mode in ("mono", "ascii"):
        if role in ("sign", "changed sign"):
            return Style(bold=True, reverse=True, underline=True if role == "changed sign" else None)
        if role in ("token", "arrow"):
            return Style(bold=True)
        return Style(dim=True) if role == "number" else Style()
    if role == "sign":
        return _coloured(_WHITE, (196, 26, 34) if mode == "truecolor" else _RED, bold=True)
    if role == "changed sign":
        return _coloured(_BLACK, (250, 200, 40) if mode == "truecolor" else _YELLOW, bold=True)
    if role == "token":
        return _coloured(_BLACK, (110, 206, 226) if mode == "truecolor" else _CYAN, bold=True)
    back = kind_colour(mode, under)
    if mode == "ansi16":
        return _coloured(_LIGHT if role in ("other spot", "number") else _WHITE, back)
    if role == "arrow":
        return _coloured(_WHITE, back, bold=True)
    if role == "number":
        return _coloured((170, 190, 170) if under < painted.EDGE else (150, 150, 156), back)
    lift = _LIFTS.get(role, 46)
    return _coloured((back[0] + lift, back[1] + lift, back[2] + lift), back)


def car_colour(mode: Mode, colour: CarColour) -> Rgb:
    """Give the paint of a car; an unknown colour is shown as grey."""
    table = _CARS_ANSI16 if mode == "ansi16" else _CARS
    return table.get(colour, table["grey"])


@lru_cache(maxsize=256)
def car_style(mode: Mode, colour: CarColour, is_own: bool) -> Style:
    """Give the style of a car's letter; your own car is underlined."""
    if mode in ("mono", "ascii"):
        return Style(bold=True, reverse=True, underline=True if is_own else None)
    paint = car_colour(mode, colour)
    bright = paint[0] * 3 + paint[1] * 6 + paint[2] > 1150
    return _coloured(_BLACK if bright else _WHITE, paint, bold=True, underline=is_own)


@lru_cache(maxsize=512)
def nose_style(mode: Mode, colour: CarColour, under: int) -> Style:
    """Give the style of the sign before a car that shows where it heads."""
    if mode in ("mono", "ascii"):
        return Style(bold=True)
    return _coloured(car_colour(mode, colour), kind_colour(mode, under), bold=True)


@lru_cache(maxsize=512)
def mark_style(mode: Mode, name: str, under: int) -> Style:
    """Give the style of a highlight's glyph, or of the marks around the active car (name "active")."""
    if mode in ("mono", "ascii"):
        return Style(bold=True)
    table = _HIGHLIGHTS_ANSI16 if mode == "ansi16" else _HIGHLIGHTS
    if name == "active":
        return _coloured(_WHITE, kind_colour(mode, under), bold=True)
    return _coloured(_BLACK, table.get(name, table["target"]), bold=True)


_PAINTED_SHARE: Final = 0.45
"""How much of the paint hides the road below it; a target hides nearly all."""
_TARGET_SHARE: Final = 0.85


@lru_cache(maxsize=1024)
def painted_road(mode: Mode, cell: Cell, kinds: tuple[int, int], state: str) -> Cell:
    """Give a cell of the road under the paint of what stopping there means.

    Args:
        mode: One of those with colours.
        cell: The cell without the paint; a text on it stays.
        kinds: What its upper and its lower pixel show.
        state: The name of the paint.
    """
    table = _HIGHLIGHTS_ANSI16 if mode == "ansi16" else _HIGHLIGHTS
    share = 1.0 if mode == "ansi16" else _TARGET_SHARE if state == "target" else _PAINTED_SHARE

    def under_paint(kind: int) -> Rgb:
        below = kind_colour(mode, kind)
        if not painted.is_surface(kind):
            return below
        red, green, blue = (
            round(one * (1 - share) + other * share) for one, other in zip(below, table[state], strict=True)
        )
        return red, green, blue

    upper, lower = (under_paint(kind) for kind in kinds)
    if cell.glyph in " ▀":
        return two_pixels(upper, lower)
    back = upper if painted.is_surface(kinds[0]) else lower
    return Cell(cell.glyph, _coloured(_BLACK if sum(back) > 300 else _WHITE, back))
