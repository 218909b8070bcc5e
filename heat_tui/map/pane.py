"""The part of a drawing that a panel shows, what lies over it, and the whole circuit small in a corner."""

from __future__ import annotations

from textual.geometry import Size
from textual.strip import Strip

from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.laid_over import LaidOver
from heat_tui.map.minimap import MiniMap, Window
from heat_tui.map.palette import BLANK, Cell
from heat_tui.map.pointing import NOTHING, Found, found_at
from heat_tui.map.signs import Coordinates
from heat_tui.map.strips import to_strip
from heat_tui.map.window import on_other_grid, with_quiet_rim


class Pane:
    """A window on a drawing.

    Attributes:
        drawing: None before there is a track and a size.
        over: What lies over the drawing.
        mini: The small map.
        left: Column of the drawing in the panel's first column.
        top: Row of the drawing in the panel's first row.
        size: Of the panel.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.drawing: TrackDrawing | None = None
        self.over = LaidOver()
        self.mini = MiniMap()
        self.left = 0
        self.top = 0
        self.size = Size(0, 0)

    def begin(self) -> None:
        """Take all away that lies over the drawing, and show its top left corner."""
        self.over = LaidOver()
        self.left = self.top = 0

    def show(self, drawing: TrackDrawing | None, size: Size) -> None:
        """Show another drawing, of the same circuit around what was in the middle.

        Args:
            drawing: None for none.
            size: Of the panel.
        """
        before, self.drawing, self.size = self.drawing, drawing, size
        if drawing is None:
            return
        if before is not None and before is not drawing and before.track is drawing.track:
            grids = (before.columns, before.rows), (drawing.columns, drawing.rows)
            self.left, self.top = on_other_grid((self.left, self.top), size, *grids)
        self.left, self.top = self._within(drawing, self.left, self.top)

    def _within(self, drawing: TrackDrawing, left: int, top: int) -> Coordinates:
        """Give the nearest top left cell that has drawing as far as the panel reaches."""
        return (
            max(0, min(left, drawing.columns - self.size.width)),
            max(0, min(top, drawing.rows - self.size.height)),
        )

    def look_at(self, left: int, top: int) -> bool:
        """Move the window's top left cell, as far as there is drawing; returns whether it has moved."""
        if self.drawing is None:
            return False
        before = self.left, self.top
        self.left, self.top = self._within(self.drawing, left, top)
        return before != (self.left, self.top)

    def keep_in_view(self, cell: Coordinates) -> bool:
        """Have a cell of the drawing well inside the window; returns whether it has moved."""
        return self.look_at(*with_quiet_rim((self.left, self.top), self.size, cell))

    def lay(self, followed: int | None) -> list[Coordinates]:
        """Make what lies over the drawing anew, and give the cells of the panel that differ from before.

        Args:
            followed: Number of a car that the small map does not cover.
        """
        if self.drawing is None:
            return []
        changed = [(column - self.left, row - self.top) for column, row in self.over.lay(self.drawing)]
        return [*changed, *self.lay_mini(followed)]

    def lay_mini(self, followed: int | None) -> set[Coordinates]:
        """Show the whole circuit small where the panel shows a part of it; see `lay`."""
        drawing = self.drawing
        looked_at = self.over.looked_at(drawing, followed)
        window = Window(self.left, self.top, *self.size)
        return self.mini.lay(drawing, window, self.over.cars, looked_at)

    def row_of_car(self, number: int) -> int | None:
        """Give the panel's row that a car is in, None where it is out of view."""
        _, row = self.over.cells.get(number, (0, -1))
        return row - self.top if self.top <= row < self.top + self.size.height else None

    def cells(self, y: int, first: int, last: int) -> list[Cell]:
        """Give columns `first` up to, not including, `last` of a line of the panel."""
        drawing = self.drawing
        row = y + self.top
        if drawing is None or row >= drawing.rows:
            return [BLANK] * (last - first)
        left, count = self.left + first, last - first
        cells = drawing.row_cells(row)[left : left + count]
        cells += [BLANK] * (count - len(cells))
        for column, cell in self.over.row(row).items():
            if 0 <= column - left < count:
                cells[column - left] = cell
        for column, cell in self.mini.row(y).items():
            if first <= column < last:
                cells[column - first] = cell
        return cells

    def line(self, y: int, first: int, last: int) -> Strip:
        """Give the same as a strip."""
        return to_strip(self.cells(y, first, last))

    def found_at(self, place: Coordinates) -> Found:
        """Find what lies in a cell of the panel; in the small map there is nothing."""
        if self.drawing is None or place in self.mini.cells:
            return NOTHING
        cell = place[0] + self.left, place[1] + self.top
        return found_at(self.drawing, self.over.cars, self.over.cells, cell)

    def space_in_mini(self, place: Coordinates) -> int | None:
        """Give the space nearest to a cell of the panel, None beside the small map."""
        return None if self.drawing is None else self.mini.space_at(self.drawing, place)
