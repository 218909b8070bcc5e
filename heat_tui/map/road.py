"""The road painted with what a choice leads to: signs on spaces, and the plates of the corners it crosses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from heat_tui.map.layers import Layers
from heat_tui.map.marks import CornerMark, CornerState, RoadMarks
from heat_tui.map.palette import HIGHLIGHT_PAINTS, ROAD_GLYPHS
from heat_tui.map.plates import Plate, plate_shapes
from heat_tui.map.shades import Writing, shown_as, writing
from heat_tui.map.signs import Coordinates

_COLOURLESS: Final = Style(bold=True)
_COLOURLESS_PLATE: Final = Style(bold=True, reverse=True)


def lay_road_signs(layers: Layers, road: RoadMarks) -> None:
    """Write on spots what stopping there means: on a free target and where a slipstream ends.

    Without colours all spaces have their sign, and the target is told from others that are free.
    """
    drawing = layers.drawing
    for space, state in road.spaces.items():
        if drawing.look.has_colours:
            if state not in ("target", "slipstream"):
                continue
            state = "free" if state == "target" else state
        glyph = ROAD_GLYPHS[state][drawing.mode == "ascii"]
        for spot in range(drawing.track.spots[space]):
            layers.write(
                drawing.cell_of(space, spot), Writing(glyph, is_on_road=True, bold=True), _COLOURLESS
            )


def lay_plates(layers: Layers, road: RoadMarks) -> None:
    """Colour the plates of corners, with the sign and the bill on the side that has more room."""
    for number, mark in road.corners.items():
        _lay_plate(layers, number, mark)


def _lay_plate(layers: Layers, number: int, mark: CornerMark) -> None:
    drawing = layers.drawing
    plate = drawing.plate_of(number)
    if plate is None:
        return
    (left, row), text = plate
    paint = HIGHLIGHT_PAINTS[mark.state]
    if drawing.look.has_colours:
        covered = plate_shapes([Plate((left, row), len(text), paint)], drawing.layout.space_pixels)
        for cell, shapes in covered.items():
            layers.cover(cell, [(shown_as(drawing.look, shade), bits) for shade, bits in shapes.items()])
    for shift, glyph in enumerate(text):
        if glyph != " " or not drawing.look.has_colours:
            written = Writing(glyph, "fill-ink", paint, bold=True)
            layers.write((left + shift, row), written, _COLOURLESS_PLATE)
    sign = corner_sign(mark.state, mark.heat, is_ascii=drawing.mode == "ascii")
    for words in (f" {sign} {mark.bill} ", f" {sign} ") if mark.bill else (f" {sign} ",):
        letters = [Writing(glyph, "fill-ink", paint, bold=True) for glyph in words]
        if _write_beside(layers, plate, letters, _COLOURLESS_PLATE):
            return


def _write_beside(
    layers: Layers, plate: tuple[Coordinates, str], letters: Sequence[Writing], colourless: Style
) -> bool:
    """Write behind a plate or else before it; returns whether one of the two had room."""
    (left, row), text = plate
    for start in (left + len(text), left - len(letters)):
        if all(layers.drawing.is_free(start + shift, row) for shift in range(len(letters))):
            for shift, written in enumerate(letters):
                layers.write((start + shift, row), written, colourless)
            return True
    return False


def lay_distance(layers: Layers, progress: int, road: RoadMarks) -> None:
    """Write beside the next corner's plate how many spaces the own car has before its line.

    Args:
        layers: Where it is written.
        progress: Of the own car.
        road: A corner painted already says more.
    """
    drawing = layers.drawing
    line = drawing.track.next_line(progress)
    number = drawing.track.corner_at(line)
    plate = drawing.plate_of(number)
    if plate is None or number in road.corners:
        return
    letters = [writing(glyph, "distance") for glyph in f" in {line - progress} "]
    _write_beside(layers, plate, letters, _COLOURLESS)


def corner_sign(state: CornerState, heat: int, *, is_ascii: bool) -> str:
    """Write what a corner costs: ✓, ▲3 or ✗."""
    glyph = ROAD_GLYPHS[state][is_ascii]
    return f"{glyph}{heat}" if state == "heat" else glyph
