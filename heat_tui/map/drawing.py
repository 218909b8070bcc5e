"""A circuit as cells of the screen: the picture under the cars, and where every spot and corner is on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from textual.strip import Strip

from heat_core.track import RACE_LINE_SPOT, Track
from heat_core.track_facts import Side, TrackFacts
from heat_tui.map.geometry import RoadPoint
from heat_tui.map.layout import Layout, Zoom, lay_out
from heat_tui.map.lettering import Lettering
from heat_tui.map.marks import BARE_ROAD, RoadMarks, Way
from heat_tui.map.palette import (
    BLANK,
    USUAL_LOOK,
    Cell,
    Look,
    Mode,
    Role,
    Slope,
    colourless,
    road_glyph,
)
from heat_tui.map.plates import Plate, plate_shapes
from heat_tui.map.raster import GRASS_ALTERNATE, Raster, is_surface, kind_and_owner, rasterise
from heat_tui.map.road_picture import RoadPicture, road_picture
from heat_tui.map.shades import ROLE_PLATES, Shades, Shapes, writing
from heat_tui.map.signs import Coordinates, CornerNote, spot_cells
from heat_tui.map.strips import to_strip

_UPPER: Final = (1 << 64) - 1
_LOWER: Final = _UPPER << 64
_MOST_SMOOTH_CELLS: Final = 60_000
"""Larger drawings stay half blocks: a picture of a long circuit at close-up would take seconds."""
_NOSE_PIXELS: Final = 3.4
_MOST_POINTS: Final = 64


class TrackDrawing:
    """One circuit at one size, zoom and look.

    A smooth drawing shows half blocks until its picture is drawn (see `refine`).

    Attributes:
        track: The circuit.
        look: How the terminal shows it.
        layout: Scale and size.
        columns: Width in cells.
        rows: Height in cells.
    """

    def __init__(
        self,
        raster: Raster,
        look: Look,
        limits: tuple[int, ...],
        *,
        notes: tuple[CornerNote, ...],
        has_numbers: bool,
    ) -> None:
        """Draw a painted circuit.

        Args:
            raster: The circuit as pixels.
            look: How the terminal shows it.
            limits: The limit to show at each corner.
            notes: What else lies at each corner; empty: nothing.
            has_numbers: Whether spaces show their numbers.
        """
        self.track: Track = raster.track
        self.look = look
        self.layout: Layout = raster.layout
        self.columns = raster.width
        self.rows = raster.layout.rows
        self._raster = raster
        self._spot_cells = spot_cells(raster)
        self._spots_by_cell: dict[Coordinates, tuple[int, int]] = {}
        for key, cell in self._spot_cells.items():
            self._spots_by_cell.setdefault(cell, key)
        self._lettering = Lettering(raster, look, self._spot_cells, limits, notes, has_numbers=has_numbers)
        self._cells_by_owner: dict[tuple[bool, int], set[Coordinates]] = {}
        self._painted: tuple[RoadMarks, Shades] | None = None
        self._shades = Shades(look, BARE_ROAD)
        self._shapes: dict[Coordinates, Shapes] = {}
        if look.has_colours:
            plates = [
                Plate(cell, len(text), ROLE_PLATES[self._lettering.roles[number]])
                for number, (cell, text) in self._lettering.plates.items()
            ]
            self._shapes = plate_shapes(plates, self.layout.space_pixels)
        self._picture: RoadPicture | None = None
        self._rows: dict[int, list[Cell]] = {}
        self._strips: dict[int, Strip] = {}
        self._points: dict[tuple[int, int, Way | None], RoadPoint] = {}

    @property
    def mode(self) -> Mode:
        """How the terminal shows colour."""
        return self.look.mode

    @property
    def is_rough(self) -> bool:
        """Whether half blocks are shown in place of a picture that is still to be drawn."""
        is_smooth = self.look.is_smooth and self.look.has_colours
        return is_smooth and self._picture is None and self.columns * self.rows <= _MOST_SMOOTH_CELLS

    def refine(self) -> Iterator[None]:
        """Draw the picture of a smooth drawing, a few milliseconds at each step; at the end it is shown.

        What was asked for before, such as strips, is made anew then.
        """
        if not self.is_rough:
            return
        picture = road_picture(self.track.facts, self.layout)
        yield from picture.parts()
        rows: dict[int, list[Cell]] = {}
        for row in sorted(self._rows):
            rows[row] = [self._make_cell(column, row, picture) for column in range(self.columns)]
            yield
        self._picture, self._rows, self._strips = picture, rows, {}
        self._cells_by_owner, self._painted = {}, None
        self._shades = Shades(self.look, BARE_ROAD)

    @property
    def has_noses(self) -> bool:
        """Whether there is room for a second cell that shows where a car heads."""
        return self.layout.space_pixels >= _NOSE_PIXELS

    def cell_of(self, space: int, spot: int) -> Coordinates:
        """Give column and row of a spot; the second spot of a one-spot space is its first."""
        cell = self._spot_cells.get((space, spot))
        return self._spot_cells[space, RACE_LINE_SPOT] if cell is None else cell

    def cell_at(self, point: RoadPoint) -> Coordinates:
        """Give column and row of the cell that a point lies in, or the nearest of the drawing."""
        return (
            min(max(int(point.x), 0), self.columns - 1),
            min(max(int(point.y / 2), 0), self.rows - 1),
        )

    def spot_at(self, column: int, row: int) -> tuple[int, int] | None:
        """Give space and spot shown in a cell, None beside the road and outside of the drawing."""
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        known = self._spots_by_cell.get((column, row))
        if known is not None:
            return known
        for index in self._pixels(column, row):
            space = self._raster.spaces.get(index)
            if space is not None:
                side: Side = "left" if self._raster.lefts[index] >= 0 else "right"
                return space, self.track.spot_on(space, side)
        return None

    def corner_at(self, column: int, row: int) -> int | None:
        """Give the number (from 0) of the corner whose line or sign is in a cell, None elsewhere."""
        return self._lettering.corners.get((column, row))

    def cells_of(self, *, spaces: Collection[int] = (), corners: Collection[int] = ()) -> set[Coordinates]:
        """Give the cells in which the road of spaces, and lines and kerbs of corners, lie."""
        if not self._cells_by_owner:
            for cell, number in self._marks_of_road():
                kind, owner = kind_and_owner(number)
                if owner:
                    self._cells_by_owner.setdefault((is_surface(kind), owner), set()).add(cell)
        owners = [*((True, space) for space in spaces), *((False, corner + 1) for corner in corners)]
        return set().union(*(self._cells_by_owner.get(owner, ()) for owner in owners))

    def _marks_of_road(self) -> Iterator[tuple[Coordinates, int]]:
        if self._picture is None:
            for index in self._raster.spaces:
                row, column = divmod(index, self.columns)
                yield (column, row // 2), self._raster.mark_at(index)
            return
        for row in range(self.rows):
            for column in range(self.columns):
                for number in self._picture.samples(column, row):
                    yield (column, row), number

    def plate_of(self, corner: int) -> tuple[Coordinates, str] | None:
        """Give where a corner's limit begins and its text, None where there was no room for it."""
        return self._lettering.plates.get(corner)

    def point_of(self, progress: int, spot: int, way: Way | None) -> RoadPoint:
        """Give where a car is, in pixels, with the driving direction there; those asked for last are kept.

        Args:
            progress: Where it stands or comes from.
            spot: The same.
            way: None: it stands.
        """
        asked = progress, spot, way
        point = self._points.get(asked)
        if point is None:
            if len(self._points) >= _MOST_POINTS:
                self._points.clear()
            point = self._points[asked] = self._point_of(progress, spot, way)
        return point

    def _point_of(self, progress: int, spot: int, way: Way | None) -> RoadPoint:
        centreline, lane, track = self._raster.centreline, self.layout.lane, self.track
        space = track.space(progress)
        if way is None:
            return centreline.spot_point(track, space, spot, lane)
        start = centreline.left_of_spot(track, space, spot, lane)
        end = centreline.left_of_spot(track, track.space(way.progress), way.spot, lane)
        middle = centreline.at(progress + (way.progress - progress) * way.share)
        x, y = middle.beside(start + (end - start) * way.share)
        return middle._replace(x=x, y=y)

    def cell(self, column: int, row: int) -> Cell:
        """Give what a cell of the drawing shows without cars."""
        return self.row_cells(row)[column]

    def is_free(self, column: int, row: int) -> bool:
        """Tell whether a cell has neither road nor text, and lies inside the drawing."""
        return (
            0 <= column < self.columns
            and 0 <= row < self.rows
            and (column, row) not in self._lettering.text
            and (column, row) not in self._lettering.corners
            and max(self.kinds_at(column, row)) <= GRASS_ALTERNATE
        )

    def samples(self, column: int, row: int) -> dict[int, int]:
        """Give which samples of a cell have which mark; see `heat_tui.map.shades`."""
        return self._samples(column, row, self._picture)

    def layers_at(self, cell: Coordinates) -> tuple[Shapes, tuple[str, Role] | None]:
        """Give what covers a cell of the bare drawing, plates, and what is written on it."""
        return self._shapes.get(cell, {}), self._lettering.text.get(cell)

    def shades_for(self, road: RoadMarks) -> Shades:
        """Give the paints of a painted road; those of the road asked for last are kept."""
        if road == BARE_ROAD:
            return self._shades
        if self._painted is None or self._painted[0] != road:
            self._painted = road, Shades(self.look, road)
        return self._painted[1]

    def _samples(self, column: int, row: int, picture: RoadPicture | None) -> dict[int, int]:
        if picture is not None:
            return picture.samples(column, row)
        upper, lower = (self._raster.mark_at(index) for index in self._pixels(column, row))
        return {upper: _UPPER | _LOWER} if upper == lower else {upper: _UPPER, lower: _LOWER}

    def kinds_at(self, column: int, row: int) -> tuple[int, int]:
        """Give what is painted on the upper and on the lower pixel of a cell."""
        upper, lower = self._pixels(column, row)
        return self._raster.kind_at(upper), self._raster.kind_at(lower)

    def row_cells(self, row: int) -> list[Cell]:
        """Give the cells of a row; not to be changed. Rows are made when first looked at."""
        cells = self._rows.get(row)
        if cells is None:
            picture = self._picture
            cells = self._rows[row] = [
                self._make_cell(column, row, picture) for column in range(self.columns)
            ]
        return cells

    def strip(self, row: int) -> Strip:
        """Give a row as a strip of as few segments as possible."""
        strip = self._strips.get(row)
        if strip is None:
            strip = self._strips[row] = to_strip(self.row_cells(row))
        return strip

    def _pixels(self, column: int, row: int) -> tuple[int, int]:
        upper = 2 * row * self.columns + column
        return upper, upper + self.columns

    def _make_cell(self, column: int, row: int, picture: RoadPicture | None) -> Cell:
        text = self._lettering.text.get((column, row))
        if self.look.has_colours:
            shapes = self._shapes.get((column, row))
            if picture is None and text is None and shapes is None:
                upper, lower = (self._raster.mark_at(index) for index in self._pixels(column, row))
                return self._shades.halves(upper, lower)
            return self._shades.cell(
                self._samples(column, row, picture),
                () if shapes is None else shapes.items(),
                None if text is None else writing(*text),
            )
        if text is not None:
            glyph, role = text
            return Cell(glyph, colourless(role))
        upper, lower = self.kinds_at(column, row)
        is_land = upper <= GRASS_ALTERNATE and lower <= GRASS_ALTERNATE
        slope = "level" if is_land else self._slope(column, row)
        return Cell(road_glyph(self.mode, upper, lower, slope), BLANK.style)

    def _slope(self, column: int, row: int) -> Slope:
        for index in self._pixels(column, row):
            if index in self._raster.spaces:
                return slope_of(*self._raster.heading_at(index))
        return "level"


