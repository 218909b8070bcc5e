"""The career over all own races, from the index of finished races alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from heat_core.drivers import BOT_LEVELS
from heat_core.race.presets import LEGEND_LEVELS
from heat_tui.saved.finished import Finished

FORM_RACES: Final = 10
PLOTTED_RACES: Final = 60
_PODIUM: Final = 3

_LEVELS: Final = (*(f"Legend {level}" for level in LEGEND_LEVELS), *BOT_LEVELS, "person")
"""The kinds of opponents, in the order in which they are shown; others follow."""


class BoardRecord(NamedTuple):
    """What was reached on a board.

    Attributes:
        best: The race over the board's laps with the fewest rounds; None: none was finished.
    """

    name: str
    races: int
    won: int
    podiums: int
    best_place: int
    top_speed: int
    best: Finished | None


class LevelRecord(NamedTuple):
    """What was reached against a kind of opponent."""

    opponent: str
    races: int
    won: int
    podiums: int


class Streak(NamedTuple):
    """Races in a row of one kind: the longest, and how many the newest end."""

    longest: int
    now: int


class Career(NamedTuple):
    """All own races.

    Attributes:
        form: The last ten races, the newest last.
        plotted: The last sixty, the newest last.
        counted: All of them, the newest last.
        wins: Races in a row that were won.
        podium_streak: The same on the podium.
        clean: The same finished without a spin-out.
    """

    races: int
    won: int
    podiums: int
    boards: tuple[BoardRecord, ...]
    levels: tuple[LevelRecord, ...]
    form: tuple[Finished, ...]
    plotted: tuple[Finished, ...]
    counted: tuple[Finished, ...]
    wins: Streak
    podium_streak: Streak
    clean: Streak


def career_of(races: Sequence[Finished]) -> Career:
    """Sum up a career.

    Args:
        races: Oldest first; those from a position do not count.
    """
    own = [race for race in races if not race.from_position]
    return Career(
        races=len(own),
        won=_count(own, _is_won),
        podiums=_count(own, _is_podium),
        boards=_boards(own),
        levels=_levels(own),
        form=tuple(own[-FORM_RACES:]),
        plotted=tuple(own[-PLOTTED_RACES:]),
        counted=tuple(own),
        wins=_streak(own, _is_won),
        podium_streak=_streak(own, _is_podium),
        clean=_streak(own, lambda race: race.is_raced_out and not race.spin_outs),
    )


def _is_won(race: Finished) -> bool:
    return race.is_won and race.is_raced_out


def _is_podium(race: Finished) -> bool:
    return race.place <= _PODIUM and race.is_raced_out


def _count(races: Iterable[Finished], test: Callable[[Finished], bool]) -> int:
    return sum(map(test, races))


def _boards(races: Sequence[Finished]) -> tuple[BoardRecord, ...]:
    """Sum up by board, the one raced most often first."""
    by_board: dict[str, list[Finished]] = {}
    for race in races:
        by_board.setdefault(race.board, []).append(race)
    found = [_board(own) for own in by_board.values()]
    return tuple(sorted(found, key=lambda board: (-board.races, board.name)))


def _board(races: Sequence[Finished]) -> BoardRecord:
    # Rounds can be compared only over the same distance: the one raced most often.
    laps = [race.laps for race in races]
    usual = max(set(laps), key=lambda each: (laps.count(each), each))
    whole = [race for race in races if race.is_finished and race.laps == usual]
    return BoardRecord(
        races[-1].board_name,
        len(races),
        _count(races, _is_won),
        _count(races, _is_podium),
        min(race.place for race in races),
        max(race.top_speed for race in races),
        min(whole, key=lambda race: race.rank, default=None),
    )


def _levels(races: Sequence[Finished]) -> tuple[LevelRecord, ...]:
    """Sum up by kind of opponent; a race counts once for each kind in it."""
    kinds = {kind for race in races for kind in race.opponents}
    ordered = [*(kind for kind in _LEVELS if kind in kinds), *sorted(kinds - set(_LEVELS))]
    return tuple(_level(kind, [race for race in races if kind in race.opponents]) for kind in ordered)


def _level(kind: str, races: Sequence[Finished]) -> LevelRecord:
    opponent = "people" if kind == "person" else kind if kind.startswith("Legend") else f"bot {kind}"
    return LevelRecord(opponent, len(races), _count(races, _is_won), _count(races, _is_podium))


def _streak(races: Iterable[Finished], test: Callable[[Finished], bool]) -> Streak:
    longest = now = 0
    for race in races:
        now = now + 1 if test(race) else 0
        longest = max(longest, now)
    return Streak(longest, now)
