"""The plates of corners: discs with the limit, or pills of three cells where there is little room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from heat_tui.map.shades import Shade, Shapes
from heat_tui.map.signs import Coordinates
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas
from heat_tui.theme.paints import Paint

_DISC_PIXELS: Final = 3.8
"""Spaces of fewer pixels have pills beside them."""
_RADIUS: Final = 13.5


class Plate(NamedTuple):
    """A plate on the map.

    Attributes:
        cell: Column and row of its first letter.
        width: Cells of its text.
        paint: What it is filled with.
    """

    cell: Coordinates
    width: int
    paint: Paint


def plate_shapes(plates: Iterable[Plate], space_pixels: float) -> dict[Coordinates, Shapes]:
    """Give what the plates cover, by cell.

    Args:
        plates: Each with a blank on either side of its text.
        space_pixels: How long a space is, in pixels of the layout.
    """
    shapes: dict[Coordinates, Shapes] = {}
    is_disc = space_pixels >= _DISC_PIXELS
    for (column, row), width, paint in plates:
        canvas: Canvas[Shade] = Canvas(width + 2, 3)
        middle = (SAMPLES_ACROSS * (width / 2 + 1), SAMPLES_DOWN * 1.5)
        shade = Shade(paint)
        if is_disc and width == 3:
            canvas.disc(*middle, _RADIUS, shade)
        else:
            half = SAMPLES_ACROSS * width / 2
            canvas.rectangle(middle[0] - half, SAMPLES_DOWN, 2 * half, SAMPLES_DOWN, shade)
        for down in range(3):
            for across, cell in enumerate(canvas.cells(down)):
                if cell:
                    shapes[column - 1 + across, row - 1 + down] = cell
    return shapes
