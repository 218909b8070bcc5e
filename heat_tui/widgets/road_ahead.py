"""The road ahead: the next spaces unrolled into a strip, painted with what a choice leads to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from rich.segment import Segment
from rich.text import Text
from textual.geometry import Size
from textual.strip import Strip

from heat_tui.map.marks import BARE_ROAD
from heat_tui.terminal.updates import Picture, Run
from heat_tui.theme.colours import inked
from heat_tui.widgets.panel import TextPanel
from heat_tui.widgets.road_pieces import RoadPiece, changed_parts
from heat_tui.widgets.road_strip import LANES, RoadStrip, RoadView

_CELLS: Final = 3
_ROOMY_CELLS: Final = 4
_WIDE_CELLS: Final = 5
_WIDE_FROM: Final = 160
_LEAST_WIDTH: Final = 20


class RoadAhead(Picture, TextPanel):
    """Spaces from the car on, with cars, corner lines and limits, Legends lines and the finish line.

    In one line a space has three cells, its number or its cars; where there are more lines the numbers stand
    above two lanes, the left one on top.
    """

    ALLOW_SELECT: ClassVar[bool] = False  # it is a picture, which changes with each space that a car drives

    def __init__(self, *, id: str | None = None) -> None:
        """Begin empty."""
        super().__init__(id=id)
        self._pieces: list[RoadPiece] = []
        self._strip: tuple[tuple[object, ...], RoadStrip] | None = None
        self._has_true_colours = False

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown now, without its styles."""
        return tuple(row.plain for row in self.rows)

    @property
    def rows(self) -> list[Text]:
        """What is shown now, a text for each line."""
        rows = zip(*(piece.rows for piece in self._pieces), strict=True)
        return [Text().join(texts) for texts in rows]

    def render(self) -> Text:
        """Join the lines, for whoever wants them as Textual draws any text."""
        return inked(Text("\n").join(self.rows), self.app.current_theme)

    def render_line(self, y: int) -> Strip:
        """Put a line together of its pieces."""
        return self._part(y, 0, self.size.width)

    def runs(self, y: int, first: int, last: int) -> Sequence[Run] | None:
        """Give cells of a line as they are drawn, in true colour; see `TrackMap.runs`."""
        if not self._has_true_colours:
            return None
        return [(text, style) for text, style, _ in self._part(y, first, last)]

    def _part(self, y: int, first: int, last: int) -> Strip:
        """Give columns `first` up to, not including, `last` of a line."""
        theme, ground = self.app.current_theme, self.visual_style.rich_style
        segments: list[Segment] = []
        begin = x = 0
        for piece in self._pieces:
            if y >= len(piece.widths):
                break
            behind = x + piece.widths[y]
            if behind <= first:
                begin = behind
            else:
                segments += piece.segments(y, theme, ground)
            x = behind
            if x >= last:
                break
        strip = Strip(segments, x - begin)
        if begin < first or x > last:
            strip = strip.crop(first - begin, last - begin)
        return strip.adjust_cell_length(last - first, ground)

    def show_road(self, view: RoadView) -> None:
        """Draw the road."""
        self.show_fitting(partial(self._draw_road, view))

    def _draw_road(self, view: RoadView) -> None:
        size = self.size
        pieces = self._strip_of(view, size).pieces(max(size.width, _LEAST_WIDTH))
        regions = changed_parts(self._pieces, pieces, size)
        self._pieces = pieces
        self._has_true_colours = view.has_true_colours
        if regions or not size.width:
            self.refresh(*regions)

    def _strip_of(self, view: RoadView, size: Size) -> RoadStrip:
        """Give the strip that was shown before, with the cars where they are now, or another one."""
        is_roomy = size.height > LANES
        cells = _CELLS if not is_roomy else _ROOMY_CELLS if size.width < _WIDE_FROM else _WIDE_CELLS
        glyphs, has_edges = self.glyphs, self.has_pictures
        shown = view._replace(cars=()), cells, glyphs, is_roomy, has_edges
        if view.marks == BARE_ROAD and self._strip is not None and self._strip[0] == shown:
            self._strip[1].place(view.cars)
        else:
            strip = RoadStrip(view, cells, glyphs, is_roomy=is_roomy, has_edges=has_edges)
            self._strip = shown, strip
        return self._strip[1]
