"""What the strip of the road ahead shows, space by space: numbers, lanes with cars, and the lines between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.track import Track
from heat_tui.map.marks import BARE_ROAD, CarMark, RoadMarks, RoadState
from heat_tui.map.palette import ROAD_GLYPHS
from heat_tui.theme.colours import CAR_STYLES, ON_AMBER, ON_CYAN, ON_GREEN, ON_RED, PLATE
from heat_tui.theme.glyphs import ASCII, Glyphs
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.road_pieces import RoadPiece
from heat_tui.widgets.road_surface import EDGES, KERBS, place_of, surface_of
from heat_tui.words.road_text import CornerMark

_paint = partial(style, "night")
_FILLS: Final[dict[RoadState, Style]] = {
    "free": ON_GREEN,
    "heat": ON_AMBER,
    "spin_out": ON_RED,
    "target": ON_GREEN,
    "slipstream": ON_CYAN,
}
_SECTOR: Final = _paint("cyan", italic=True)
_NUMBER: Final = _paint("soft")
_FLAG: Final = _paint("chequer-white", "chequer-black", bold=True)
LANES: Final = 2
_CAR_CELLS: Final = 3
_SPOT: Final = re.compile(r"[·.]")
_GLOW: Final = "░"


class RoadView(NamedTuple):
    """What the strip shows.

    Attributes:
        cars: On the track; shown by place on the board, whatever the lap.
        start: Progress of the first space.
        finish_line: Progress of the last space of the race.
        corners: By number from 0.
        marks: What the road is painted with.
        has_true_colours: Whether the terminal shows the paints as they are.
    """

    track: Track
    cars: Sequence[CarMark]
    start: int
    finish_line: int
    corners: Sequence[CornerMark]
    marks: RoadMarks = BARE_ROAD
    has_true_colours: bool = False


class RoadStrip:
    """Draws space by space what a view shows, and keeps the spaces that it has drawn.

    While cars drive, a space changes where one comes or goes, and no other does.
    """

    def __init__(
        self, view: RoadView, cells: int, glyphs: Glyphs, *, is_roomy: bool, has_edges: bool
    ) -> None:
        """Begin with nothing.

        Args:
            cells: Of a space.
            glyphs: The signs that the terminal can show.
            is_roomy: Whether there are lines for the numbers and two lanes.
            has_edges: Whether the road has edges and kerbs, which need colours.
        """
        self._view = view
        self._is_roomy = is_roomy
        self._track = track = view.track
        self._cells = cells
        self._glyphs = glyphs
        self._has_edges = has_edges
        self._surface = surface_of(track.facts)
        self._cars: dict[int, list[CarMark]] = {}
        self._pieces: dict[tuple[object, ...], RoadPiece] = {}
        self._legends_lines = {corner.legends_line_after_space for corner in track.corners}
        self._corners = {corner.after_space: number for number, corner in enumerate(track.corners)}
        self._target = next(iter(view.marks.spaces.items())) if len(view.marks.spaces) == 1 else None
        self._own: int | None = None
        self.place(view.cars)

    def place(self, cars: Sequence[CarMark]) -> None:
        """Put the cars elsewhere; on a painted road, the own one stays where it is."""
        space_of = self._track.space
        self._cars = {}
        for car in sorted(cars, key=lambda car: car.spot):
            self._cars.setdefault(space_of(car.progress), []).append(car)
        self._own = next((space_of(car.progress) for car in cars if car.is_own), None)

    def pieces(self, width: int) -> list[RoadPiece]:
        """Give what fills so many cells; a space that shows what it did before is the same object."""
        pieces: list[RoadPiece] = []
        progress = self._view.start
        while width > 0:
            pieces.append(piece := self._piece(progress))
            width -= piece.widths[0]
            progress += 1
        return pieces

    def _piece(self, progress: int) -> RoadPiece:
        cars = self._cars.get(self._track.space(progress), ())
        key = progress, *[(car.letter, car.colour, car.spot, car.is_own) for car in cars]
        piece = self._pieces.get(key)
        if piece is None:
            piece = self._pieces[key] = RoadPiece(self._drawn(progress))
        return piece

    def _drawn(self, progress: int) -> list[Text]:
        rows = [Text() for _ in range(1 + LANES if self._is_roomy else 1)]
        if self._is_roomy:
            self._add_number(rows[0], progress)
            self._add_lanes(rows[1:], progress)
        else:
            self._add_space(rows[0], progress)
        self._add_lines(rows, progress)
        return rows

    def _sign(self, state: RoadState) -> str:
        return ROAD_GLYPHS[state][self._glyphs is ASCII]

    def _mark(self, space: int, cells: int) -> str:
        """Write what stopping on a space means, and its number where both fit."""
        sign = self._sign(self._view.marks.spaces[space])
        return f"{sign}{space}".ljust(cells) if space < 10 ** (cells - 1) else sign.center(cells)

    def _ground(self, space: int) -> Style:
        return _paint(None, self._surface.asphalt(space))

    def _add_space(self, row: Text, progress: int) -> None:
        """Add a space to a strip of one line."""
        space = self._track.space(progress)
        state = self._view.marks.spaces.get(space)
        cars = self._cars.get(space, [])
        for car in cars:
            row.append(car.letter, _car_style(car))
        left = self._cells - len(cars)
        if state is not None:
            row.append(self._mark(space, left)[:left], _FILLS[state])
            return
        words = "" if cars else str(space) if space % 5 == 0 else self._glyphs.dot
        row.append(words, _paint("road-ink") + self._ground(space))
        for cell in range(len(cars) + len(words), self._cells):
            edge = self._edge(space, cell)
            is_kerb = self._has_edges and edge in KERBS
            row.append(EDGES[1] if is_kerb else " ", self._ground(space) + _paint(edge if is_kerb else None))

    def _add_number(self, row: Text, progress: int) -> None:
        """Add to the line above the lanes what stopping on a space means, or now and then its number."""
        space = self._track.space(progress)
        state = self._view.marks.spaces.get(space)
        if state is not None:
            row.append(self._mark(space, self._cells), _FILLS[state])
        else:
            is_told = progress == self._view.start or space % 5 == 0
            row.append((str(space) if is_told else "").ljust(self._cells), _NUMBER)

    def _add_lanes(self, lanes: Sequence[Text], progress: int) -> None:
        """Add a space to the lanes, with the spots that it has and the cars on them."""
        track, space = self._track, self._track.space(progress)
        dot = self._glyphs.dot.center(self._cells)
        sides = {track.side_of(space, car.spot): car for car in self._cars.get(space, ())}
        for number, (lane, side) in enumerate(zip(lanes, ("left", "right"), strict=True)):
            car = sides.get(side)  # type: ignore[call-overload]  # a literal
            if car is not None:
                lane.append(car.letter.center(_CAR_CELLS), _car_style(car))
                self._add_road(lane, number, space, " " * (self._cells - _CAR_CELLS), _CAR_CELLS)
            elif track.spots[space] == 1 and side != track.race_side[space]:
                lane.append(" " * self._cells)
            else:
                self._add_road(lane, number, space, dot)

    def _add_road(self, lane: Text, number: int, space: int, words: str, first: int = 0) -> None:
        """Add cells of a space to a lane: where there are no words, the edge of the road.

        Args:
            number: Of the lane, from 0.
            first: Cell of the space.
        """
        is_target = self._target is not None and space == self._target[0]
        if is_target or not self._has_edges:
            lane.append(words, self._ink(space))
            return
        bare = self._surface.lane(number, space, words, first, self._cells)
        lane.append_text(self._glowing(bare, space, first))

    def _ink(self, space: int) -> Style:
        """Give the style of the spots of a space: on the way to the target, its colour."""
        ground = self._ground(space)
        if self._target is not None:
            target, state = self._target
            if space == target:
                return _FILLS[state] + _paint("spot")
            if self._is_on_the_way(space):
                return Style(color=_FILLS[state].bgcolor, bold=True) + ground
        return _paint("spot") + ground

    def _is_on_the_way(self, space: int) -> bool:
        """Tell whether a space is between the own car and the target."""
        if self._own is None or self._target is None:
            return False
        spaces = self._track.spaces
        return 0 < (space - self._own) % spaces < (self._target[0] - self._own) % spaces

    def _glowing(self, bare: Text, space: int, first: int) -> Text:
        """Light up the spots on the way to the target, and the cells right before and behind it."""
        if self._target is None:
            return bare
        target, state = self._target
        glow = Style(color=_FILLS[state].bgcolor, bold=True)
        lit = bare.copy()
        if self._is_on_the_way(space):
            lit.highlight_regex(_SPOT, glow)
        before = (target - space) % self._track.spaces == 1
        behind = (space - target) % self._track.spaces == 1
        at = self._cells - 1 - first if before else -first
        if (before or behind) and 0 <= at < len(lit) and lit.plain[at] in EDGES:
            lit = lit[:at] + Text(_GLOW, glow + self._ground(space)) + lit[at + 1 :]
        return lit

    def _edge(self, space: int, cell: int) -> Paint:
        return self._surface.edge(place_of(space, cell, self._cells), self._cells)

    def _add_lines(self, rows: Sequence[Text], progress: int) -> None:
        """Add the lines behind a space: of a corner, of the Legends, the finish."""
        space = self._track.space(progress)
        ground = self._ground(space)
        if space in self._corners:
            self._add_corner(rows, self._corners[space], space)
        elif space in self._legends_lines:
            self._add(rows, f"{self._glyphs.legends_line} ", _paint("legends-line") + ground)
        if space == self._track.spaces:
            self._add(rows, self._glyphs.finish * (3 if progress >= self._view.finish_line else 1), _FLAG)

    def _add_corner(self, rows: Sequence[Text], number: int, space: int) -> None:
        """Add a corner line with its plate, what crossing it costs, and what the sector behind it does."""
        corner, mark = self._view.corners[number], self._view.marks.corners.get(number)
        line = self._glyphs.corner
        text = f"{line}{corner.limit}{'!' if corner.is_overheating else ''}{line}"
        bill = ""
        if mark is not None:
            bill = self._sign(mark.state) + (str(mark.heat) if mark.heat else "")
        sector = f" {corner.sector} " if corner.sector else ""
        rows[0].append(text, PLATE if mark is None else _FILLS[mark.state])
        rows[0].append(bill, Style() if mark is None else _FILLS[mark.state])
        rows[0].append(sector, _SECTOR)
        width = len(text + bill + sector)
        ground = self._ground(space)
        for at, lane in enumerate(rows[1:]):
            self._add_road(lane, at, space, " ", self._cells)
            lane.append(line, _paint("corner-line", bold=True) + ground)
            self._add_road(lane, at, space, " " * (width - 2), self._cells)

    @staticmethod
    def _add(rows: Sequence[Text], words: str, drawn: Style) -> None:
        """Add something between two spaces: in one line itself, else on the lanes."""
        for row in rows if len(rows) == 1 else rows[1:]:
            row.append(words, drawn)
        if len(rows) > 1:
            rows[0].append(" " * len(words))


def _car_style(car: CarMark) -> Style:
    drawn = CAR_STYLES[car.colour]  # type: ignore[index]  # because a CarMark names colours as text
    return drawn + Style(underline=True) if car.is_own else drawn
