"""All that lies over the drawing of a map, and the cells that differ from one moment to the next."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from heat_core.track import Track
from heat_tui.map.cars import car_cells, lay_over
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.layers import Overlay
from heat_tui.map.marks import BARE_ROAD, CarMark, RoadMarks, Skid, Way
from heat_tui.map.palette import Cell
from heat_tui.map.pointing import spot_ahead, spot_of
from heat_tui.map.signs import Coordinates, Spot

_NOTHING: Final[Mapping[int, Cell]] = MappingProxyType({})


class LaidOver:
    """Cars, marks and paint of the road, and the keyboard's cursor.

    What is set shows with the next `lay`.

    Attributes:
        cars: The first one in front where two touch.
        highlights: By spot, the name of its highlight.
        road: What the road is painted with.
        skids: The marks of spin-outs.
        cursor: The spot under the keyboard's cursor, None for none.
        cells: By number of a car, the cell of its letter.
    """

    def __init__(self) -> None:
        """Begin with a bare road."""
        self.cars: tuple[CarMark, ...] = ()
        self.highlights: Mapping[Spot, str] = {}
        self.road: RoadMarks = BARE_ROAD
        self.skids: tuple[Skid, ...] = ()
        self.cursor: Spot | None = None
        self.cells: dict[int, Coordinates] = {}
        self._overlay: Overlay = {}
        self._rows: dict[int, dict[int, Cell]] = {}

    def place_cars(self, places: Mapping[int, tuple[int, int]]) -> None:
        """Put cars elsewhere: by number, progress and spot. Unknown numbers change nothing."""
        self.cars = tuple(
            car._replace(progress=places[car.number][0], spot=places[car.number][1], way=None)
            if car.number in places
            else car
            for car in self.cars
        )

    def drive_cars(self, ways: Mapping[int, Way]) -> None:
        """Show cars on their ways, by number."""
        self.cars = tuple(
            car._replace(way=ways[car.number]) if car.number in ways else car for car in self.cars
        )

    def move_cursor(self, track: Track, spaces: int, near: int | None) -> Spot:
        """Move the cursor along the lap and give where it is then.

        Args:
            near: The car that it begins at.
        """
        if self.cursor is None:
            self.cursor = spot_of(track, self.cars, near)
        self.cursor = spot_ahead(track, self.cursor, spaces)
        return self.cursor

    def lay(self, drawing: TrackDrawing) -> Collection[Coordinates]:
        """Make the cells anew, and give the places of those that differ from before."""
        before = self._overlay
        self.cells = car_cells(drawing, self.cars)
        self._overlay = after = lay_over(
            drawing, self.cars, self.cells, self.highlights, self.cursor, self.road, self.skids
        )
        changed = [place for place, cell in after.items() if before.get(place) != cell]
        changed += before.keys() - after.keys()
        fresh: dict[int, dict[int, Cell]] = {row: {} for _, row in changed}
        for (column, row), cell in after.items():
            if row in fresh:
                fresh[row][column] = cell
        self._rows.update(fresh)
        return changed

    def row(self, number: int) -> Mapping[int, Cell]:
        """Give the cells of a row of the drawing, by column; the same object until one of them changes."""
        return self._rows.get(number, _NOTHING)

    def looked_at(self, drawing: TrackDrawing | None, followed: int | None) -> list[Coordinates]:
        """Give the cells that nothing else may hide: of the followed car, and of the cursor."""
        found = [self.cells[followed]] if followed in self.cells else []
        if self.cursor is not None and drawing is not None:
            found.append(drawing.cell_of(*self.cursor))
        return found
