"""The road ahead: the next spaces unrolled into a strip, painted with what a choice leads to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from rich.style import Style
from rich.text import Text

from heat_core.track import Track
from heat_tui.map.marks import BARE_ROAD, CarMark, RoadMarks, RoadState
from heat_tui.map.road import ROAD_GLYPHS
from heat_tui.theme.colours import CAR_STYLES, ON_AMBER, ON_CYAN, ON_GREEN, ON_RED, PLATE
from heat_tui.theme.glyphs import ASCII
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.panel import TextPanel
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
_LANES: Final = 2
_CELLS: Final = 3
_ROOMY_CELLS: Final = 4
_WIDE_CELLS: Final = 5
_WIDE_FROM: Final = 160
_SECTORS: Final = 3
"""Paints of asphalt, taken in turn from corner to corner."""


class RoadView(NamedTuple):
    """What the strip shows.

    Attributes:
        cars: On the track; shown by place on the board, whatever the lap.
        start: Progress of the first space.
        finish_line: Progress of the last space of the race.
        corners: By number from 0.
        marks: What the road is painted with.
    """

    track: Track
    cars: Sequence[CarMark]
    start: int
    finish_line: int
    corners: Sequence[CornerMark]
    marks: RoadMarks = BARE_ROAD


class RoadAhead(TextPanel):
    """Spaces from the car on, with cars, corner lines and limits, Legends lines and the finish line.

    In one line a space has three cells, its number or its cars; where there are more lines the numbers stand
    above two lanes, the left one on top.
    """

    def show_road(self, view: RoadView) -> None:
        """Draw the road."""
        self.show_fitting(partial(self._draw_road, view))

    def _draw_road(self, view: RoadView) -> None:
        is_roomy = self.size.height > _LANES
        cells = _CELLS if not is_roomy else _ROOMY_CELLS if self.size.width < _WIDE_FROM else _WIDE_CELLS
        rows = [Text() for _ in range(1 + _LANES if is_roomy else 1)]
        places: dict[int, list[CarMark]] = {}
        for car in view.cars:
            places.setdefault(view.track.space(car.progress), []).append(car)
        legends_lines = {corner.legends_line_after_space for corner in view.track.corners}
        corners = {corner.after_space: number for number, corner in enumerate(view.track.corners)}
        progress = view.start
        while rows[0].cell_len < max(self.size.width, 20):
            space = view.track.space(progress)
            cars = sorted(places.get(space, []), key=lambda car: car.spot)
            if is_roomy:
                self._add_number(rows[0], view, space, cells, is_first=progress == view.start)
                self._add_lanes(rows[1:], view, space, cars, cells)
            else:
                self._add_space(rows[0], view, space, cars)
            ground = Style(bgcolor=_asphalt(view.track, space).bgcolor)
            if space in corners:
                self._add_corner(rows, view, corners[space], ground)
            elif space in legends_lines:
                self._add(rows, f"{self.glyphs.legends_line} ", _paint("legends-line") + ground)
            if space == view.track.spaces:
                self._add(rows, self.glyphs.finish * (3 if progress >= view.finish_line else 1), _FLAG)
            progress += 1
        self.show_lines(rows)

    def _sign(self, state: RoadState) -> str:
        return ROAD_GLYPHS[state][self.glyphs is ASCII]

    def _mark(self, view: RoadView, space: int, cells: int) -> str:
        """Write what stopping on a space means, and its number where both fit."""
        state = view.marks.spaces[space]
        sign = self._sign(state)
        return f"{sign}{space}".ljust(cells) if space < 10 ** (cells - 1) else sign.center(cells)

    def _add_space(self, row: Text, view: RoadView, space: int, cars: Sequence[CarMark]) -> None:
        """Add a space to a strip of one line."""
        state = view.marks.spaces.get(space)
        ground = _asphalt(view.track, space)
        for car in cars:
            row.append(car.letter, _car_style(car))
        left = _CELLS - len(cars)
        if state is not None:
            row.append(self._mark(view, space, left)[:left], _FILLS[state])
        elif cars:
            row.append(" " * left, ground)
        else:
            row.append((str(space) if space % 5 == 0 else self.glyphs.dot).ljust(left), _NUMBER + ground)

    def _add_number(self, row: Text, view: RoadView, space: int, cells: int, *, is_first: bool) -> None:
        """Add to the line above the lanes what stopping on a space means, or now and then its number."""
        state = view.marks.spaces.get(space)
        if state is not None:
            row.append(self._mark(view, space, cells), _FILLS[state])
        else:
            row.append((str(space) if is_first or space % 5 == 0 else "").ljust(cells), _NUMBER)

    def _add_lanes(
        self, lanes: Sequence[Text], view: RoadView, space: int, cars: Sequence[CarMark], cells: int
    ) -> None:
        state = view.marks.spaces.get(space)
        ground = _asphalt(view.track, space)
        blank = _FILLS[state] if state is not None and len(view.marks.spaces) == 1 else ground
        sides = {view.track.side_of(space, car.spot): car for car in cars}
        for lane, side in zip(lanes, ("left", "right"), strict=True):
            car = sides.get(side)  # type: ignore[call-overload]  # a literal
            if car is not None:
                lane.append(car.letter.center(_CELLS), _car_style(car))
                lane.append(" " * (cells - _CELLS), blank)
            elif view.track.spots[space] == 1 and side != view.track.race_side[space]:
                lane.append(" " * cells)
            else:
                lane.append(self.glyphs.dot.center(cells), _paint("spot") + blank)

    def _add_corner(self, rows: Sequence[Text], view: RoadView, number: int, ground: Style) -> None:
        """Add a corner line with its plate, what crossing it costs, and what the sector behind it does."""
        corner, mark = view.corners[number], view.marks.corners.get(number)
        line = self.glyphs.corner
        text = f"{line}{corner.limit}{'!' if corner.is_overheating else ''}{line}"
        bill = ""
        if mark is not None:
            bill = self._sign(mark.state) + (str(mark.heat) if mark.heat else "")
        sector = f" {corner.sector} " if corner.sector else ""
        rows[0].append(text, PLATE if mark is None else _FILLS[mark.state])
        rows[0].append(bill, Style() if mark is None else _FILLS[mark.state])
        rows[0].append(sector, _SECTOR)
        width = len(text + bill + sector)
        for lane in rows[1:]:
            lane.append(f" {line}".ljust(width), _paint("corner-line", bold=True) + ground)

    def _add(self, rows: Sequence[Text], words: str, drawn: Style) -> None:
        """Add something between two spaces: in one line itself, else on the lanes."""
        for row in rows if len(rows) == 1 else rows[1:]:
            row.append(words, drawn)
        if len(rows) > 1:
            rows[0].append(" " * len(words))


def _car_style(car: CarMark) -> Style:
    drawn = CAR_STYLES[car.colour]  # type: ignore[index]  # because a CarMark names colours as text
    return drawn + Style(underline=True) if car.is_own else drawn


def _asphalt(track: Track, space: int) -> Style:
    """Give the paint of a space: by sector, and by whether its number is even."""
    parity = "odd" if space % 2 else "even"
    kind = f"asphalt-{track.corner_at(space) % _SECTORS + 1}"
    if track.is_flooded[space]:
        kind = "flooded"
    elif track.is_tunnel[space]:
        kind = "tunnel"
    return _paint("road-ink", cast("Paint", f"{kind}-{parity}"))
