"""Badges: each is proven by one race whose record is saved, and names it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from heat_tui.saved.finished import Finished

_BOARDS_OF_THE_GAME: Final = frozenset(
    {"usa", "gb", "italy", "france", "japan", "mexico", "spain", "netherlands"}
)
_DAYS_OF_A_WEEK: Final = 7
_WINS_OF_A_HAT_TRICK: Final = 3


class Badge(NamedTuple):
    """A badge that is won.

    Attributes:
        about: What for, in a few words.
        race: The first race that earned it; its record is the proof.
    """

    name: str
    about: str
    race: Finished


class BadgeKind(NamedTuple):
    """A badge that can be won.

    Attributes:
        about: By what, in a few words.
        earned: Tells whether the last of some races earns it; the others came before, oldest first.
    """

    name: str
    about: str
    earned: Callable[[Sequence[Finished]], bool]


def badges(races: Sequence[Finished]) -> list[Badge]:
    """Find the badges that are won, each with the first race that proves it.

    Args:
        races: Oldest first. Those without a saved record, or from a position, prove nothing.
    """
    proven = [race for race in races if race.record and not race.from_position]
    won = []
    for kind in _KINDS:
        for count, race in enumerate(proven, start=1):
            if kind.earned(proven[:count]):
                won.append(Badge(kind.name, kind.about, race))
                break
    return won


def badges_left(won: Sequence[Badge]) -> list[BadgeKind]:
    """List the badges that are still to be won."""
    names = {badge.name for badge in won}
    return [kind for kind in _KINDS if kind.name not in names]


def _last(test: Callable[[Finished], bool]) -> Callable[[Sequence[Finished]], bool]:
    """Make a test of the last race alone."""
    return lambda races: races[-1].is_raced_out and test(races[-1])


def _is_hat_trick(races: Sequence[Finished]) -> bool:
    last = races[-_WINS_OF_A_HAT_TRICK:]
    return len(last) == _WINS_OF_A_HAT_TRICK and all(race.is_won and race.is_raced_out for race in last)


def _is_world_tour(races: Sequence[Finished]) -> bool:
    finished = {race.board for race in races if race.is_raced_out}
    return finished >= _BOARDS_OF_THE_GAME


def _is_week(races: Sequence[Finished]) -> bool:
    if not races[-1].daily:
        return False
    last = date.fromisoformat(races[-1].daily)
    days = {(last - timedelta(days=number)).isoformat() for number in range(_DAYS_OF_A_WEEK)}
    return days <= {race.daily for race in races}


_KINDS: Final = (
    BadgeKind("Chequered flag", "a race driven to its end", _last(lambda race: True)),
    BadgeKind(
        "Champagne",
        "a place among the first three of at least four cars",
        _last(lambda race: race.place <= 3 < race.cars),
    ),
    BadgeKind("Top step", "a win", _last(lambda race: race.is_won)),
    BadgeKind("Hat-trick", "three wins in a row", _is_hat_trick),
    BadgeKind("World tour", "a race driven to its end on each of the eight boards", _is_world_tour),
    BadgeKind(
        "By a nose",
        "a win by a single space or less",
        _last(lambda race: race.is_won and race.gap_rounds == 0 and race.gap_spaces <= 1),
    ),
    BadgeKind(
        "Cool head", "a win with at most 3 Heat paid", _last(lambda race: race.is_won and race.heat_paid <= 3)
    ),
    BadgeKind("Barbecue", "20 Heat paid in one race", _last(lambda race: race.heat_paid >= 20)),
    BadgeKind(
        "Pirouette", "three spin-outs in a race driven to its end", _last(lambda race: race.spin_outs >= 3)
    ),
    BadgeKind(
        "Spun but unbeaten",
        "a win in spite of a spin-out",
        _last(lambda race: race.is_won and race.spin_outs > 0),
    ),
    BadgeKind("Free ride", "six slipstreams in one race", _last(lambda race: race.slipstreams >= 6)),
    BadgeKind("Flat out", "a turn at speed 20 or more", _last(lambda race: race.top_speed >= 20)),
    BadgeKind(
        "Legendary",
        "a win against a hard Legend",
        _last(lambda race: race.is_won and "Legend hard" in race.opponents),
    ),
    BadgeKind(
        "Scenic route",
        "the last place in a race driven to its end",
        _last(lambda race: race.place == race.cars > 1),
    ),
    BadgeKind("A week at the wheel", "a daily race on each of seven days in a row", _is_week),
)
