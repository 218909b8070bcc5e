"""A circuit as a small drawing: one line, a dot at each corner and one at the start."""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise
from typing import Final

from rich.text import Text

from heat_core.track_facts import TrackFacts
from heat_tui.map.geometry import Centreline, RoadPoint
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, lines
from heat_tui.theme.paints import Paint, style

_WIDTH: Final = 6.0
_WEIGHT: Final = 2.0
"""How much a sample of the line counts: it is thinner than a cell."""
_CORNER_RADIUS: Final = 6.0
_MARGIN: Final = 6.0
"""In samples."""
_MOST_STRETCH: Final = 1.5


@cache
def outline(facts: TrackFacts, columns: int, rows: int, line: Paint, ground: Paint) -> tuple[Text, ...]:
    """Draw a circuit into so many cells; the lines are shared, so they are not to be changed.

    Args:
        line: Paint of the road.
        ground: Paint of what is around it.
    """
    unscaled = Centreline(facts.outline, facts.spaces, 1.0)
    xs, ys = [point.x for point in unscaled.points], [point.y for point in unscaled.points]
    across, down = columns * SAMPLES_ACROSS, rows * SAMPLES_DOWN
    wide, high = max(max(xs) - min(xs), 1.0), max(max(ys) - min(ys), 1.0)
    fitting = (across - 2 * _MARGIN) / wide, (down - 2 * _MARGIN) / high
    scale_x, scale_y = (min(scale, min(fitting) * _MOST_STRETCH) for scale in fitting)
    left, top = (across - wide * scale_x) / 2, (down - high * scale_y) / 2

    def at(point: RoadPoint) -> tuple[float, float]:
        return left + (point.x - min(xs)) * scale_x, top + (point.y - min(ys)) * scale_y

    canvas: Canvas[Paint] = Canvas(columns, rows)
    canvas.disc(*at(unscaled.at(facts.spaces + 0.5)), _CORNER_RADIUS, "ink")
    for corner in facts.corners:
        canvas.disc(*at(unscaled.at(corner.after_space + 0.5)), _CORNER_RADIUS, "red-glow")
    points = [at(point) for point in unscaled.points]
    for here, following in pairwise([*points, points[0]]):
        canvas.line(here, following, _WIDTH, line)
    canvas.fill(ground)
    return tuple(
        lines(canvas, partial(style, "night"), weights=lambda paint: 1 if paint == ground else _WEIGHT)
    )
