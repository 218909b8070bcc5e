"""Personal bests, read from the index of finished races."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heat_core.text import counted
from heat_tui.saved.finished import Finished


def best_of(races: Iterable[Finished], board: str, laps: int) -> Finished | None:
    """Find the best race on a board: fewest rounds, then farthest beyond the line; None: there is none."""
    finished = [race for race in races if (race.board, race.laps) == (board, laps) and race.is_finished]
    return min(finished, key=lambda race: race.rank, default=None)


def bests_words(race: Finished, all_races: Sequence[Finished]) -> list[str]:
    """Say what records of one's own a race beat, or what there is to beat."""
    before = [other for other in all_races if other.race != race.race and other.moment <= race.moment]
    same_board = [other for other in before if (other.board, other.laps) == (race.board, race.laps)]
    best = best_of(before, race.board, race.laps)
    laps = counted(race.laps, "lap")
    told = []
    if race.is_finished and best is None:
        told.append(f"Your first finish on {race.board_name} over {laps}: {counted(race.rounds, 'round')}.")
    elif best is not None and race.is_finished and race.rank < best.rank:
        told.append(
            f"A new best on {race.board_name} over {laps}: {counted(race.rounds, 'round')}, "
            f"before {counted(best.rounds, 'round')}."
        )
    elif best is not None:
        told.append(f"Your best on {race.board_name} over {laps}: {counted(best.rounds, 'round')}.")
    if same_board and race.top_speed > max(other.top_speed for other in same_board):
        told.append(f"Your greatest speed here: {race.top_speed}.")
    if race.is_won and not any(other.is_won for other in same_board):
        told.append("Your first win here.")
    return told
