"""The cars on the map, and what else is over the drawing: paint on the road, highlighted spots, the cursor.

Nothing here changes a drawing. An overlay is a table from cells to what they show instead; the widget
compares the overlay before and after a move and repaints only where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from rich.style import Style

from heat_tui.map.car_shapes import Part, car_pose, car_shape
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.geometry import RoadPoint
from heat_tui.map.layers import Layers, Overlay
from heat_tui.map.marks import BARE_ROAD, CarMark, RoadMarks, Skid
from heat_tui.map.palette import HIGHLIGHT_GLYPHS, HIGHLIGHT_PAINTS, Look, car_ink, car_paint
from heat_tui.map.passing import PassingCar
from heat_tui.map.road import lay_distance, lay_plates, lay_road_signs
from heat_tui.map.shades import Shade, Writing, shown_as
from heat_tui.map.signs import Coordinates, Spot, rings
from heat_tui.map.skids import skid_shapes
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN
from heat_tui.theme.paints import Paint

_NOSES: Final = {(1, 0): ("▸", ">"), (-1, 0): ("◂", "<"), (0, -1): ("▴", "^"), (0, 1): ("▾", "v")}
"""By the cell in front, in columns and rows: in Unicode and in ASCII."""
_FARTHEST_SHIFT: Final = 40
_STEPS_IN_CELL: Final = 2
_WIDE_PIXELS: Final = 7.0
"""Spaces of so many pixels have room for highlights of three cells."""
_COLOURLESS: Final = Style(bold=True)
_COLOURLESS_CAR: Final = Style(bold=True, reverse=True)
_COLOURLESS_OWN_CAR: Final = Style(bold=True, reverse=True, underline=True)
_COLOURLESS_GHOST: Final = Style(dim=True)


def car_cells(drawing: TrackDrawing, cars: Sequence[CarMark]) -> dict[int, Coordinates]:
    """Give each car the cell of its letter, by number.

    Two cars never share a cell while one is free: the active car and the player's own keep theirs, another
    one moves to the nearest free cell.
    """
    cells: dict[int, Coordinates] = {}
    taken: set[Coordinates] = set()
    for car in sorted(cars, key=lambda car: (car.is_ghost, not car.is_active, not car.is_own)):
        if car.way is None:
            wanted = drawing.cell_of(drawing.track.space(car.progress), car.spot)
        else:
            wanted = drawing.cell_at(drawing.point_of(car.progress, car.spot, car.way))
        place = wanted
        if wanted in taken:
            for column, row in rings(wanted, _FARTHEST_SHIFT):
                if 0 <= column < drawing.columns and 0 <= row < drawing.rows and (column, row) not in taken:
                    place = (column, row)
                    break
        taken.add(place)
        cells[car.number] = place
    return cells


def lay_over(
    drawing: TrackDrawing,
    cars: Sequence[CarMark],
    cells: Mapping[int, Coordinates],
    highlights: Mapping[Spot, str],
    cursor: Spot | None,
    road: RoadMarks = BARE_ROAD,
    skids: Sequence[Skid] = (),
) -> Overlay:
    """Make the overlay of a drawing.

    Args:
        drawing: The drawing under it.
        cars: The cars, the first one in front where sprites touch.
        cells: From `car_cells`.
        highlights: By spot, the name of its highlight.
        cursor: The spot under the keyboard's cursor, None for none.
        road: What the road is painted with.
        skids: Marks on it, below all cars.
    """
    layers = Layers(drawing, road)
    lay_plates(layers, road)
    for car in cars:
        if car.is_own:
            lay_distance(layers, car.progress, road)
    marks = dict(highlights)
    if cursor is not None:
        marks[cursor] = "cursor"
    # What is laid first lies on top.
    if drawing.look.has_colours:
        for car in cars:
            _lay_shape(layers, car, cells[car.number])
    for car in reversed(cars):
        cell, is_own = cells[car.number], car.is_own
        if car.is_ghost:
            layers.write(cell, Writing(car.letter[:1], bold=True), _COLOURLESS_GHOST)
            continue
        written = _written(car.letter, car.colour, is_own)
        layers.write(cell, written, _COLOURLESS_OWN_CAR if is_own else _COLOURLESS_CAR)
    _lay_brackets(layers, cars, cells)
    if drawing.has_noses and not drawing.look.has_colours:
        _lay_noses(layers, cars, cells)
    for (space, spot), name in marks.items():
        _lay_highlight(layers, drawing.cell_of(space, spot), name)
    lay_road_signs(layers, road)
    for skid in skids:
        _lay_skid(layers, skid)
    return layers.cells()


@lru_cache(maxsize=256)
def _written(letter: str, colour: str, is_own: bool) -> Writing:
    return Writing(letter[:1] or "?", car_ink(colour), car_paint(colour), bold=True, underline=is_own)


def _lay_highlight(layers: Layers, cell: Coordinates, name: str) -> None:
    glyph = HIGHLIGHT_GLYPHS.get(name, HIGHLIGHT_GLYPHS["target"])[layers.drawing.mode == "ascii"]
    paint = HIGHLIGHT_PAINTS.get(name, HIGHLIGHT_PAINTS["target"])
    if layers.drawing.look.has_colours and layers.drawing.layout.space_pixels >= _WIDE_PIXELS:
        for shift in (-1, 1):
            layers.write((cell[0] + shift, cell[1]), Writing(" ", paint, paint), Style())
    layers.write(cell, Writing(glyph, "fill-ink", paint, bold=True), Style(bold=True))


def _lay_skid(layers: Layers, skid: Skid) -> None:
    drawing = layers.drawing
    if drawing.look.has_colours:
        for cell, shapes in skid_shapes(drawing, skid).items():
            layers.cover(cell, shapes.items())
        return
    glyph = HIGHLIGHT_GLYPHS["skid"][drawing.mode == "ascii"]
    for progress in range(skid.end, skid.start + 1):
        layers.write(drawing.cell_of(drawing.track.space(progress), skid.spot), Writing(glyph), Style())


def _lay_brackets(layers: Layers, cars: Sequence[CarMark], cells: Mapping[int, Coordinates]) -> None:
    """Lay brackets around the active car."""
    for car in cars:
        if car.is_active:
            column, row = cells[car.number]
            for shift, glyph in ((-1, "["), (1, "]")):
                layers.write((column + shift, row), Writing(glyph, bold=True), _COLOURLESS)


def _lay_noses(layers: Layers, cars: Sequence[CarMark], cells: Mapping[int, Coordinates]) -> None:
    """Lay a sign before each car that shows where it heads."""
    drawing = layers.drawing
    for car in cars:
        column, row = cells[car.number]
        step = _step_of(drawing.point_of(car.progress, car.spot, car.way))
        glyph = _NOSES[step][drawing.mode == "ascii"]
        layers.write((column + step[0], row + step[1]), Writing(glyph), Style(bold=True))


def _shift_in_cell(
    drawing: TrackDrawing, car: CarMark, point: RoadPoint, cell: Coordinates
) -> tuple[int, int]:
    """Give how far a driving car is from the middle of its cell, in samples; one that stands is in it.

    So is any where spaces are so large that a frame takes a car to the next cell. Steps are halves of a cell:
    a frame shows nothing finer, and each step is a shape to draw.
    """
    if car.way is None or drawing.layout.space_pixels >= _WIDE_PIXELS:
        return 0, 0
    right, down = point.x - cell[0] - 0.5, point.y / 2 - cell[1] - 0.5
    if max(abs(right), abs(down)) > 1:  # the cell is another car's
        return 0, 0
    return (
        round(right * _STEPS_IN_CELL) * SAMPLES_ACROSS // _STEPS_IN_CELL,
        round(down * _STEPS_IN_CELL) * SAMPLES_DOWN // _STEPS_IN_CELL,
    )


def _lay_shape(layers: Layers, car: CarMark, cell: Coordinates) -> None:
    """Lay a little car, seen from above and turned where it heads, around its letter."""
    drawing = layers.drawing
    point = drawing.point_of(car.progress, car.spot, car.way)
    pose = car_pose(
        drawing.layout.space_pixels,
        point.heading_x,
        point.heading_y,
        turn=car.way.turn if car.way is not None else 0.0,
        shift=_shift_in_cell(drawing, car, point, cell),
        has_halo=car.is_own or car.is_ghost or car.colour == "black",
    )
    if car.way is not None:
        layers.pass_over(cell, pose, _passing_car(drawing.look, car.colour, car.is_own, car.is_ghost))
        return
    shades = _shades_of(drawing.look, car.colour, car.is_own, car.is_ghost)
    column, row = cell
    for (right, down), parts in car_shape(pose).items():
        layers.cover_with_car((column + right, row + down), parts, shades)


@lru_cache(maxsize=256)
def _passing_car(look: Look, colour: str, is_own: bool, is_ghost: bool) -> PassingCar:
    return PassingCar(look, _shades_of(look, colour, is_own, is_ghost))


@lru_cache(maxsize=256)
def _shades_of(look: Look, colour: str, is_own: bool, is_ghost: bool) -> dict[Part, Shade]:
    paints: dict[Part, Paint] = {
        "body": car_paint(colour),
        "wheel": "skid",
        "halo": "halo" if is_own else "car-black-ring",
    }
    if is_ghost:  # the road shows through
        paints = {"halo": "car-black-ring" if colour == "black" else car_paint(colour)}
    return {part: shown_as(look, Shade(paint)) for part, paint in paints.items()}


def _step_of(point: RoadPoint) -> tuple[int, int]:
    """Give the neighbouring cell that a car at a point heads for, in columns and rows."""
    if abs(point.heading_y) > 1.2 * abs(point.heading_x):
        return (0, 1) if point.heading_y > 0 else (0, -1)
    return (1, 0) if point.heading_x > 0 else (-1, 0)
