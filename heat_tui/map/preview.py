"""A circuit that is only looked at: the map itself, small, as text among other text."""

from __future__ import annotations

from rich.text import Text

from heat_core.track import compile_track
from heat_core.track_facts import TrackFacts
from heat_tui.map.drawing import TrackDrawing, draw_track
from heat_tui.map.palette import Look


def preview(facts: TrackFacts, columns: int, rows: int, look: Look) -> TrackDrawing:
    """Draw a whole circuit into a space of so many cells."""
    return draw_track(compile_track(facts), columns, rows, "whole", look, is_preview=True)


def drawn_lines(drawing: TrackDrawing) -> list[Text]:
    """Give the rows of a drawing as it is now; a rough one changes once its picture is drawn."""
    return [
        Text.assemble(*((cell.glyph, cell.style) for cell in drawing.row_cells(row)), no_wrap=True)
        for row in range(drawing.rows)
    ]
