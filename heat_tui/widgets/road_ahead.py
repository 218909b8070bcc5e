"""The road ahead: the next spaces unrolled into a strip, painted with what a choice leads to."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual.strip import Strip

from heat_tui.theme.colours import inked
from heat_tui.widgets.line_strips import to_strip
from heat_tui.widgets.panel import TextPanel
from heat_tui.widgets.road_strip import RoadStrip, RoadView

_LANES: Final = 2
_CELLS: Final = 3
_ROOMY_CELLS: Final = 4
_WIDE_CELLS: Final = 5
_WIDE_FROM: Final = 160


class RoadAhead(TextPanel):
    """Spaces from the car on, with cars, corner lines and limits, Legends lines and the finish line.

    In one line a space has three cells, its number or its cars; where there are more lines the numbers stand
    above two lanes, the left one on top.
    """

    ALLOW_SELECT: ClassVar[bool] = False  # it is a picture, which changes with each space that a car drives

    def render_line(self, y: int) -> Strip:
        """Draw a line that has changed, and no other."""
        ground = self.visual_style.rich_style
        line = self._lines[y] if y < len(self._lines) else Text()
        return to_strip(inked(line, self.app.current_theme), self.size.width, ground)

    def show_road(self, view: RoadView) -> None:
        """Draw the road."""
        self.show_fitting(partial(self._draw_road, view))

    def _draw_road(self, view: RoadView) -> None:
        is_roomy = self.size.height > _LANES
        cells = _CELLS if not is_roomy else _ROOMY_CELLS if self.size.width < _WIDE_FROM else _WIDE_CELLS
        strip = RoadStrip(view, cells, self.glyphs, has_edges=self.has_pictures)
        rows = [Text() for _ in range(1 + _LANES if is_roomy else 1)]
        progress = view.start
        while rows[0].cell_len < max(self.size.width, 20):
            if is_roomy:
                strip.add_number(rows[0], progress)
                strip.add_lanes(rows[1:], progress)
            else:
                strip.add_space(rows[0], progress)
            strip.add_lines(rows, progress)
            progress += 1
        self.show_lines(rows)
