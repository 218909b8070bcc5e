"""A circuit behind other things: its road alone, in paints so quiet that whatever is in front stands out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from heat_core.track_facts import TrackFacts
from heat_tui.map import raster as painted
from heat_tui.map.layout import lay_out
from heat_tui.map.raster import is_surface, kind_and_owner
from heat_tui.map.road_picture import RoadPicture, road_picture
from heat_tui.picture import CellSamples
from heat_tui.theme.paints import Paint

_PAINTS: Final[Mapping[int, Paint]] = {
    painted.EDGE: "far-edge",
    painted.PARAPET: "far-edge",
    painted.KERB_RED: "far-kerb",
    painted.KERB_WHITE: "far-edge",
    painted.CORNER_LINE: "far-kerb",
    painted.CHEQUER_WHITE: "far-edge",
    painted.CHEQUER_BLACK: "far-road",
    painted.LEGENDS_LINE: "far-road",
    painted.GRID_MARK: "far-edge",
    painted.TICK: "far-road",
}
"""By kind of sample; what is not here is land."""


class FarCircuit:
    """A whole circuit, as large as it fits into so many cells."""

    def __init__(self, facts: TrackFacts, columns: int, rows: int) -> None:
        """Begin; `parts` draws it."""
        self._picture: RoadPicture = road_picture(facts, lay_out(facts, columns, rows, "whole"))

    def parts(self) -> Iterator[None]:
        """Draw it, a few milliseconds at each step."""
        return self._picture.parts()

    def samples(self, column: int, row: int) -> CellSamples[Paint]:
        """Give which samples of a cell have which paint."""
        found: CellSamples[Paint] = {}
        for number, bits in self._picture.samples(column, row).items():
            kind, _ = kind_and_owner(number)
            paint = "far-road" if is_surface(kind) else _PAINTS.get(kind, "far-land")
            found[paint] = found.get(paint, 0) | bits
        return found
