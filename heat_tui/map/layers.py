"""What lies over a drawing: shapes and letters for each cell, and from them what the cell shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from rich.style import Style

from heat_tui.map.car_shapes import CarCell, CarPose, Part
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.marks import RoadMarks
from heat_tui.map.palette import Cell
from heat_tui.map.passing import PassingCar, PassingPart
from heat_tui.map.shades import Shade, Writing, writing
from heat_tui.map.signs import Coordinates

Overlay: TypeAlias = dict[Coordinates, Cell]
"""What cells of a drawing show instead."""


class Layers:
    """Shapes and letters over a drawing; what is laid first lies on top.

    Attributes:
        drawing: What they lie over.
    """

    def __init__(self, drawing: TrackDrawing, road: RoadMarks) -> None:
        """Begin with a painted road and nothing on it."""
        self.drawing = drawing
        self._shades = drawing.shades_for(road)
        self._shapes: dict[Coordinates, list[tuple[Shade, int]]] = {}
        self._written: dict[Coordinates, tuple[Writing, Style]] = {}
        self._passing: dict[Coordinates, tuple[PassingCar, PassingPart]] = {}
        self._repainted: set[Coordinates] = set()
        if drawing.look.has_colours:
            self._repainted = drawing.cells_of(spaces=road.spaces, corners=road.corners)

    def cover(self, cell: Coordinates, shapes: Iterable[tuple[Shade, int]]) -> None:
        """Lay shapes on a cell; only where there are colours.

        Args:
            cell: Column and row.
            shapes: Shades as the look shows them, each with its samples; the topmost first.
        """
        if (passing := self._passing.pop(cell, None)) is not None:
            self._shapes[cell] = _passing_shapes(*passing)
        self._shapes.setdefault(cell, []).extend(shapes)

    def cover_with_car(self, cell: Coordinates, parts: CarCell, shades: Mapping[Part, Shade]) -> None:
        """Lay a part of a car on a cell.

        Args:
            cell: Column and row.
            parts: What of the car is there.
            shades: Of its parts; what has none is not seen.
        """
        self.cover(cell, _seen(parts, shades))

    def pass_over(self, cell: Coordinates, pose: CarPose, car: PassingCar) -> None:
        """Lay a car around the cell of its letter for one frame; see `cover_with_car`."""
        shapes, passing, repainted = self._shapes, self._passing, self._repainted
        column, row = cell
        for (right, down), part in car.cells(pose):
            place = column + right, row + down
            if place in shapes or place in passing or place in repainted:
                self.cover_with_car(place, part.parts, car.shades)
            else:
                passing[place] = car, part

    def write(self, cell: Coordinates, written: Writing, colourless: Style) -> None:
        """Write a letter on a cell that has none yet.

        Args:
            cell: Column and row; a cell outside of the drawing is passed over.
            written: The letter with its paints.
            colourless: Its style where there are no colours.
        """
        self._written.setdefault(cell, (written, colourless))

    def cells(self) -> Overlay:
        """Give what each cell under a shape, a letter or paint shows."""
        columns, rows = self.drawing.columns, self.drawing.rows
        lines = {row: self.drawing.row_cells(row) for _, row in self._passing if 0 <= row < rows}
        cells = {
            (column, row): car.over(lines[row][column], part)
            for (column, row), (car, part) in self._passing.items()
            if 0 <= column < columns and row in lines
        }
        for column, row in self._repainted | self._shapes.keys() | self._written.keys():
            if 0 <= column < columns and 0 <= row < rows:
                cells[column, row] = self._cell((column, row))
        return cells

    def _cell(self, cell: Coordinates) -> Cell:
        drawing = self.drawing
        found = self._written.get(cell)
        if not drawing.look.has_colours:
            assert found is not None  # without colours there are only letters
            return Cell(found[0].glyph, found[1])
        if found is not None and found[0].ground is not None:
            return self._shades.letter(found[0])
        passing = self._passing.get(cell)
        over = self._shapes.get(cell, []) if passing is None else _passing_shapes(*passing)
        written = found[0] if found else None
        shapes, text = drawing.layers_at(cell)
        if written is None and text is not None and not over:
            written = writing(*text)  # a car hides what is written on the road
        return self._shades.cell_at(drawing.samples, cell, (*over, *shapes.items()), written)


def _seen(parts: CarCell, shades: Mapping[Part, Shade]) -> list[tuple[Shade, int]]:
    return [(shades[part], bits) for part, bits in parts if part in shades]


def _passing_shapes(car: PassingCar, part: PassingPart) -> list[tuple[Shade, int]]:
    return _seen(part.parts, car.shades)
