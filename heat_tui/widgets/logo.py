"""The word HEAT as a picture: slanting letters in the colours of a flame, with lines of speed behind them."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas
from heat_tui.theme.paints import Paint

FLAME: Final[tuple[Paint, ...]] = ("gold-fill", "upgrade", "amber-fill", "red-glow", "red-fill")
"""From the top down."""

SMALL_LOGO: Final = ("█  █ █▀▀ ▄▀▀▄ ▀█▀", "█▀▀█ █▀▀ █▀▀█  █", "█  █ ▀▀▀ ▀  ▀  ▀")
ASCII_LOGO: Final = ("H  H  EEEE   A   TTTTT", "HHHH  EEE   A A     T", "H  H  EEEE A   A    T")
"""The same as text, for where there is no room for a picture."""

_SLANT: Final = 0.28
"""How far a letter leans to the right, in heights."""


class _Stroke(NamedTuple):
    """A part of a letter with a level top and bottom; all in heights of a letter."""

    top: float
    bottom: float
    top_left: float
    top_right: float
    bottom_left: float
    bottom_right: float


Letter: TypeAlias = tuple[_Stroke, ...]


def _block(left: float, top: float, right: float, bottom: float) -> _Stroke:
    return _Stroke(top, bottom, left, right, left, right)


_WIDE: Final = 0.27
"""Of an upright stroke."""
_HIGH: Final = 0.2
"""Of a level one."""
_H: Final[Letter] = (_block(0, 0, _WIDE, 1), _block(0.86 - _WIDE, 0, 0.86, 1), _block(0, 0.4, 0.86, 0.6))
_E: Final[Letter] = (
    _block(0, 0, _WIDE, 1),
    *(_block(0, top, right, top + _HIGH) for top, right in ((0, 0.8), (0.4, 0.7), (0.8, 0.8))),
)
_A: Final[Letter] = (
    _Stroke(0, 1, 0.3, 0.3 + _WIDE, 0, _WIDE),
    _Stroke(0, 1, 0.68 - _WIDE, 0.68, 0.98 - _WIDE, 0.98),
    _block(0.3, 0, 0.68, _HIGH),
    _block(0.2, 0.6, 0.78, 0.8),
)
_T: Final[Letter] = (_block(0, 0, 0.94, _HIGH), _block(0.47 - _WIDE / 2, 0, 0.47 + _WIDE / 2, 1))
_LETTERS: Final[tuple[tuple[float, Letter], ...]] = ((0.0, _H), (1.1, _E), (2.08, _A), (3.2, _T))
"""With how far from the left each begins."""
_LINES: Final = ((0.2, 0.9), (0.4, 1.3), (0.6, 0.6), (0.8, 1.0))
"""Lines of speed: how far down, and how long."""
_LONGEST: Final = 1.3


def logo(rows: int) -> Canvas[Paint]:
    """Draw the word; what is around the letters stays empty.

    Args:
        rows: Cells from top to bottom, at least 3; it is about six times as wide.
    """
    high = rows * SAMPLES_DOWN
    columns = round((_LONGEST + 3.2 + 0.94 + _SLANT) * high / SAMPLES_ACROSS) + 1
    canvas: Canvas[Paint] = Canvas(columns, rows)
    edges = [round(rows * part / len(FLAME)) * SAMPLES_DOWN for part in range(len(FLAME) + 1)]
    for paint, (top, bottom) in zip(FLAME, pairwise(edges), strict=True):
        for left, letter in _LETTERS:
            for stroke in letter:
                _fill(canvas, stroke, (_LONGEST + left) * high, top, bottom, paint)
        for down, length in _LINES:
            y = round(down * rows) * SAMPLES_DOWN - 4
            if top <= y < bottom:
                cell = SAMPLES_ACROSS
                end = (_LONGEST - 0.1 + _SLANT * (1 - down)) * high // cell * cell
                long = length * high // cell * cell
                canvas.rectangle(end - long, y, long, 4, paint)
    return canvas


def _snapped(y: float) -> int:
    """Move an edge to a whole or half cell, where it is sharp."""
    half = SAMPLES_DOWN // 2
    return round(y / half) * half


def _fill(canvas: Canvas[Paint], stroke: _Stroke, left: float, top: int, bottom: int, paint: Paint) -> None:
    """Fill what of a stroke lies between two heights."""
    high = canvas.rows * SAMPLES_DOWN
    first, last = max(_snapped(stroke.top * high), top), min(_snapped(stroke.bottom * high), bottom)
    if first >= last:
        return

    def at(y: float, from_top: float, from_bottom: float) -> tuple[float, float]:
        share = (y / high - stroke.top) / (stroke.bottom - stroke.top)
        lean = _SLANT * (high - y)
        return left + lean + (from_top + (from_bottom - from_top) * share) * high, y

    lefts, rights = (stroke.top_left, stroke.bottom_left), (stroke.top_right, stroke.bottom_right)
    canvas.quad(at(first, *lefts), at(first, *rights), at(last, *rights), at(last, *lefts), paint)
