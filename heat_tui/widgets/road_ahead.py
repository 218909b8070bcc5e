"""The road ahead: the next spaces unrolled into a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rich.style import Style
from rich.text import Text

from heat_core.track import Track
from heat_tui.map.marks import CarMark
from heat_tui.theme.colours import BLUE, CAR_STYLES, CYAN
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.road_text import CornerMark

_CELLS = 3
_LIMIT = Style(color="white", bgcolor="#c8332b", bold=True)

_SECTOR = Style(color=CYAN, italic=True)


class RoadAhead(TextPanel):
    """Spaces from the car on, with cars, corner lines and limits, Legends lines and the finish line."""

    def show_road(
        self,
        track: Track,
        cars: Sequence[CarMark],
        start: int,
        finish_line: int,
        highlights: Mapping[int, str],
        marks: Sequence[CornerMark],
    ) -> None:
        """Draw the road.

        Args:
            cars: On the track; shown by place on the board, whatever the lap.
            start: Progress of the first space.
            finish_line: Progress of the last space of the race.
            highlights: Space -> style of a marked space, such as where a choice ends.
            marks: Of each corner, by number from 0.
        """
        self.show_fitting(
            partial(self._draw_road, track, [*cars], start, finish_line, dict(highlights), marks)
        )

    def _draw_road(
        self,
        track: Track,
        cars: Sequence[CarMark],
        start: int,
        finish_line: int,
        highlights: Mapping[int, str],
        marks: Sequence[CornerMark],
    ) -> None:
        by_space: dict[int, list[CarMark]] = {}
        for car in cars:
            by_space.setdefault(track.space(car.progress), []).append(car)
        legends_lines = {corner.legends_line_after_space for corner in track.corners}
        corners = {corner.after_space: mark for corner, mark in zip(track.corners, marks, strict=True)}
        is_numbered = self.size.height == 1
        numbers, road = Text(), Text()
        progress = start
        while len(road.plain) < max(self.size.width, 20):
            space = track.space(progress)
            style = Style.parse(highlights[space]) if space in highlights else Style()
            numbers.append(f"{space:<{_CELLS}}" if space % 5 == 0 or progress == start else " " * _CELLS)
            here = sorted(by_space.get(space, []), key=lambda car: car.spot)
            for car in here:
                road.append(car.letter, CAR_STYLES[car.colour] + style)  # type: ignore[index]  # because a CarMark names colours as text
            blank = self._blank(space, is_numbered) if not here else ""
            road.append(blank, style or Style(dim=True))
            road.append(" " * (_CELLS - max(len(blank), len(here))), style)
            if space in corners:
                mark = corners[space]
                heat = "!" if mark.is_overheating else ""
                text = f"{self.glyphs.corner}{mark.limit}{heat}{self.glyphs.corner}"
                road.append(text, _LIMIT)
                sector = f"{mark.sector} " if mark.sector else ""
                road.append(" ")
                road.append(sector, _SECTOR)
                numbers.append(" " * (len(text) + 1 + len(sector)))
            elif space in legends_lines:
                road.append(self.glyphs.legends_line + " ", Style(color=BLUE))
                numbers.append("  ")
            if space == track.spaces:
                flag = self.glyphs.finish * (3 if progress >= finish_line else 1)
                road.append(flag + " ", Style(bold=True))
                numbers.append(" " * (len(flag) + 1))
            progress += 1
        numbers.stylize(Style(dim=True))
        self.show_lines([numbers, road] if self.size.height > 1 else [road])

    def _blank(self, space: int, is_numbered: bool) -> str:
        """Give what stands for a space without cars; in one line each fifth says its number."""
        return str(space) if is_numbered and space % 5 == 0 else self.glyphs.dot
