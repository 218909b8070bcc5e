"""From samples to cells with colours: what each sample is painted with, and the block that shows a cell best.

A sample of the map is a *mark*: a kind of `heat_tui.map.raster`, together with the space or the corner it
belongs to. What a choice leads to changes the paint of whole spaces and corners, so it changes what marks
stand for and never the samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from rich.style import Style

from heat_tui.map import raster as painted
from heat_tui.map.marks import RoadMarks
from heat_tui.map.palette import HIGHLIGHT_PAINTS, Cell, Look, Rgb, Role, coloured, kind_paint
from heat_tui.picture import CellSamples, fit_cell, main_paint, soften
from heat_tui.picture.fit import ALL, HALVES, fit_parts
from heat_tui.theme import paints
from heat_tui.theme.paints import Paint, ThemeName

_MOST_DRAWN: Final = 20_000
_WASH_SHARE: Final = 0.42
"""How much of a wash hides the road below it."""

_WEIGHTS: Final[Mapping[Paint, float]] = {
    "kerb-red": 2,
    "kerb-white": 2,
    "corner-line": 3,
    "legends-line": 3,
    "chequer-white": 2,
    "chequer-black": 2,
    "grid-mark": 3,
    "edge": 1.5,
    "parapet": 2,
    "halo": 3,
    "plate": 3,
}
"""How much a sample counts, for what is thinner than a cell; all others count 1, cars 3."""


class Shade(NamedTuple):
    """What a sample is painted with.

    Attributes:
        paint: The paint.
        wash: Another paint thinly over it, None for none.
    """

    paint: Paint
    wash: Paint | None = None


Shapes: TypeAlias = CellSamples[Shade]
"""What covers samples of a cell."""


class Writing(NamedTuple):
    """One letter on a cell.

    Attributes:
        glyph: The letter.
        ink: Its paint, None for the one that suits the ground.
        ground: What it stands on, None for what the cell shows.
        is_on_road: Whether it stands on the road's surface even where more of the cell is something else.
        bold: Whether it is bold.
        underline: Whether it is underlined.
    """

    glyph: str
    ink: Paint | None = None
    ground: Paint | None = None
    is_on_road: bool = False
    bold: bool = False
    underline: bool = False


_ROLES: Final[Mapping[Role, Writing]] = {
    "sign": Writing("", "plate-ink", "plate", bold=True),
    "changed sign": Writing("", "fill-ink", "cyan-fill", bold=True),
    "token": Writing("", "fill-ink", "cyan-fill", bold=True),
    "distance": Writing("", bold=True),
    "arrow": Writing("", bold=True),
    "number": Writing(""),
    "race spot": Writing("", "spot", is_on_road=True),
    "other spot": Writing("", "spot", is_on_road=True),
    "grid spot": Writing("", is_on_road=True),
}


ROLE_PLATES: Final[Mapping[Role, Paint]] = {"sign": "plate", "changed sign": "cyan-fill"}
"""What the plate of a printed and of a changed limit is filled with."""


@lru_cache(maxsize=512)
def writing(glyph: str, role: Role) -> Writing:
    """Give a letter of the map as it is written in colours."""
    return _ROLES[role]._replace(glyph=glyph)


class Shades:
    """What the marks of one track are painted with, in one look and under one painted road."""

    def __init__(self, look: Look, road: RoadMarks) -> None:
        """Begin with nothing looked up."""
        self.look = look
        self._road = road
        self._known: dict[int, Shade] = {}
        self._halves: dict[tuple[int, int], Cell] = {}
        self._drawn: dict[tuple[tuple[int, int], tuple[tuple[Shade, int], ...], Writing | None], Cell] = {}

    def of(self, number: int) -> Shade:
        """Give what a mark is painted with."""
        shade = self._known.get(number)
        if shade is None:
            shade = self._known[number] = shown_as(self.look, self._painted(number))
        return shade

    def _painted(self, number: int) -> Shade:
        kind, owner = painted.kind_and_owner(number)
        paint = kind_paint(kind)
        if painted.is_surface(kind):
            state = self._road.spaces.get(owner)
            if state is None:
                return Shade(paint)
            # The target is what the eye looks for: it is filled, not washed.
            over = HIGHLIGHT_PAINTS[state]
            return Shade(over) if state == "target" else Shade(paint, over)
        corner = self._road.corners.get(owner - 1) if kind in painted.CORNER_KINDS else None
        if corner is not None:
            # Every other stripe stays white, so that a kerb stays a kerb.
            return Shade(paint if kind == painted.KERB_WHITE else HIGHLIGHT_PAINTS[corner.state])
        return Shade(paint)

    def cell_at(
        self,
        samples: Callable[[int, int], Mapping[int, int]],
        cell: tuple[int, int],
        shapes: tuple[tuple[Shade, int], ...],
        written: Writing | None,
    ) -> Cell:
        """Draw a cell of a drawing, or give it as it was drawn before: a car that stays costs nothing.

        Args:
            samples: Gives the samples of a column and row; always those of one drawing.
            cell: Column and row.
            shapes: See `cell`.
            written: See `cell`.
        """
        key = cell, shapes, written
        found = self._drawn.get(key)
        if found is None:
            if len(self._drawn) >= _MOST_DRAWN:
                self._drawn.clear()
            found = self._drawn[key] = self.cell(samples(*cell), shapes, written)
        return found

    def letter(self, written: Writing) -> Cell:
        """Draw a letter that stands on a ground of its own, whatever is below."""
        return _letter_on_plate(self.look, written)

    def halves(self, upper: int, lower: int) -> Cell:
        """Draw a cell of two marks, one above the other."""
        found = self._halves.get((upper, lower))
        if found is None:
            over, under = self.of(upper), self.of(lower)
            found = Cell(" " if over == under else "▀", self._style(over, under))
            self._halves[upper, lower] = found
        return found

    def cell(
        self,
        samples: Mapping[int, int],
        shapes: Iterable[tuple[Shade, int]] = (),
        written: Writing | None = None,
    ) -> Cell:
        """Draw a cell.

        Args:
            samples: Which samples of the cell have which mark.
            shapes: What covers them, the topmost first.
            written: A letter on the cell, None for none.
        """
        left = -1
        shades: dict[Shade, int] = {}
        for shade, bits in shapes:
            if bits & left:
                shades[shade] = shades.get(shade, 0) | bits & left
                left &= ~bits
        for number, bits in samples.items():
            if bits & left:
                shade = self.of(number)
                shades[shade] = shades.get(shade, 0) | bits & left
        look = self.look
        if written is not None:
            return self._letter(written, self._ground(written, samples, shades))
        blocks = ALL if look.is_smooth else HALVES
        if left != -1:  # a car comes to many places like this one, and other cars behind it
            parts = fit_parts(tuple([(weight(shade), bits) for shade, bits in shades.items()]), blocks)
            painted_with = tuple(shades)
            # What lies over the road, a car or a plate, stays sharp.
            return Cell(parts.glyph, self._style(painted_with[parts.fore], painted_with[parts.back]))
        fit = fit_cell(shades, weight, blocks)
        if look.mode == "truecolor" and look.is_smooth:
            colours = soften(fit, shades, lambda shade: shade_rgb(look.theme, shade))
            return Cell(fit.glyph, coloured(*colours))
        return Cell(fit.glyph, self._style(fit.fore, fit.back))

    def _letter(self, written: Writing, ground: Shade) -> Cell:
        return Cell(written.glyph, _letter_style(self.look, written, ground))

    def _ground(self, written: Writing, samples: Mapping[int, int], shades: Mapping[Shade, int]) -> Shade:
        if written.ground is not None:
            return shown_as(self.look, Shade(written.ground))
        if written.is_on_road:
            road = {
                number: bits
                for number, bits in samples.items()
                if painted.is_surface(painted.kind_and_owner(number)[0])
            }
            if road:
                return self.of(main_paint(road))
        return main_paint(shades)

    def _style(self, fore: Shade, back: Shade) -> Style:
        look = self.look
        if look.mode == "truecolor":
            return coloured(shade_rgb(look.theme, fore), shade_rgb(look.theme, back))
        return paints.style(look.theme, fore.paint, back.paint)


@lru_cache(maxsize=4096)
def shown_as(look: Look, shade: Shade) -> Shade:
    """Give the shade that a look shows in its place.

    Where colours are few a wash is a paint of its own, and paints of one number are one paint.
    """
    if look.mode == "truecolor":
        return shade
    paint = shade.paint if shade.wash is None else shade.wash
    return Shade(_first_alike(look, paint))


@lru_cache(maxsize=1024)
def _first_alike(look: Look, paint: Paint) -> Paint:
    number = _number(look, paint)
    return next(other for other in paints.PAINTS if _number(look, other) == number)


def _number(look: Look, paint: Paint) -> int:
    value = paints.value(look.theme, paint)
    return value.of_16 if look.mode == "ansi16" else value.of_256


@lru_cache(maxsize=4096)
def shade_rgb(theme: ThemeName, shade: Shade) -> Rgb:
    """Give a shade's colour."""
    red, green, blue = paints.rgb(theme, shade.paint)
    if shade.wash is None:
        return red, green, blue
    over = paints.rgb(theme, shade.wash)
    return (
        round(red + (over[0] - red) * _WASH_SHARE),
        round(green + (over[1] - green) * _WASH_SHARE),
        round(blue + (over[2] - blue) * _WASH_SHARE),
    )