def slope_of(heading_x: float, heading_y: float) -> Slope:
    """Name how a road with this heading runs on the screen."""
    if abs(heading_y) < 0.45 * abs(heading_x):
        return "level"
    if abs(heading_x) < 0.45 * abs(heading_y):
        return "upright"
    return "falling" if heading_x * heading_y > 0 else "rising"


@lru_cache(maxsize=32)
def _draw(
    facts: TrackFacts,
    layout: Layout,
    look: Look,
    limits: tuple[int, ...],
    notes: tuple[CornerNote, ...],
    has_numbers: bool,
) -> TrackDrawing:
    return TrackDrawing(rasterise(facts, layout), look, limits, notes=notes, has_numbers=has_numbers)


def draw_track(
    track: Track,
    columns: int,
    rows: int,
    zoom: Zoom,
    look: Look = USUAL_LOOK,
    limits: tuple[int, ...] | None = None,
    *,
    notes: tuple[CornerNote, ...] = (),
    has_numbers: bool = False,
    is_preview: bool = False,
) -> TrackDrawing:
    """Draw a circuit for a panel; the same drawing again costs nothing.

    Args:
        track: The circuit.
        columns: Width of the panel in cells; less than 1 counts as 1.
        rows: Height of the panel in cells; less than 1 counts as 1.
        zoom: Whole track in the panel, spaces of a readable size, or close-up.
        look: How the terminal shows it.
        limits: The limit to show at each corner, None for those of the board.
        notes: What else lies at each corner; empty: nothing.
        has_numbers: Whether spaces show their numbers.
        is_preview: Whether the circuit is only looked at; see `lay_out`.
    """
    facts = track.facts
    layout = lay_out(facts, max(columns, 1), max(rows, 1), zoom, is_preview=is_preview)
    shown = tuple(corner.limit for corner in facts.corners) if limits is None else limits
    return _draw(facts, layout, look, shown, notes, has_numbers)
