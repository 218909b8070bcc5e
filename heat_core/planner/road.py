"""The road of a race: lines, limits and sectors, by progress, laid out for many look-ups."""

from __future__ import annotations

from typing import Final, NamedTuple

from heat_core.data.weather import SectorEffect
from heat_core.planner.table_key import TableKey
from heat_core.rules.corners import OVERHEAT, limit_at
from heat_core.rules.effects import slipstream_changes
from heat_core.rules.movement import SLIPSTREAM_SPACES
from heat_core.rules.sectors import corner_token, sector_effect
from heat_core.track import compile_track


class Line(NamedTuple):
    """A corner line.

    Attributes:
        progress: Of the space before it.
        limit: With its road token.
        surcharge: Heat that is owed besides where any is.
    """

    progress: int
    limit: int
    surcharge: int


_FARTHEST: Final = 60
"""Further than any turn goes."""


class Road:
    """What lies ahead of each place.

    Attributes:
        first: Progress of the last grid place.
        finish_line: The progress behind which a car has finished.
        forbids_cooling: Whether there is a sector where nothing cools.
    """

    def __init__(self, key: TableKey) -> None:
        """Lay out a race's road."""
        self._key = key
        self._track = track = compile_track(key.track)
        self.finish_line = track.finish_line(key.laps)
        self.first = min(space for space, _ in key.track.grid)
        places = range(self.first, self.finish_line + _FARTHEST)
        self._lines: dict[int, tuple[Line, ...]] = {}
        lines: list[Line] = []
        line = track.next_line(self.first)
        while line <= self.finish_line:
            corner = track.corner_at(line)
            token = corner_token(track, key.roads, corner)
            lines.append(
                Line(line, limit_at(track, key.roads, corner), OVERHEAT if token == "overheat" else 0)
            )
            line = track.next_line(line + 1)
        for progress in places:
            self._lines[progress] = tuple(
                [line for line in lines if progress <= line.progress < progress + _FARTHEST]
            )
        self._effects: dict[int, SectorEffect | None] = {
            progress: sector_effect(track, key.roads, key.weather, key.weather_sectors, progress)
            for progress in places
        }
        self.forbids_cooling = "no_cooldown" in self._effects.values()
        self._has_free_boosts = "free-boost" in self._effects.values()
        self._slipstreams = {progress: self._slipstreams_from(progress) for progress in places}

    def _slipstreams_from(self, progress: int) -> tuple[int, ...]:
        effect = self._effects[progress]
        if progress > self.finish_line or effect == "no_slipstream":
            return ()
        spaces = [SLIPSTREAM_SPACES + further for further in slipstream_changes([], effect)]
        if not self._key.slipstream_over_finish:
            spaces = [each for each in spaces if progress + each <= self.finish_line]
        return tuple(spaces)

    def lines_crossed(self, start: int, end: int) -> list[Line]:
        """List the corner lines that a move crosses, in driving order."""
        crossed = []
        for line in self._lines[start]:
            if line.progress >= end:
                break
            crossed.append(line)
        return crossed

    def slipstreams(self, progress: int) -> tuple[int, ...]:
        """List how far slipstreams from a place may go, where there is a car to follow."""
        return self._slipstreams[progress]

    def is_flooded(self, progress: int) -> bool:
        """Tell whether a shift down costs more there."""
        return self._track.is_flooded[self._track.space(progress)]

    def cooling_change(self, progress: int, cooled: int) -> int:
        """Say by how much the sector of a place changes what a turn cools that ends there.

        Args:
            cooled: What it cools elsewhere.
        """
        match self._effects[progress]:
            case "cooldown+1":
                return 1
            case "no_cooldown":
                return -cooled
            case _:
                return 0

    def free_boosts(self, progress: int, most: int) -> list[int]:
        """List the speeds up to `most` that lead to where a boost costs nothing."""
        if not self._has_free_boosts:
            return []
        return [speed for speed in range(most + 1) if self._effects[progress + speed] == "free-boost"]
