"""Cells that a driving car passes over: its shapes on the ground as it is drawn, for one frame.

To fit such a cell to all its samples, as is done for what stays, is most of what a frame would cost. Here the
ground is the block and the two colours that are on the screen already, and the fit, which knows weights but
no colours, is kept: the same part of a car over the same block comes again all round the lap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from rich.color import Color
from rich.style import Style

from heat_tui.map.palette import Cell, Look
from heat_tui.map.shades import Shade, shade_rgb, weight
from heat_tui.picture import fit_cell
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import HALVES, QUARTERS, SHAPES
from heat_tui.theme import paints

_FORE: Final = -2
_BACK: Final = -1

_Number: TypeAlias = int
"""Of a shape from 0, or `_FORE` or `_BACK` of the ground."""


def passed_cell(look: Look, ground: Cell, shapes: Sequence[tuple[Shade, int]]) -> Cell:
    """Draw shapes over a cell as it is drawn without them.

    Args:
        look: How the terminal shows it; with colours.
        ground: What the cell shows; a letter on it is hidden.
        shapes: Shades, each with its samples, the topmost first.
    """
    parts = tuple([(weight(shade), bits) for shade, bits in shapes])
    glyph, fore, back = _fit(parts, ground.glyph, look.is_smooth)
    return Cell(
        glyph,
        _style(
            look,
            ground.style,
            shapes[fore][0] if fore >= 0 else fore,
            shapes[back][0] if back >= 0 else back,
        ),
    )


@lru_cache(maxsize=16_384)
def _fit(parts: tuple[tuple[float, int], ...], ground: str, is_smooth: bool) -> tuple[str, _Number, _Number]:
    """Choose a glyph and what it is painted with; quarters of a cell are fine enough for one frame."""
    left = WHOLE_CELL
    samples: dict[_Number, int] = {}
    for number, (_, bits) in enumerate(parts):
        if seen := bits & left:
            samples[number] = seen
            left &= ~bits
    block = SHAPES.get(ground, 0)
    samples |= {number: bits for number, bits in ((_FORE, left & block), (_BACK, left & ~block)) if bits}
    fit = fit_cell(
        samples,
        lambda number: parts[number][0] if number >= 0 else 1.0,
        QUARTERS if is_smooth else HALVES,
    )
    return fit.glyph, fit.fore, fit.back


@lru_cache(maxsize=4096)
def _style(look: Look, ground: Style, fore: Shade | _Number, back: Shade | _Number) -> Style:
    def colour(of: Shade | _Number) -> Color | None:
        if isinstance(of, Shade):
            if look.mode == "truecolor":
                return Color.from_rgb(*shade_rgb(look.theme, of))
            return paints.colour(look.theme, of.paint)
        return ground.color if of == _FORE else ground.bgcolor

    return Style(color=colour(fore), bgcolor=colour(back))
