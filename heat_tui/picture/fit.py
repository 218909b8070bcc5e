"""The best block for a cell: which glyph in which two of the cell's own paints comes nearest to its samples.

Both colours are paints that occur in the cell. Means of paints would be muddy where three things meet, and
would need a colour for each paint: this way a theme, or a terminal of 16 colours, is only another table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Generic, NamedTuple

from heat_tui.picture.canvas import SAMPLES_ACROSS, WHOLE_CELL, PaintT


def _block(left: int, top: int, right: int, bottom: int) -> int:
    """Give the samples of a block, from column `left` and row `top` up to, not including, the others."""
    line = (1 << right) - (1 << left)
    return sum(line << SAMPLES_ACROSS * row for row in range(top, bottom))


_UPPER_LEFT: Final = _block(0, 0, 4, 8)
_UPPER_RIGHT: Final = _block(4, 0, 8, 8)
_LOWER_LEFT: Final = _block(0, 8, 4, 16)
_LOWER_RIGHT: Final = _block(4, 8, 8, 16)

SHAPES: Final[Mapping[str, int]] = {
    "▀": _block(0, 0, 8, 8),
    "▌": _block(0, 0, 4, 16),
    "▘": _UPPER_LEFT,
    "▝": _UPPER_RIGHT,
    "▖": _LOWER_LEFT,
    "▗": _LOWER_RIGHT,
    "▚": _UPPER_LEFT | _LOWER_RIGHT,
    **{glyph: _block(0, 16 - 2 * parts, 8, 16) for parts, glyph in enumerate("▁▂▃", 1)},
    **{glyph: _block(0, 16 - 2 * parts, 8, 16) for parts, glyph in enumerate("▅▆▇", 5)},
    **{glyph: _block(0, 0, parts, 16) for parts, glyph in enumerate("▏▎▍", 1)},
    **{glyph: _block(0, 0, parts, 16) for parts, glyph in enumerate("▋▊▉", 5)},
}
"""The samples that a glyph covers with its first colour; the second has the others. Among shapes that fit
equally well the first is taken."""

ALL: Final = tuple(SHAPES.items())
HALVES: Final = ALL[:1]
"""Nothing finer than half a cell."""
QUARTERS: Final = ALL[:7]
"""Nothing finer than a quarter of one."""


class Fit(NamedTuple, Generic[PaintT]):
    """A glyph in two paints.

    Attributes:
        glyph: One of `SHAPES`, or a blank.
        fore: Paint of what the glyph covers.
        back: Paint of the rest; the same as `fore` for a blank.
        covered: The samples that the glyph covers.
    """

    glyph: str
    fore: PaintT
    back: PaintT
    covered: int


def fit_cell(
    samples: Mapping[PaintT, int],
    weights: Callable[[PaintT], float] | None = None,
    shapes: Sequence[tuple[str, int]] | None = None,
) -> Fit[PaintT]:
    """Choose glyph and paints so that the fewest samples show another paint than their own.

    Args:
        samples: Which samples have which paint; at least one paint.
        weights: How much a sample of a paint counts, None for 1 each. Thin lines vanish unless they count
            more than what is around them.
        shapes: The glyphs to choose from, each with what it covers; None for all of `SHAPES`.
    """
    choices = ALL if shapes is None else shapes
    if len(samples) == 1:
        (paint,) = samples
        return Fit(" ", paint, paint, 0)
    if len(samples) == 2:
        return _fit_two(samples, weights, choices)
    parts = [
        (paint, bits, 1.0 if weights is None else weights(paint), bits.bit_count())
        for paint, bits in samples.items()
    ]
    parts.sort(key=lambda part: part[2] * part[3], reverse=True)
    paint = parts[0][0]
    # A blank shows the paint that counts most; a shape has to show more than that.
    best, most = Fit(" ", paint, paint, 0), parts[0][2] * parts[0][3]
    for glyph, mask in choices:
        inside = outside = -1.0
        fore = back = paint
        for paint_here, bits, weight, count in parts:
            covered = (bits & mask).bit_count()
            if (shown := weight * covered) > inside:
                inside, fore = shown, paint_here
            if (shown := weight * (count - covered)) > outside:
                outside, back = shown, paint_here
        if inside + outside > most:
            best, most = Fit(glyph, fore, back, mask), inside + outside
    return best


@lru_cache(maxsize=16_384)
def fit_parts(parts: tuple[tuple[float, int], ...], shapes: tuple[tuple[str, int], ...]) -> Fit[int]:
    """Choose as `fit_cell` does, and know the answer when the same comes again in other paints.

    Args:
        parts: How much a sample of each paint counts, and which samples have it.
        shapes: The glyphs to choose from.

    Returns:
        A fit whose paints are numbers of parts.
    """
    samples = {number: bits for number, (_, bits) in enumerate(parts)}
    return fit_cell(samples, lambda number: parts[number][0], shapes)


def _fit_two(
    samples: Mapping[PaintT, int],
    weights: Callable[[PaintT], float] | None,
    shapes: Sequence[tuple[str, int]],
) -> Fit[PaintT]:
    """Choose for two paints: most cells of a picture are on the edge between two things.

    What a shape shows one way round it hides the other way round, so one count tells both.
    """
    (one, bits), (other, rest) = samples.items()
    weight, other_weight = (1.0, 1.0) if weights is None else (weights(one), weights(other))
    whole, other_whole = weight * bits.bit_count(), other_weight * rest.bit_count()
    paint, most = (one, whole) if whole >= other_whole else (other, other_whole)
    best = Fit(" ", paint, paint, 0)
    for glyph, mask in shapes:
        shown = weight * (bits & mask).bit_count() + other_weight * (rest & ~mask).bit_count()
        if shown > most:
            best, most = Fit(glyph, one, other, mask), shown
        elif whole + other_whole - shown > most:
            best, most = Fit(glyph, other, one, mask), whole + other_whole - shown
    return best


def main_paint(samples: Mapping[PaintT, int]) -> PaintT:
    """Give the paint that most samples of a cell have: the ground for a text on it."""
    return max(samples, key=lambda paint: samples[paint].bit_count())


Rgb = tuple[int, int, int]

_SOFT_SHARE: Final = 0.6


def soften(
    fit: Fit[PaintT], samples: Mapping[PaintT, int], colour: Callable[[PaintT], Rgb]
) -> tuple[Rgb, Rgb]:
    """Give a fit's two colours, moved towards the mean of the samples that each of them stands for.

    This is what makes edges smooth. It is for the map in true colour only: figures, cards and charts stay
    sharp without.
    """
    if len(samples) == 1:
        only = colour(fit.fore)
        return only, only
    return (
        _towards_mean(fit.fore, fit.covered, samples, colour),
        _towards_mean(fit.back, WHOLE_CELL & ~fit.covered, samples, colour),
    )


def _towards_mean(
    paint: PaintT, mask: int, samples: Mapping[PaintT, int], colour: Callable[[PaintT], Rgb]
) -> Rgb:
    shown = colour(paint)
    red = green = blue = count = 0
    for other, bits in samples.items():
        number = (bits & mask).bit_count()
        if number:
            r, g, b = colour(other)
            red, green, blue, count = red + r * number, green + g * number, blue + b * number, count + number
    if count == 0:
        return shown
    share = _SOFT_SHARE / count
    rest = 1 - _SOFT_SHARE
    return (
        round(shown[0] * rest + red * share),
        round(shown[1] * rest + green * share),
        round(shown[2] * rest + blue * share),
    )
