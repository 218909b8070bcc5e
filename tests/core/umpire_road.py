"""The umpire's own road: everything found by walking space by space over the facts of a track file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heat_core.track_facts import Corner, Side, TrackFacts


class Road:
    """A circuit of so many laps; places are lap x spaces + space."""

    def __init__(self, facts: TrackFacts, laps: int) -> None:
        self.facts = facts
        self.corners = {corner.after_space: corner for corner in facts.corners}
        self.finish = sum(1 for _ in range(laps + 1) for _ in range(facts.spaces))

    def space(self, place: int) -> int:
        while place > self.facts.spaces:
            place -= self.facts.spaces
        while place < 1:
            place += self.facts.spaces
        return place

    def is_within(self, ranges: Sequence[tuple[int, int]], place: int) -> bool:
        return any(first <= self.space(place) <= last for first, last in ranges)

    def spots(self, place: int) -> tuple[int, ...]:
        return (0,) if self.is_within(self.facts.narrow, place) else (0, 1)

    def free_spot(self, taken: Collection[tuple[int, int]], place: int) -> int | None:
        free = [spot for spot in self.spots(place) if (self.space(place), spot) not in taken]
        return free[0] if free else None

    def spot(self, space: int, side: Side) -> int:
        """Give the spot on a side: the race line's side is what the last corner line passed says."""
        place = space + self.facts.spaces - 1
        while self.space(place) not in self.corners:
            place -= 1
        is_race_line = self.corners[self.space(place)].race_line_from_here == side
        return 0 if is_race_line or len(self.spots(space)) == 1 else 1

    def lines(self, start: int, end: int) -> list[int]:
        """List the corner lines of a move: each stands behind a place from start on, before end."""
        return [
            place for place in range(start, end) if self.space(place) in self.corners and place <= self.finish
        ]

    def next_corner(self, place: int) -> tuple[int, Corner]:
        while self.space(place) not in self.corners:
            place += 1
        return place, self.corners[self.space(place)]

    def sector(self, place: int) -> int:
        """Give the place of the last corner line behind a place: its sector begins there."""
        place -= 1
        while self.space(place) not in self.corners:
            place -= 1
        return place

    def number(self, line: int) -> int:
        """Give the number, from 0, of the corner whose line has this place."""
        return self.facts.corners.index(self.corners[self.space(line)])

    def lap(self, place: int) -> int:
        """Give the lap of a place; 0 is the grid."""
        lap = 0
        while place > self.facts.spaces:
            place -= self.facts.spaces
            lap += 1
        return lap

    def is_behind_legends_line(self, place: int, line: int, corner: Corner) -> bool:
        """Tell whether a car has passed the Legends line on its way to the corner's line."""
        return all(self.space(ahead) != corner.legends_line_after_space for ahead in range(place, line))
