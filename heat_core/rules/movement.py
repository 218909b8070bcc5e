"""Where a move ends, and when a slipstream is possible.

docs/rules.md: The track; Reveal and move; Slipstream.

Pure functions on numbers, shared by the engine and by forecasts. `occupied` is `Race.occupied`: the taken
spots of all other cars as 2 x space + spot, and 0 for a car that takes up none.
"""

from __future__ import annotations

from collections.abc import Collection

from heat_core.race.presets import Rules
from heat_core.track import OTHER_SPOT, RACE_LINE_SPOT, Track

SLIPSTREAM_SPACES = 2


def free_spot(track: Track, occupied: Collection[int], progress: int) -> int | None:
    """Give the spot that a car ending here takes: the race line if free, else the other; None if full."""
    space = (progress - 1) % track.spaces + 1
    if space * 2 not in occupied:
        return RACE_LINE_SPOT
    if track.spots[space] > 1 and space * 2 + 1 not in occupied:
        return OTHER_SPOT
    return None


def first_free_behind(track: Track, occupied: Collection[int], progress: int) -> tuple[int, int]:
    """Search backwards from a space for one with a free spot.

    Returns:
        Its progress and the spot.
    """
    while (spot := free_spot(track, occupied, progress)) is None:
        progress -= 1
    return progress, spot


def end_of_move(
    track: Track, rules: Rules, occupied: Collection[int], start: int, spot: int, spaces: int
) -> tuple[int, int]:
    """Say where a move ends (TURN-8).

    Args:
        start: Progress before the move.
        spot: Spot before the move.
        spaces: How far, at least 0.

    Returns:
        Progress and spot after it. A move that comes to 0 keeps its spot.
    """
    if spaces == 0:
        return start, spot
    end = start + spaces
    step = 1 if rules.full_space == "ahead" else -1
    while (free := free_spot(track, occupied, end)) is None:
        end += step
        if end == start:
            return start, spot
    return end, free


def has_slipstream_partner(track: Track, occupied: Collection[int], progress: int) -> bool:
    """Tell whether another car is beside this place or in the very next space (TURN-13)."""
    space = (progress - 1) % track.spaces + 1
    ahead = space % track.spaces + 1
    return not {space * 2, space * 2 + 1, ahead * 2, ahead * 2 + 1}.isdisjoint(occupied)


def end_of_slipstream(
    track: Track,
    rules: Rules,
    occupied: Collection[int],
    start: int,
    spot: int,
    finish_line: int,
    further: int = 0,
) -> tuple[int, int] | None:
    """Say where a slipstream from this place ends, None where it is not possible (docs/rules.md: Slipstream).

    Args:
        finish_line: Progress of the finish line of the last lap.
        further: Spaces that slipstream symbols add.
    """
    if not has_slipstream_partner(track, occupied, start):
        return None
    spaces = slipstream_spaces(rules, start, finish_line, further)
    end, end_spot = end_of_move(track, rules, occupied, start, spot, spaces)
    return (end, end_spot) if end > start else None


def slipstream_spaces(rules: Rules, start: int, finish_line: int, further: int = 0) -> int:
    """Say how far a slipstream from this place goes, where there is a car to follow; 0 where none may.

    Args:
        finish_line: Progress of the finish line of the last lap.
        further: Spaces that slipstream symbols add.
    """
    spaces = SLIPSTREAM_SPACES + further
    is_too_far = start > finish_line or (not rules.slipstream_over_finish and start + spaces > finish_line)
    return 0 if is_too_far else spaces
