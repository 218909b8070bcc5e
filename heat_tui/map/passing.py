"""Cells that a driving car passes over: its shapes on the ground as it is drawn, for one frame.

To fit such a cell to all its samples, as is done for what stays, is most of what a frame would cost. Here the
ground is the block and the two colours that are on the screen already, and the fit, which knows weights but
no colours, is kept: the same part of a car over the same block comes again all round the lap. So is the cell
that comes of it: in the middle of a car it is always the same, at its edge it has one colour of the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Final, Literal, TypeAlias

from rich.color import Color
from rich.style import Style

from heat_tui.map.car_shapes import CarCell, CarPose, Part, car_shape
from heat_tui.map.palette import Cell, Look
from heat_tui.map.shades import Shade, shade_rgb
from heat_tui.map.signs import Coordinates
from heat_tui.picture import fit_cell
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import HALVES, QUARTERS, SHAPES
from heat_tui.theme import paints

_Seen: TypeAlias = Part | Literal["fore", "back"]
"""A part of a car, or a colour of the ground."""
_Fit: TypeAlias = tuple[str, _Seen, _Seen]
"""A glyph and what it is painted with."""
_WEIGHTS: Final[Mapping[_Seen, float]] = {"body": 3, "halo": 3, "wheel": 1, "fore": 1, "back": 1}
"""How much a sample counts."""
_MOST_GROUNDS: Final = 256
_KEPT: Final[Mapping[frozenset[_Seen], Callable[[Style], object]]] = {
    frozenset[_Seen](): lambda ground: None,
    frozenset[_Seen]({"fore"}): attrgetter("color"),
    frozenset[_Seen]({"back"}): attrgetter("bgcolor"),
    frozenset[_Seen]({"fore", "back"}): lambda ground: ground,
}
"""What is left of a ground, by which of its colours are still seen."""


class PassingCar:
    """How a car that drives is painted.

    Attributes:
        shades: Of its parts; what has none is not seen.
    """

    def __init__(self, look: Look, shades: Mapping[Part, Shade]) -> None:
        """Take its paints; the look has colours."""
        self.shades = shades
        self._look = look
        self._seen = tuple(shades)
        self._blocks: dict[_Fit, _Blocks] = {}

    def cells(self, pose: CarPose) -> Sequence[tuple[Coordinates, PassingPart]]:
        """Give its parts by cells around that of its letter."""
        return _passing_parts(pose, self._seen, self._look.is_smooth)

    def over(self, ground: Cell, part: PassingPart) -> Cell:
        """Draw a part over a cell as it is drawn without it; a letter on that is hidden."""
        glyph, style = ground
        fit = part.fits.get(glyph) or part.fit(glyph)
        blocks = self._blocks.get(fit)
        if blocks is None:
            glyph, fore, back = fit
            blocks = self._blocks[fit] = _Blocks(self._look, glyph, self._painted(fore), self._painted(back))
        kept = blocks.kept(style)
        return blocks.get(kept) or blocks.drawn(kept, style)

    def _painted(self, seen: _Seen) -> Shade | _Seen:
        return seen if seen == "fore" or seen == "back" else self.shades[seen]  # for mypy


class PassingPart:
    """A part of a car in whatever paints, for one cell.

    Attributes:
        parts: What of the car is there.
        fits: What is drawn where it lies over a glyph, as far as that is known.
    """

    def __init__(self, parts: CarCell, seen: tuple[Part, ...], *, is_smooth: bool) -> None:
        """Take what of a car lies over a cell, and what of that is seen."""
        self.parts = parts
        self.fits: dict[str, _Fit] = {}
        self._seen = seen
        self._is_smooth = is_smooth

    def fit(self, ground: str) -> _Fit:
        """Choose what is drawn over a glyph."""
        fit = self.fits[ground] = _fit(self.parts, self._seen, ground, self._is_smooth)
        return fit


@lru_cache(maxsize=2048)
def _passing_parts(
    pose: CarPose, seen: tuple[Part, ...], is_smooth: bool
) -> tuple[tuple[Coordinates, PassingPart], ...]:
    return tuple(
        (place, PassingPart(parts, seen, is_smooth=is_smooth)) for place, parts in car_shape(pose).items()
    )


class _Blocks(dict[object, Cell]):
    """Cells of one glyph that differ in what is left of the ground: none, one or both of its colours.

    Attributes:
        kept: Gives that of the ground's style.
    """

    def __init__(self, look: Look, glyph: str, fore: Shade | _Seen, back: Shade | _Seen) -> None:
        """Begin with none."""
        super().__init__()
        self._look = look
        self._glyph = glyph
        self._fore = fore
        self._back = back
        left = frozenset(seen for seen in (fore, back) if not isinstance(seen, Shade))
        self.kept = _KEPT[left]

    def drawn(self, kept: object, ground: Style) -> Cell:
        """Draw one that is not there yet."""
        if len(self) >= _MOST_GROUNDS:
            self.clear()
        style = Style.from_color(self._colour(ground, self._fore), self._colour(ground, self._back))
        cell = self[kept] = Cell(self._glyph, style)
        return cell

    def _colour(self, ground: Style, seen: Shade | _Seen) -> Color | None:
        if isinstance(seen, Shade):
            return _colour(self._look, seen)
        return ground.color if seen == "fore" else ground.bgcolor


@lru_cache(maxsize=16_384)
def _fit(parts: CarCell, seen: tuple[Part, ...], ground: str, is_smooth: bool) -> _Fit:
    """Choose a glyph and what it is painted with; quarters of a cell are fine enough for one frame."""
    samples: dict[_Seen, int] = {part: bits for part, bits in parts if part in seen}
    left = WHOLE_CELL & ~reduce(or_, samples.values(), 0)
    block = SHAPES.get(ground, 0)
    if left & block:
        samples["fore"] = left & block
    if left & ~block:
        samples["back"] = left & ~block
    fit = fit_cell(samples, _WEIGHTS.__getitem__, QUARTERS if is_smooth else HALVES)
    return fit.glyph, fit.fore, fit.back


@lru_cache(maxsize=256)
def _colour(look: Look, shade: Shade) -> Color:
    if look.mode == "truecolor":
        return Color.from_rgb(*shade_rgb(look.theme, shade))
    return paints.colour(look.theme, shade.paint)
