"""Cells that a driving car passes over: its shapes on the ground as it is drawn, for one frame.

To fit such a cell to all its samples, as is done for what stays, is most of what a frame would cost. Here the
ground is the block and the two colours that are on the screen already, and the fit, which knows weights but
no colours, is kept: the same part of a car over the same block comes again all round the lap.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Final, Literal, TypeAlias

from rich.color import Color
from rich.style import Style

from heat_tui.map.car_shapes import CarCell, Part
from heat_tui.map.palette import Cell, Look
from heat_tui.map.shades import Shade, shade_rgb
from heat_tui.picture import fit_cell
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import HALVES, QUARTERS, SHAPES
from heat_tui.theme import paints

_Seen: TypeAlias = Part | Literal["fore", "back"]
"""A part of a car, or a colour of the ground."""
_WEIGHTS: Final[Mapping[_Seen, float]] = {"body": 3, "halo": 3, "wheel": 1, "fore": 1, "back": 1}
"""How much a sample counts."""


def passed_cell(look: Look, ground: Cell, parts: CarCell, shades: Mapping[Part, Shade]) -> Cell:
    """Draw a part of a car over a cell as it is drawn without it.

    Args:
        look: How the terminal shows it; with colours.
        ground: What the cell shows; a letter on it is hidden.
        parts: What of the car is there.
        shades: Of its parts; what has none is not seen.
    """
    glyph, fore, back = _fit(parts, tuple(shades), ground.glyph, look.is_smooth)
    return Cell(glyph, _style(look, ground.style, _painted(fore, shades), _painted(back, shades)))


def _painted(seen: _Seen, shades: Mapping[Part, Shade]) -> Shade | _Seen:
    return seen if seen == "fore" or seen == "back" else shades[seen]  # for mypy


@lru_cache(maxsize=16_384)
def _fit(parts: CarCell, seen: tuple[Part, ...], ground: str, is_smooth: bool) -> tuple[str, _Seen, _Seen]:
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


@lru_cache(maxsize=4096)
def _style(look: Look, ground: Style, fore: Shade | _Seen, back: Shade | _Seen) -> Style:
    def colour(of: Shade | _Seen) -> Color | None:
        if isinstance(of, Shade):
            return _colour(look, of)
        return ground.color if of == "fore" else ground.bgcolor

    return Style(color=colour(fore), bgcolor=colour(back))


@lru_cache(maxsize=256)
def _colour(look: Look, shade: Shade) -> Color:
    if look.mode == "truecolor":
        return Color.from_rgb(*shade_rgb(look.theme, shade))
    return paints.colour(look.theme, shade.paint)
