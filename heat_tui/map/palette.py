"""What the map looks like in each of its modes: which paint or sign stands for what lies on a cell.

With colours each kind of sample has a paint of `heat_tui.theme.paints`. Without, the more important of a
cell's two pixels picks one glyph.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from rich.color import Color
from rich.style import Style

from heat_tui.map import raster as painted
from heat_tui.map.marks import MapStyle, RoadState
from heat_tui.theme import paints
from heat_tui.theme.paints import Depth, Paint, ThemeName

Mode: TypeAlias = Literal["truecolor", "ansi256", "ansi16", "mono", "ascii"]
MODES: Final[tuple[Mode, ...]] = ("truecolor", "ansi256", "ansi16", "mono", "ascii")

Rgb: TypeAlias = tuple[int, int, int]
Slope: TypeAlias = Literal["level", "upright", "rising", "falling"]
"""How the road runs on the screen: left to right, up and down, or along a diagonal."""
Role: TypeAlias = Literal[
    "sign", "changed sign", "token", "distance", "number", "arrow", "race spot", "other spot", "grid spot"
]
CarColour: TypeAlias = str


class Look(NamedTuple):
    """How a terminal shows the map.

    Attributes:
        mode: How it shows colour.
        theme: The table of paints.
        is_smooth: Whether blocks finer than half cells are drawn.
    """

    mode: Mode = "truecolor"
    theme: ThemeName = "night"
    is_smooth: bool = False

    @property
    def has_colours(self) -> bool:
        """Whether paints can be told apart."""
        return self.mode not in ("mono", "ascii")


USUAL_LOOK: Final = Look()
_MODES_OF_DEPTHS: Final[dict[Depth, Mode]] = {
    "true": "truecolor",
    "256": "ansi256",
    "16": "ansi16",
    "none": "mono",
}


def look_for(depth: Depth, *, is_ascii: bool, theme: str, style: MapStyle) -> Look:
    """Choose how the map is drawn in a terminal.

    Args:
        depth: How many colours are shown.
        is_ascii: Whether only plain ASCII is shown.
        theme: The name of the theme that is on; an unknown one is shown as night.
        style: How the player wants the map.
    """
    known = paints.theme_named(theme)
    if is_ascii or style == "ascii":
        return Look("ascii", known)
    return Look(_MODES_OF_DEPTHS[depth], known, is_smooth=style == "smooth" and depth != "none")


class Cell(NamedTuple):
    """One character of the screen and its style."""

    glyph: str
    style: Style


BLANK: Final = Cell(" ", Style())

_PAINTS: Final[dict[int, Paint]] = {
    painted.GRASS: "grass-even",
    painted.GRASS_ALTERNATE: "grass-odd",
    painted.EDGE: "edge",
    painted.KERB_RED: "kerb-red",
    painted.KERB_WHITE: "kerb-white",
    painted.CORNER_LINE: "corner-line",
    painted.LEGENDS_LINE: "legends-line",
    painted.CHEQUER_BLACK: "chequer-black",
    painted.CHEQUER_WHITE: "chequer-white",
    painted.GRID_MARK: "grid-mark",
    painted.PARAPET: "parapet",
    painted.TICK: "tick",
    painted.TUNNEL_ROOF: "tunnel-roof",
    painted.GRAVEL: "gravel",
    painted.TREE: "tree-even",
    painted.TREE_ALTERNATE: "tree-odd",
}
_SURFACES: Final[tuple[tuple[Paint, ...], ...]] = (
    (
        "asphalt-1-even", "asphalt-1-odd",
        "asphalt-2-even", "asphalt-2-odd",
        "asphalt-3-even", "asphalt-3-odd",
    ),
    ("flooded-even", "flooded-odd") * 3,
    ("tunnel-even", "tunnel-odd") * 3,
)  # fmt: skip
"""By ground (dry, flooded, tunnel), then by tone of the sector and parity of the space."""

HIGHLIGHT_PAINTS: Final[dict[str, Paint]] = {
    "target": "green-fill",
    "costs": "amber-fill",
    "danger": "red-glow",
    "maybe": "amber-fill",
    "slipstream": "cyan-fill",
    "boost": "amber-fill",
    "skid": "red-glow",
    "cursor": "halo",
    "free": "green-fill",
    "heat": "amber-fill",
    "spin_out": "red-glow",
}
"""By name of a highlight, or by what a space or a corner costs: what it is filled with."""
HIGHLIGHT_GLYPHS: Final[dict[str, tuple[str, str]]] = {
    "target": ("✓", "+"),
    "costs": ("▲", "^"),
    "danger": ("✗", "X"),
    "maybe": ("○", "%"),
    "slipstream": ("»", "~"),
    "boost": ("*", "*"),
    "skid": ("≈", "&"),
    "cursor": ("◇", "?"),
}
"""By name of the highlight: in Unicode and in ASCII."""

ROAD_GLYPHS: Final[dict[RoadState, tuple[str, str]]] = {
    "free": ("✓", "+"),
    "heat": ("▲", "^"),
    "spin_out": ("✗", "X"),
    "target": ("◎", "O"),
    "slipstream": ("»", "~"),
}
"""By what stopping there means, for the spots of a space where colour cannot say it: Unicode and ASCII."""

# Race line, other spot, starting place.
_SPOT_GLYPHS: Final = ("•", "·", "□")
_ASCII_SPOT_GLYPHS: Final = ("o", ".", "]")
_SPOT_ROLES: Final[tuple[Role, ...]] = ("race spot", "other spot", "grid spot")
_LINES_ACROSS: Final[dict[Slope, str]] = {"level": "┃", "upright": "━", "rising": "╲", "falling": "╱"}
_LEGENDS_ACROSS: Final[dict[Slope, str]] = {"level": "┆", "upright": "┄", "rising": "┄", "falling": "┄"}
_TICKS_ACROSS: Final[dict[Slope, str]] = {"level": "│", "upright": "─", "rising": "╲", "falling": "╱"}
_ASCII_TICKS: Final[dict[Slope, str]] = {"level": "|", "upright": "-", "rising": "\\", "falling": "/"}
_ASCII_EDGES: Final[dict[Slope, str]] = {"level": "-", "upright": "|", "rising": "/", "falling": "\\"}


def spot_glyph(mode: Mode, role: Role) -> str:
    """Give the sign of an empty spot."""
    return (_ASCII_SPOT_GLYPHS if mode == "ascii" else _SPOT_GLYPHS)[_SPOT_ROLES.index(role)]


@lru_cache(maxsize=512)
def kind_paint(kind: int) -> Paint:
    """Give the paint of a kind of sample."""
    if not painted.is_surface(kind):
        return _PAINTS[kind]
    ground, rest = divmod(kind - painted.SURFACE, 6)
    return _SURFACES[ground][rest]


def car_paint(colour: CarColour) -> Paint:
    """Give the paint of a car; an unknown colour is shown as grey."""
    paint = f"car-{colour}"
    return cast("Paint", paint) if paint in paints.PAINTS else "car-grey"


def car_ink(colour: CarColour) -> Paint:
    """Give the paint of the letter on a car."""
    return cast("Paint", f"{car_paint(colour)}-ink")


def car_style(look: Look, colour: CarColour, is_own: bool) -> Style:
    """Give the style of a car's letter; your own car is underlined."""
    underline = True if is_own else None
    if not look.has_colours:
        return Style(bold=True, reverse=True, underline=underline)
    return paints.style(look.theme, car_ink(colour), car_paint(colour), bold=True, underline=underline)


@lru_cache(maxsize=32768)
def coloured(fore: Rgb, back: Rgb, *, bold: bool = False, underline: bool = False) -> Style:
    """Give the style of two colours that are no paints but between paints."""
    ink, ground = Color.from_rgb(*fore), Color.from_rgb(*back)
    if not bold and not underline:
        return Style.from_color(ink, ground)  # in a third of the time
    return Style(color=ink, bgcolor=ground, bold=bold or None, underline=underline or None)


def colourless(role: Role) -> Style:
    """Give the style of a text on the map where there are no colours."""
    if role in ("sign", "changed sign"):
        return Style(bold=True, reverse=True, underline=True if role == "changed sign" else None)
    if role in ("token", "arrow", "distance"):
        return Style(bold=True)
    return Style(dim=True) if role == "number" else Style()


def road_glyph(mode: Mode, upper: int, lower: int, slope: Slope) -> str:
    """Give the glyph of a cell's two pixels without colour.

    Args:
        mode: "mono" or "ascii".
        upper: Kind of the upper pixel.
        lower: Kind of the lower pixel.
        slope: How the road runs here.
    """
    return (_mono_glyph if mode == "mono" else _ascii_glyph)(upper, lower, slope)


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
