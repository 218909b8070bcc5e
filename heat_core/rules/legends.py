"""How a Legend drives. RULES, Legends. Pure functions on numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from heat_core.data.weather import RoadName
from heat_core.presets import Rules
from heat_core.rules.corners import limit_at
from heat_core.rules.movement import end_of_move, first_free_behind
from heat_core.track import Track


class LegendMove(NamedTuple):
    """Where a Legend ends.

    Attributes:
        end: Progress.
        speed: What is shown and recorded.
        case: Which case of RULES it was.
    """

    end: int
    spot: int
    speed: int
    case: Literal["A", "B"]


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
    """Work out a Legend's move (LEGEND-2, LEGEND-3).

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
        speed = limit_at(track, roads, track.corner_at(line)) + diamond
        end, end_spot = end_of_move(track, rules, occupied, start, spot, speed)
        crossed = track.lines_crossed(start, end, finish_line)
        if len(crossed) <= may_cross:
            return LegendMove(end, end_spot, speed, "A")
        return _stop_at(track, occupied, start, spot, crossed[may_cross], speed, "A")
    crosses = start + top_speed > line and line <= finish_line
    if not crosses:
        end, end_spot = end_of_move(track, rules, occupied, start, spot, top_speed)
        return LegendMove(end, end_spot, top_speed, "B")
    return _stop_at(track, occupied, start, spot, line - diamond, top_speed, "B")


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
