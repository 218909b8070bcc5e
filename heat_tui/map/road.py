"""The road painted with what a choice leads to: spaces, and the plates of the corners that it crosses."""

from __future__ import annotations

from typing import Final, TypeAlias

from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.marks import CornerMark, CornerState, RoadMarks, RoadState
from heat_tui.map.palette import Cell, mark_style, painted_road
from heat_tui.map.signs import Coordinates

Overlay: TypeAlias = dict[Coordinates, Cell]
"""What cells of a drawing show instead."""

ROAD_GLYPHS: Final[dict[RoadState, tuple[str, str]]] = {
    "free": ("✓", "+"),
    "heat": ("▲", "^"),
    "spin_out": ("✗", "X"),
    "target": ("◎", "O"),
    "slipstream": ("»", "~"),
}
"""By what stopping there means, for the spots of a space where colour cannot say it: Unicode and ASCII."""


def lay_road(drawing: TrackDrawing, road: RoadMarks) -> Overlay:
    """Make the overlay of a painted road."""
    overlay: Overlay = {}
    for space, state in road.spaces.items():
        if drawing.mode in ("mono", "ascii"):
            _lay_glyphs(drawing, overlay, space, state)
        else:
            for column, row in drawing.cells_of(space):
                overlay[column, row] = painted_road(
                    drawing.mode, drawing.cell(column, row), drawing.kinds_at(column, row), state
                )
    for number, mark in road.corners.items():
        _lay_plate(drawing, overlay, number, mark)
    return overlay


def _lay_glyphs(drawing: TrackDrawing, overlay: Overlay, space: int, state: RoadState) -> None:
    glyph = ROAD_GLYPHS[state][drawing.mode == "ascii"]
    for spot in range(drawing.track.spots[space]):
        overlay[drawing.cell_of(space, spot)] = Cell(glyph, mark_style(drawing.mode, state, 0))


def _lay_plate(drawing: TrackDrawing, overlay: Overlay, number: int, mark: CornerMark) -> None:
    """Colour a corner's plate, and write the sign and the bill on the side of it that has more room."""
    plate = drawing.plate_of(number)
    if plate is None:
        return
    (left, row), text = plate
    style = mark_style(drawing.mode, mark.state, 0)
    for shift, glyph in enumerate(text):
        overlay[left + shift, row] = Cell(glyph, style)
    sign = corner_sign(mark.state, mark.heat, is_ascii=drawing.mode == "ascii")
    for words in (f" {sign} {mark.bill} ", f" {sign} ") if mark.bill else (f" {sign} ",):
        for start in (left + len(text), left - len(words)):
            if all(drawing.is_free(start + shift, row) for shift in range(len(words))):
                for shift, glyph in enumerate(words):
                    overlay[start + shift, row] = Cell(glyph, style)
                return


def corner_sign(state: CornerState, heat: int, *, is_ascii: bool) -> str:
    """Write what a corner costs: ✓, ▲3 or ✗."""
    glyph = ROAD_GLYPHS[state][is_ascii]
    return f"{glyph}{heat}" if state == "heat" else glyph
