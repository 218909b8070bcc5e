"""What a road is painted with, space by space, where it is unrolled: the same as on the map."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import groupby
from typing import Final

from rich.text import Text

from heat_core.track import Track, compile_track
from heat_core.track_facts import TrackFacts
from heat_tui.map import raster as painted
from heat_tui.map.palette import kind_paint
from heat_tui.theme.paints import Paint, style

EDGES: Final = ("▔", "▁")
"""Of the left lane, which is on top, and of the right one."""
_paint = partial(style, "night")
KERBS: Final[tuple[Paint, ...]] = ("kerb-red", "kerb-white")


class RoadSurface:
    """The paints of a circuit's road."""

    def __init__(self, track: Track) -> None:
        """Look at a circuit."""
        self._track = track
        self._tones = painted.sector_tones(track)
        self._corner_lines = frozenset(corner.after_space for corner in track.corners)
        self._lanes: dict[tuple[int, int, str, int, int], Text] = {}

    def asphalt(self, space: int) -> Paint:
        """Give the paint of a space, from 1."""
        ground = painted.ground_of(self._track, space)
        return kind_paint(painted.surface_kind(ground, self._tones[space], space % 2))

    def edge(self, place: float, stripes: int) -> Paint:
        """Give the paint of the road's edge, which is a kerb near corners.

        Args:
            place: On the lap; a space is half a space to either side of its number.
            stripes: Of a kerb in each space.
        """
        return kind_paint(painted.edge_kind(self._corner_lines, self._track.spaces, place, stripes))

    def lane(self, number: int, space: int, words: str, first: int, cells: int) -> Text:
        """Draw cells of a bare lane; where there are no words, the edge of the road.

        Args:
            number: Of the lane: 0 is the left one, on top.
            space: From 1.
            words: Of as many cells as are drawn.
            first: Cell of the space that they begin at.
            cells: Of a whole space.
        """
        asked = number, space, words, first, cells
        if (lane := self._lanes.get(asked)) is None:
            ground = self.asphalt(space)
            paints: list[Paint] = [
                self.edge(place_of(space, cell, cells), cells) if sign == " " else "spot"
                for cell, sign in enumerate(words, first)
            ]
            lane = self._lanes[asked] = Text()
            signs = words.replace(" ", EDGES[number])
            for paint, run in groupby(range(len(words)), key=paints.__getitem__):
                lane.append("".join(signs[at] for at in run), _paint(paint, ground))
        return lane


def place_of(space: int, cell: int, cells: int) -> float:
    """Give the place on the lap of a cell of a space that has so many of them."""
    return space - 0.5 + (cell + 0.5) / cells


@lru_cache(maxsize=8)
def surface_of(facts: TrackFacts) -> RoadSurface:
    """Give the paints of a circuit's road, once for each circuit."""
    return RoadSurface(compile_track(facts))
