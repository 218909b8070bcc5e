"""How a Legend drives. docs/rules.md: Legends. Pure functions on numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from heat_core.data.weather import RoadName
from heat_core.race.presets import Rules
from heat_core.rules.corners import limit_at
from heat_core.rules.movement import end_of_move, first_free_behind
from heat_core.track import Track


class LegendMove(NamedTuple):
    """Where a Legend ends.

    Attributes:
        end: Progress.
        speed: What is shown and recorded.
        case: A: between the Legends line and the corner; B: elsewhere.
    """

    end: int
    spot: int
    speed: int
    case: Literal["A", "B"]


class LegendAim(NamedTuple):
    """What a Legend sets out to do, whatever spaces are full.

    Attributes:
        speed: Of its whole move.
        stop: Progress of the space where it stops short of a line; None: it moves at its speed.
        may_cross: How many corner lines such a move may cross, None for any number.
        case: A: between the Legends line and the corner; B: elsewhere.
    """

    speed: int
    stop: int | None
    may_cross: int | None
    case: Literal["A", "B"]

    def stop_of(self, track: Track, start: int, end: int, finish_line: int) -> int | None:
        """Give the last space before the line that is one too many for a move, None where the move may be."""
        if self.may_cross is None:
            return None
        crossed = track.lines_crossed(start, end, finish_line)
        return crossed[self.may_cross] if len(crossed) > self.may_cross else None


def legend_aim(
    track: Track,
    start: int,
    finish_line: int,
    *,
    diamond: int,
    top_speed: int,
    chevrons: bool,
    roads: Sequence[RoadName | None] = (),
) -> LegendAim:
    """Work out what a Legend sets out to do (LEGEND-2, LEGEND-3).

    Args:
        diamond: Of its entry on the round's card, in [0, 4).
        top_speed: Of the same entry, with the level's bonus.
        chevrons: Whether it may cross more lines where a corner has chevrons.
        roads: The road token of each corner, by number from 0; empty where there are none.
    """
    line = track.next_line(start)
    corner = track.corners[track.corner_at(line)]
    legends_line = line - (corner.after_space - corner.legends_line_after_space) % track.spaces
    if start > legends_line:
        may_cross = 1
        spaces_before = line - start  # 0 on the last space before the line
        if chevrons and spaces_before < corner.double_chevron_within:
            may_cross = 3
        elif chevrons and spaces_before < corner.chevron_within:
            may_cross = 2
        return LegendAim(limit_at(track, roads, track.corner_at(line)) + diamond, None, may_cross, "A")
    crosses = start + top_speed > line and line <= finish_line
    return LegendAim(top_speed, line - diamond if crosses else None, None, "B")


def legend_move(
    track: Track,
    rules: Rules,
    occupied: Collection[int],
    start: int,
    spot: int,
    finish_line: int,
    *,
    diamond: int,
    top_speed: int,
    chevrons: bool,
    roads: Sequence[RoadName | None] = (),
) -> LegendMove:
    """Work out a Legend's move, full spaces counted; the arguments are those of `legend_aim`."""
    aim = legend_aim(
        track, start, finish_line, diamond=diamond, top_speed=top_speed, chevrons=chevrons, roads=roads
    )
    stop = aim.stop
    if stop is None:
        end, end_spot = end_of_move(track, rules, occupied, start, spot, aim.speed)
        stop = aim.stop_of(track, start, end, finish_line)
        if stop is None:
            return LegendMove(end, end_spot, aim.speed, aim.case)
    return _stop_at(track, occupied, start, spot, stop, aim.speed, aim.case)


def _stop_at(
    track: Track,
    occupied: Collection[int],
    start: int,
    spot: int,
    stop: int,
    speed: int,
    case: Literal["A", "B"],
) -> LegendMove:
    """Stop short of a line, on the first free space behind, but never backwards."""
    if stop <= start:
        return LegendMove(start, spot, 0, case)
    speed = min(speed, stop - start)
    end, end_spot = first_free_behind(track, occupied, stop)
    if end <= start:
        return LegendMove(start, spot, speed, case)
    return LegendMove(end, end_spot, speed, case)
