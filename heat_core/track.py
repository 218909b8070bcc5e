"""Circuits: the facts of a track file compiled for fast lookup.

A car's place on the circuit is one number, its *progress*: lap x spaces + space (docs/rules.md: The track).
Spaces count from 1, lap 0 is the grid. A line (corner, Legends, start/finish) lies behind a space, so it is
named by the progress of that space: a move from `start` to `end` crosses it when start <= line < end.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeVar, final

from heat_core.track_facts import Range, Side, TrackFacts

RACE_LINE_SPOT: Final = 0
OTHER_SPOT: Final = 1

Mark = TypeVar("Mark", int, bool)


@final
class Track:
    """A circuit compiled for the rules: every question is one look-up.

    Attributes:
        facts: What the track file says.
        spaces: How many spaces a lap has.
        spots: By space (from 1): how many spots, 1 or 2.
        race_side: By space: the side of the race-line spot, in driving direction.
        is_flooded: By space: whether shifting down there costs more.
        is_tunnel: By space: whether hand cards and Stress cannot be put away there.
    """

    def __init__(self, facts: TrackFacts) -> None:
        """Compile facts that have no `track_problems`."""
        self.facts = facts
        self.spaces = spaces = facts.spaces
        self.corners = facts.corners
        self.spots = self._marked(facts.narrow, spaces, inside=1, outside=2)
        self.is_flooded = self._marked(facts.flooded, spaces, inside=True, outside=False)
        self.is_tunnel = self._marked(facts.tunnel, spaces, inside=True, outside=False)
        lines = [corner.after_space for corner in facts.corners]
        # Number (from 0) of the first corner line at or ahead of a space; len(corners) is the next lap's.
        self._next_corner = tuple(sum(1 for line in lines if line < space) for space in range(spaces + 1))
        ahead = (*lines, spaces + lines[0])
        self._to_line = tuple(ahead[self._next_corner[space]] - space for space in range(spaces + 1))
        self.race_side: tuple[Side, ...] = tuple(
            facts.corners[self._next_corner[space] - 1].race_line_from_here for space in range(spaces + 1)
        )

    @staticmethod
    def _marked(ranges: tuple[Range, ...], spaces: int, *, inside: Mark, outside: Mark) -> tuple[Mark, ...]:
        marks = [outside] * (spaces + 1)
        for first, last in ranges:
            marks[first : last + 1] = [inside] * (last + 1 - first)
        return tuple(marks)

    def space(self, progress: int) -> int:
        """Give the space in [1, spaces] that a progress stands for."""
        return (progress - 1) % self.spaces + 1

    def lap(self, progress: int) -> int:
        """Give the lap that a progress lies in; 0 is the grid."""
        return (progress - 1) // self.spaces

    def progress(self, lap: int, space: int) -> int:
        """Make one number of lap and space."""
        return lap * self.spaces + space

    def finish_line(self, laps: int) -> int:
        """Give the progress behind which a race of so many laps is finished."""
        return (laps + 1) * self.spaces

    def spot_on(self, space: int, side: Side) -> int:
        """Give the spot of a space that lies on a side."""
        return RACE_LINE_SPOT if self.spots[space] == 1 or side == self.race_side[space] else OTHER_SPOT

    def side_of(self, space: int, spot: int) -> Side:
        """Give the side of a space on which a spot lies."""
        race_side = self.race_side[space]
        if spot == RACE_LINE_SPOT:
            return race_side
        return "left" if race_side == "right" else "right"

    def corner_at(self, line: int) -> int:
        """Give the number (from 0) of the corner whose line has this progress."""
        return self._next_corner[self.space(line)]

    def next_line(self, progress: int) -> int:
        """Give the progress of the first corner line at or ahead of a progress."""
        return progress + self._to_line[(progress - 1) % self.spaces + 1]

    def line_behind(self, progress: int) -> int:
        """Give the progress of the last corner line behind a progress, that of the lap before if need be."""
        space = (progress - 1) % self.spaces + 1
        number = self._next_corner[space] - 1
        lap_start = progress - space if number >= 0 else progress - space - self.spaces
        return lap_start + self.corners[number].after_space

    def lines_crossed(self, start: int, end: int, finish_line: int) -> tuple[int, ...]:
        """List the corner lines between two progresses, in driving order, across laps too.

        Args:
            start: Where the move began.
            end: Where it ended; nothing is crossed unless it is greater.
            finish_line: Corner lines behind this line do not count (docs/rules.md: The track).
        """
        line = start + self._to_line[(start - 1) % self.spaces + 1]
        if line >= end:
            return ()
        crossed = []
        while line < end and line <= finish_line:
            crossed.append(line)
            line = self.next_line(line + 1)
        return tuple(crossed)


@cache
def compile_track(facts: TrackFacts) -> Track:
    """Compile facts, once for each set of facts in a process."""
    return Track(facts)
