"""Pictures out of characters: shapes are drawn in fine samples, then each cell gets the block that fits best.

Draw on a `Canvas`, the topmost shape first, and turn it into cells (`Canvas.cells`) or lines of text
(`lines`). Nothing here knows a colour: a paint is whatever name the caller gives to it.
"""

from heat_tui.picture.canvas import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, CellSamples, Point
from heat_tui.picture.fit import Fit, fit_cell, main_paint, soften
from heat_tui.picture.lines import Writing, lines

__all__ = [
    "SAMPLES_ACROSS",
    "SAMPLES_DOWN",
    "Canvas",
    "CellSamples",
    "Fit",
    "Point",
    "Writing",
    "fit_cell",
    "lines",
    "main_paint",
    "soften",
]
