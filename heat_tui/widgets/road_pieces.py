"""A strip that is put together of pieces, each of which is drawn once and shown again as it is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size

from heat_tui.theme.colours import Theme, inked
from heat_tui.widgets.line_segments import to_segments


class RoadPiece:
    """A space of the road ahead with the lines behind it; not changed any more.

    Attributes:
        rows: What it shows, a text for each line of the strip.
        widths: The cells of each.
    """

    def __init__(self, rows: Sequence[Text]) -> None:
        """Take what it shows."""
        self.rows = tuple(rows)
        self.widths = tuple(row.cell_len for row in rows)
        self._look: tuple[str, Style] | None = None
        self._segments: list[list[Segment]] = []

    def segments(self, row: int, theme: Theme, ground: Style) -> list[Segment]:
        """Give a row in the paints of a theme; not to be changed."""
        look = theme.name, ground
        if look != self._look:
            self._look = look
            self._segments = [to_segments(inked(line, theme), ground) for line in self.rows]
        return self._segments[row]


def changed_parts(before: Sequence[RoadPiece], after: Sequence[RoadPiece], size: Size) -> list[Region]:
    """Give the parts of the lines of a panel that are not as they were.

    Args:
        before: With as many rows as those after, if there are any.
        after: The same.
        size: Of the panel.
    """
    width, height = size
    if not before or len(before[0].rows) != len(after[0].rows):
        return [size.region]
    regions: list[Region] = []
    for row in range(min(height, len(after[0].rows))):
        x = 0
        for old, new in zip(before, after, strict=False):
            if old is not new and old.rows[row] != new.rows[row]:
                if old.widths[row] != new.widths[row]:
                    break
                regions.append(Region(x, row, min(new.widths[row], width - x), 1))
            x += new.widths[row]
            if x >= width:
                break
        if x < width:  # what is behind has moved
            regions.append(Region(x, row, width - x, 1))
    return regions
