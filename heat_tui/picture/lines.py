"""A canvas as lines of text for a panel, with words written on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.picture.canvas import Canvas, PaintT
from heat_tui.picture.fit import fit_cell, main_paint


class Writing(NamedTuple, Generic[PaintT]):
    """Words on a picture; each letter lies on the paint that fills most of its cell.

    Attributes:
        column: Cell of the first letter.
        row: The same.
        words: Letters of one cell each; what lies outside of the picture is cut off.
        ink: Paint of the letters.
        bold: Whether they are bold.
        underline: Whether they are underlined.
    """

    column: int
    row: int
    words: str
    ink: PaintT
    bold: bool = False
    underline: bool = False


def lines(
    canvas: Canvas[PaintT],
    style: Callable[[PaintT, PaintT], Style],
    writings: Iterable[Writing[PaintT]] = (),
    weights: Callable[[PaintT], float] | None = None,
    shapes: Sequence[tuple[str, int]] | None = None,
) -> list[Text]:
    """Turn a canvas into lines of text, each as wide as the canvas.

    Args:
        canvas: Without empty samples (see `Canvas.fill`).
        style: Gives the style of a paint on another one.
        writings: Words on the picture; a later one hides an earlier one.
        weights: How much a sample of a paint counts; see `fit_cell`.
        shapes: The glyphs to choose from; see `fit_cell`.
    """
    written = {
        (writing.column + place, writing.row): (letter, writing)
        for writing in writings
        for place, letter in enumerate(writing.words)
    }
    drawn = []
    for row in range(canvas.rows):
        line = Text(no_wrap=True, end="")
        for column, samples in enumerate(canvas.cells(row)):
            if (found := written.get((column, row))) is not None:
                letter, writing = found
                shown = style(writing.ink, main_paint(samples))
                if writing.bold or writing.underline:
                    shown += Style(bold=writing.bold or None, underline=writing.underline or None)
                line.append(letter, shown)
            else:
                fit = fit_cell(samples, weights, shapes)
                line.append(fit.glyph, style(fit.fore, fit.back))
        drawn.append(line)
    return drawn
