"""The cars on the map, and what else is over the drawing: highlighted spots and the cursor.

Nothing here changes a drawing. An overlay is a table from cells to what they show instead; the widget
compares the overlay before and after a move and repaints only where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.geometry import RoadPoint
from heat_tui.map.marks import BARE_ROAD, CarMark, RoadMarks
from heat_tui.map.palette import (
    HIGHLIGHT_GLYPHS,
    Cell,
    Rgb,
    car_colour,
    car_style,
    kind_colour,
    mark_style,
    nose_style,
    two_pixels,
)
from heat_tui.map.road import Overlay, lay_road
from heat_tui.map.signs import Coordinates, Spot, rings

_NOSES: Final = {(1, 0): ("▸", ">"), (-1, 0): ("◂", "<"), (0, -1): ("▴", "^"), (0, 1): ("▾", "v")}
"""By the cell in front, in columns and rows: in Unicode and in ASCII."""
_FARTHEST_SHIFT: Final = 40
_WHEEL: Final[Rgb] = (8, 8, 8)
_OUTLINE: Final[Rgb] = (255, 255, 255)
_LARGEST_SPRITE: Final = 16.0


def car_cells(drawing: TrackDrawing, cars: Sequence[CarMark]) -> dict[int, Coordinates]:
    """Give each car the cell of its letter, by number.

    Two cars never share a cell while one is free: the active car and the player's own keep theirs, another
    one moves to the nearest free cell.
    """
    cells: dict[int, Coordinates] = {}
    taken: set[Coordinates] = set()
    for car in sorted(cars, key=lambda car: (not car.is_active, not car.is_own)):
        wanted = drawing.cell_of(drawing.track.space(car.progress), car.spot)
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
) -> Overlay:
    """Make the overlay of a drawing.

    Args:
        drawing: The drawing under it.
        cars: The cars, the first one in front where sprites touch.
        cells: From `car_cells`.
        highlights: By spot, the name of its highlight.
        cursor: The spot under the keyboard's cursor, None for none.
        road: What the road is painted with.
    """
    overlay = lay_road(drawing, road)
    marks = dict(highlights)
    if cursor is not None:
        marks[cursor] = "cursor"
    for (space, spot), name in marks.items():
        _lay_highlight(drawing, overlay, drawing.cell_of(space, spot), name)
    if drawing.has_sprites:
        _lay_sprites(drawing, overlay, cars, cells)
    else:
        _lay_marks(drawing, overlay, cars, cells)
    for car in reversed(cars):
        overlay[cells[car.number]] = Cell(
            car.letter[:1] or "?", car_style(drawing.mode, car.colour, car.is_own)
        )
    return overlay


def _lay_highlight(drawing: TrackDrawing, overlay: Overlay, cell: Coordinates, name: str) -> None:
    glyph = HIGHLIGHT_GLYPHS.get(name, HIGHLIGHT_GLYPHS["target"])[drawing.mode == "ascii"]
    style = mark_style(drawing.mode, name, 0)
    if drawing.has_sprites:
        for shift in (-1, 1):
            if _is_inside(drawing, (cell[0] + shift, cell[1])):
                overlay[cell[0] + shift, cell[1]] = Cell(" ", style)
    overlay[cell] = Cell(glyph, style)


def _lay_marks(
    drawing: TrackDrawing, overlay: Overlay, cars: Sequence[CarMark], cells: Mapping[int, Coordinates]
) -> None:
    """Lay brackets around the active car, and a nose before each car where there is room."""
    taken = set(cells.values())
    is_plain = drawing.mode == "ascii"
    for car in cars:
        column, row = cells[car.number]
        if car.is_active:
            for shift, glyph in ((-1, "["), (1, "]")):
                side = (column + shift, row)
                if side not in taken and _is_inside(drawing, side):
                    taken.add(side)
                    overlay[side] = Cell(
                        glyph, mark_style(drawing.mode, "active", max(drawing.kinds_at(*side)))
                    )
    if not drawing.has_noses:
        return
    for car in cars:
        column, row = cells[car.number]
        point = drawing.spot_point(drawing.track.space(car.progress), car.spot)
        step = _step_of(point)
        for side, glyph in _flanks(step, (column, row)):
            if drawing.mode not in ("mono", "ascii") and side not in taken and _is_inside(drawing, side):
                taken.add(side)
                under = max(drawing.kinds_at(*side))
                overlay[side] = Cell(glyph, nose_style(drawing.mode, car.colour, under))
        front = (column + step[0], row + step[1])
        if front in taken or not _is_inside(drawing, front):
            continue
        taken.add(front)
        overlay[front] = Cell(
            _NOSES[step][is_plain], nose_style(drawing.mode, car.colour, max(drawing.kinds_at(*front)))
        )


def _flanks(step: tuple[int, int], cell: Coordinates) -> tuple[tuple[Coordinates, str], ...]:
    """Give the half cells that make a letter a car: its tail, or its sides where it heads up or down."""
    column, row = cell
    left, right = ((column - 1, row), "▐"), ((column + 1, row), "▌")
    if step[0] == 0:
        return left, right
    return (left,) if step[0] > 0 else (right,)


def _step_of(point: RoadPoint) -> tuple[int, int]:
    """Give the neighbouring cell that a car at a point heads for, in columns and rows."""
    if abs(point.heading_y) > 1.2 * abs(point.heading_x):
        return (0, 1) if point.heading_y > 0 else (0, -1)
    return (1, 0) if point.heading_x > 0 else (-1, 0)


def _is_inside(drawing: TrackDrawing, cell: Coordinates) -> bool:
    return 0 <= cell[0] < drawing.columns and 0 <= cell[1] < drawing.rows


def _lay_sprites(
    drawing: TrackDrawing, overlay: Overlay, cars: Sequence[CarMark], cells: Mapping[int, Coordinates]
) -> None:
    """Lay a little car, seen from above and turned where it heads, for each car."""
    pixels: dict[tuple[int, int], Rgb] = {}
    for car in reversed(cars):
        space = drawing.track.space(car.progress)
        pixels.update(_sprite(drawing, space, car.spot, cells[car.number], car.colour, car.is_active))
    for column, row in {(x, y // 2) for x, y in pixels}:
        upper, lower = drawing.kinds_at(column, row)
        overlay[column, row] = two_pixels(
            pixels.get((column, 2 * row)) or kind_colour(drawing.mode, upper),
            pixels.get((column, 2 * row + 1)) or kind_colour(drawing.mode, lower),
        )


@lru_cache(maxsize=128)
def _sprite(
    drawing: TrackDrawing, space: int, spot: int, cell: Coordinates, colour: str, is_active: bool
) -> dict[tuple[int, int], Rgb]:
    """Paint the pixels of a car whose letter is in a cell; not to be changed."""
    point = drawing.spot_point(space, spot)
    spot_cell = drawing.cell_of(space, spot)
    middle_x = point.x + cell[0] - spot_cell[0]
    middle_y = point.y + 2 * (cell[1] - spot_cell[1])
    size = min(drawing.layout.space_pixels, _LARGEST_SPRITE) / 10
    paint = car_colour(drawing.mode, colour)
    reach = int(5 * size) + 2
    pixels: dict[tuple[int, int], Rgb] = {}
    for y in range(max(0, int(middle_y) - reach), min(2 * drawing.rows, int(middle_y) + reach + 1)):
        for x in range(max(0, int(middle_x) - reach), min(drawing.columns, int(middle_x) + reach + 1)):
            right, down = x + 0.5 - middle_x, y + 0.5 - middle_y
            along = (right * point.heading_x + down * point.heading_y) / size
            across = abs(right * point.heading_y - down * point.heading_x) / size
            if hypot(along, across) > 5.5:
                continue
            if _is_body(along, across):
                pixels[x, y] = paint
            elif 1.5 < across <= 2.5 and (1.2 <= along <= 2.6 or -3.2 <= along <= -1.6):
                pixels[x, y] = _WHEEL
            elif is_active and _is_body(along * 0.8, across * 0.62):
                pixels[x, y] = _OUTLINE
    return pixels


def _is_body(along: float, across: float) -> bool:
    """Tell whether a point lies on a car, in tenths of a space from its middle."""
    if -3.6 <= along <= 1.6:
        return across <= 1.5
    return 1.6 < along <= 4.0 and across <= 0.8
