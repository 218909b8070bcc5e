"""What a road is painted with, space by space, where it is unrolled: the same as on the map."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from heat_core.track import Track, TrackFacts, compile_track
from heat_tui.map import raster as painted
from heat_tui.map.palette import kind_paint
from heat_tui.theme.paints import Paint

KERBS: Final[tuple[Paint, ...]] = ("kerb-red", "kerb-white")


class RoadSurface:
    """The paints of a circuit's road."""

    def __init__(self, track: Track) -> None:
        """Look at a circuit."""
        self._track = track
        self._tones = painted.sector_tones(track)
        self._corner_lines = frozenset(corner.after_space for corner in track.corners)

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


@lru_cache(maxsize=8)
def surface_of(facts: TrackFacts) -> RoadSurface:
    """Give the paints of a circuit's road, once for each circuit."""
    return RoadSurface(compile_track(facts))