@lru_cache(maxsize=1024)
def _letter_on_plate(look: Look, written: Writing) -> Cell:
    """Draw a letter with a ground of its own."""
    assert written.ground is not None
    return Cell(written.glyph, _letter_style(look, written, shown_as(look, Shade(written.ground))))


@lru_cache(maxsize=4096)
def _letter_style(look: Look, written: Writing, ground: Shade) -> Style:
    ink = (
        ink_on(look, ground)
        if written.ink is None or (written.ink == "spot" and ground.wash)
        else written.ink
    )
    if look.mode == "truecolor":
        return coloured(
            paints.rgb(look.theme, ink),
            shade_rgb(look.theme, ground),
            bold=written.bold,
            underline=written.underline,
        )
    return paints.style(
        look.theme, ink, ground.paint, bold=written.bold or None, underline=written.underline or None
    )


@lru_cache(maxsize=4096)
def ink_on(look: Look, ground: Shade) -> Paint:
    """Give the paint of a text on a ground of the map: the usual one wherever that can be read."""
    usual: Paint = "land-ink" if ground.paint.startswith(("grass", "tree")) else "road-ink"
    behind = shade_rgb(look.theme, ground) if look.mode == "truecolor" else _shown_rgb(look, ground.paint)

    def seen(ink: Paint) -> float:
        return paints.contrast(_shown_rgb(look, ink), behind)

    return usual if seen(usual) >= paints.LEAST_CONTRAST else max(usual, "fill-ink", "red-ink", key=seen)


def _shown_rgb(look: Look, paint: Paint) -> Rgb:
    """Give what a terminal makes of a paint; the 16 colours are those of the usual palette (VGA)."""
    if look.mode == "truecolor":
        return paints.rgb(look.theme, paint)
    palette = STANDARD_PALETTE if look.mode == "ansi16" else EIGHT_BIT_PALETTE
    return palette[_number(look, paint)]


@lru_cache(maxsize=512)
def weight(shade: Shade) -> float:
    """Give how much a sample of a shade counts."""
    return 3 if shade.paint.startswith("car-") else _WEIGHTS.get(shade.paint, 1)
