"""The expected turns of a Legend to the finish: each of the ten cards as likely as the others."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.weather import RoadName
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.race.setup import LegendSetup
from heat_core.rules.legends import legend_aim
from heat_core.track import compile_track
from heat_core.track_facts import TrackFacts

_Roads: TypeAlias = tuple[RoadName | None, ...]


@lru_cache(maxsize=256)
def legend_turns(facts: TrackFacts, laps: int, roads: _Roads, legend: LegendSetup) -> tuple[float, ...]:
    """Give the expected turns by progress, from 0 to the finish line; other cars are not in its way."""
    track = compile_track(facts)
    finish_line = track.finish_line(laps)
    turns = [0.0] * (finish_line + 1)
    for start in range(finish_line, -1, -1):
        ends = legend_ends(facts, start, finish_line, roads, legend)
        ahead = sum(
            (finish_line - end) / SPACES_A_TURN if end > finish_line else turns[end]
            for end in ends
            if end > start
        )
        moves = sum(end > start for end in ends)
        # A card that leaves it where it is costs a turn and nothing else.
        turns[start] = (len(ends) + ahead) / moves
    return tuple(turns)


def legend_ends(
    facts: TrackFacts, start: int, finish_line: int, roads: _Roads, legend: LegendSetup
) -> tuple[int, ...]:
    """Give the progress to which each of the ten cards leads a Legend, if no space is full."""
    track = compile_track(facts)
    assert legend.helmet is not None
    ends = []
    for card in LEGEND_CARDS:
        diamond, top_speed = card[legend.helmet]
        aim = legend_aim(
            track,
            start,
            finish_line,
            diamond=diamond,
            top_speed=top_speed + legend.bonus,
            chevrons=legend.chevrons,
            roads=roads,
        )
        end = aim.stop
        if end is None:
            end = start + aim.speed
            stop = aim.stop_of(track, start, end, finish_line)
            end = end if stop is None else stop
        ends.append(max(end, start))
    return tuple(ends)
