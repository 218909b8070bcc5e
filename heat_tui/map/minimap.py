"""The whole circuit in a corner of a map that shows a part of it: where the cars are, and what part it is.

The small map has half-block pixels like the large one, but the road is a line: bright where the large map
shows it, dim elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.style import Style

from heat_core.track import RACE_LINE_SPOT, Track
from heat_core.track_facts import TrackFacts
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.geometry import Centreline
from heat_tui.map.marks import CarMark
from heat_tui.map.palette import BLANK, Cell, Look, Mode, car_style
from heat_tui.map.signs import Coordinates, rings
from heat_tui.theme import paints
from heat_tui.theme.paints import Paint

_LEAST_PANEL: Final = (40, 10)
"""Where the panel is smaller there is no room for a second map."""
_SHARE_OF_COLUMNS: Final = 0.3
_SHARE_OF_ROWS: Final = 0.4
_LEAST_CELLS: Final = (16, 6)
_MOST_CELLS: Final = (34, 14)
_FARTHEST_SHIFT: Final = 6

_FRAMES: Final[dict[Mode, str]] = {"mono": "┌─┐│└┘", "ascii": "+-+|++"}
"""Corner, level, corner, upright, corner, corner: without colour a frame parts the two maps."""


class _Line(NamedTuple):
    """The circuit as a line.

    Attributes:
        columns: Of the small map without its frame.
        rows: The same.
        pixels: Where the line runs, two to a cell one above the other, with the space that lies there.
        spaces: By space from 1, the cell that it lies in; place 0 is not used.
    """

    columns: int
    rows: int
    pixels: dict[tuple[int, int], int]
    spaces: tuple[Coordinates, ...]


@lru_cache(maxsize=16)
def _line(facts: TrackFacts, columns: int, rows: int) -> _Line:
    """Draw the line as large as it fits, in its proportions."""
    unscaled = Centreline(facts.outline, facts.spaces, 1.0)
    xs = [point.x for point in unscaled.points]
    ys = [point.y for point in unscaled.points]
    wide, high = max(max(xs) - min(xs), 1.0), max(max(ys) - min(ys), 1.0)
    scale = min((columns - 1) / wide, (2 * rows - 1) / high)
    outline = [(space, (x - min(xs)) * scale, (y - min(ys)) * scale) for space, x, y in facts.outline]
    line = Centreline(outline, facts.spaces, 0.5)
    right, bottom = int(wide * scale), int(high * scale)

    def pixel(x: float, y: float) -> tuple[int, int]:
        return min(max(round(x), 0), right), min(max(round(y), 0), bottom)

    pixels = {pixel(point.x, point.y): (round(point.place) - 1) % facts.spaces + 1 for point in line.points}
    nodes = [line.at(space) for space in range(1, facts.spaces + 1)]
    cells = [pixel(node.x, node.y) for node in nodes]
    return _Line(right + 1, bottom // 2 + 1, pixels, ((0, 0), *((x, y // 2) for x, y in cells)))


def mini_size(columns: int, rows: int) -> Coordinates | None:
    """Give the most cells that a small map may take of a panel, None where it has no room."""
    if columns < _LEAST_PANEL[0] or rows < _LEAST_PANEL[1]:
        return None
    return (
        min(max(int(columns * _SHARE_OF_COLUMNS), _LEAST_CELLS[0]), _MOST_CELLS[0]),
        min(max(int(rows * _SHARE_OF_ROWS), _LEAST_CELLS[1]), _MOST_CELLS[1]),
    )


def mini_map(
    track: Track, size: Coordinates, look: Look, cars: Sequence[CarMark], seen: frozenset[int]
) -> dict[Coordinates, Cell]:
    """Draw a small map.

    Args:
        size: The most columns and rows, its frame included.
        cars: The first ones keep their place where there is none for all.
        seen: The spaces that the large map shows.

    Returns:
        Its cells from (0, 0) on, without gaps.
    """
    cells = dict(_without_cars(track.facts, size, look, seen))
    line, inset = _line_in(track.facts, size, look.mode)
    taken: set[Coordinates] = set()
    for car in cars:
        wanted = line.spaces[track.space(car.progress)]
        for column, row in rings(wanted, _FARTHEST_SHIFT):
            if (column, row) not in taken and 0 <= column < line.columns and 0 <= row < line.rows:
                taken.add((column, row))
                style = car_style(look, car.colour, car.is_own)
                cells[column + inset, row + inset] = Cell(car.letter[:1] or "?", style)
                break
    return cells


def space_in_mini(track: Track, size: Coordinates, mode: Mode, place: Coordinates) -> int:
    """Give the space nearest to a cell of a small map."""
    line, inset = _line_in(track.facts, size, mode)
    column, row = place[0] - inset, place[1] - inset
    return min(
        range(1, track.spaces + 1),
        key=lambda space: abs(line.spaces[space][0] - column) + 2 * abs(line.spaces[space][1] - row),
    )


def _line_in(facts: TrackFacts, size: Coordinates, mode: Mode) -> tuple[_Line, int]:
    """Give the line in what room the frame leaves, and how wide the frame is."""
    inset = 1 if mode in _FRAMES else 0
    return _line(facts, max(2, size[0] - 2 * inset), max(1, size[1] - 2 * inset)), inset


@lru_cache(maxsize=32)
def _without_cars(
    facts: TrackFacts, size: Coordinates, look: Look, seen: frozenset[int]
) -> dict[Coordinates, Cell]:
    """Draw frame and road; not to be changed."""
    line, inset = _line_in(facts, size, look.mode)
    cells: dict[Coordinates, Cell] = {}
    for row in range(line.rows):
        for column in range(line.columns):
            spaces = [line.pixels.get((column, y)) for y in (2 * row, 2 * row + 1)]
            upper, lower = (None if space is None else space in seen for space in spaces)
            cells[column + inset, row + inset] = _road(look, upper, lower)
    if inset:
        _lay_frame(cells, _FRAMES[look.mode], line.columns + 1, line.rows + 1)
    return cells


def _road(look: Look, upper: bool | None, lower: bool | None) -> Cell:
    """Make a cell of two pixels: on the part that is shown, on the rest of the line, or beside it (None)."""
    if look.mode == "ascii":
        here = [seen for seen in (upper, lower) if seen is not None]
        return Cell(("o" if any(here) else ".") if here else " ", BLANK.style)
    if look.mode == "mono":
        if upper is None and lower is None:
            return BLANK
        glyph = "█" if upper is not None and lower is not None else "▀" if lower is None else "▄"
        return Cell(glyph, Style(bold=True) if upper or lower else Style(dim=True))
    over, under = _paint(upper), _paint(lower)
    return Cell(" " if over == under else "▀", paints.style(look.theme, over, under))


def _paint(seen: bool | None) -> Paint:
    if seen is None:
        return "ground"
    return "ink" if seen else "faint"


def _lay_frame(cells: dict[Coordinates, Cell], frame: str, right: int, bottom: int) -> None:
    plain = Style()
    for column in range(1, right):
        cells[column, 0] = cells[column, bottom] = Cell(frame[1], plain)
    for row in range(1, bottom):
        cells[0, row] = cells[right, row] = Cell(frame[3], plain)
    cells[0, 0], cells[right, 0] = Cell(frame[0], plain), Cell(frame[2], plain)
    cells[0, bottom], cells[right, bottom] = Cell(frame[4], plain), Cell(frame[5], plain)


class Window(NamedTuple):
    """The part of a drawing that a panel shows, in cells."""

    left: int
    top: int
    width: int
    height: int

    def has(self, cell: Coordinates) -> bool:
        """Tell whether a cell of the drawing is shown."""
        return 0 <= cell[0] - self.left < self.width and 0 <= cell[1] - self.top < self.height


class MiniMap:
    """A small map in a corner of a panel, while the panel shows a part of its drawing only.

    Attributes:
        cells: By column and row of the panel.
    """

    def __init__(self) -> None:
        """Begin without one."""
        self.cells: dict[Coordinates, Cell] = {}
        self._rows: dict[int, dict[int, Cell]] = {}
        self._corner: Coordinates = (0, 0)
        self._size: Coordinates = (0, 0)

    def lay(
        self,
        drawing: TrackDrawing | None,
        window: Window,
        cars: Sequence[CarMark],
        looked_at: Sequence[Coordinates],
    ) -> set[Coordinates]:
        """Redraw it.

        Args:
            drawing: What the panel shows, None for nothing.
            cars: On the track.
            looked_at: Cells of the drawing that it should not cover.

        Returns:
            The cells of the panel that are no longer as they were.
        """
        before, self.cells = self.cells, {}
        size = mini_size(window.width, window.height)
        if drawing is not None and size is not None and _is_part(drawing, window):
            self._size = size
            self.cells = self._placed(drawing, window, cars, looked_at)
        self._rows = {}
        for (x, y), cell in self.cells.items():
            self._rows.setdefault(y, {})[x] = cell
        places = before.keys() | self.cells.keys()
        return {place for place in places if before.get(place) != self.cells.get(place)}

    def row(self, y: int) -> Mapping[int, Cell]:
        """Give its cells in a row of the panel, by column."""
        return self._rows.get(y, {})

    def space_at(self, drawing: TrackDrawing, place: Coordinates) -> int | None:
        """Give the space nearest to a cell of the panel, None beside the small map."""
        if place not in self.cells:
            return None
        at = place[0] - self._corner[0], place[1] - self._corner[1]
        return space_in_mini(drawing.track, self._size, drawing.mode, at)

    def _placed(
        self,
        drawing: TrackDrawing,
        window: Window,
        cars: Sequence[CarMark],
        looked_at: Sequence[Coordinates],
    ) -> dict[Coordinates, Cell]:
        track = drawing.track
        spaces = range(1, track.spaces + 1)
        seen = frozenset(space for space in spaces if window.has(drawing.cell_of(space, RACE_LINE_SPOT)))
        real = [car for car in cars if not car.is_ghost]
        cells = mini_map(track, self._size, drawing.look, real, seen)
        columns, rows = (1 + max(place[way] for place in cells) for way in (0, 1))
        corners = [(x, y) for y in (0, window.height - rows) for x in (0, window.width - columns)]
        places = [(column - window.left, row - window.top) for column, row in looked_at]

        def covered(corner: Coordinates) -> int:
            x, y = corner
            return sum(x <= place[0] < x + columns and y <= place[1] < y + rows for place in places)

        # It stays where it is as long as nothing that is looked at comes to lie under it.
        self._corner = min(corners, key=lambda corner: (covered(corner), corner != self._corner))
        left, top = self._corner
        return {(left + x, top + y): cell for (x, y), cell in cells.items()}


def _is_part(drawing: TrackDrawing, window: Window) -> bool:
    return drawing.columns > window.width or drawing.rows > window.height
