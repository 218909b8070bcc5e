"""The analysis of a race that is over: what each choice cost, and how much was luck. docs/analysis.md.

Theory of operation. A record is verified from its seed, so that all hands are known, but each choice is
weighed by its own seat's view alone (`heat_core.coach.rounds`). Rounds do not depend on each other: programs
may have them looked at in several processes, and `sum_up` puts them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import Final

import msgspec

from heat_core.coach.rounds import JudgedChoice, Luck, LuckKind, RoundAnalysis, analyse_round, round_starts
from heat_core.race import events as e
from heat_core.record.record import Record, decode_record, verify_record

MOST_MISTAKES: Final = 3
LEAST_MISTAKE: Final = 0.5
"""Spaces: less is no mistake that anybody wants to read about."""

ACCURACY_SPACES: Final = 3.0
"""Spaces lost a turn, about a third of what a turn drives, that leave an accuracy of 37 (100 / e)."""


class SeatAnalysis(msgspec.Struct, frozen=True):
    """A seat's race.

    Attributes:
        turns: That it drove.
        lost: Spaces that its choices cost, in all.
        accuracy: From 0 to 100, by what its choices cost a turn.
        luck: Spaces that cards brought; below 0 they cost some.
        luck_of_draws: The part of the hands drawn.
        luck_of_flips: The part of the flips.
        luck_of_legends: The part of the Legend cards, which move others into a slipstream or out of one.
        mistakes: Its worst choices, the worst first, at most `MOST_MISTAKES`.
    """

    seat: int
    name: str
    turns: int
    lost: float
    accuracy: float
    luck: float
    luck_of_draws: float
    luck_of_flips: float
    luck_of_legends: float
    mistakes: tuple[JudgedChoice, ...]


class RoundChances(msgspec.Struct, frozen=True):
    """The chances of winning at the end of a round.

    Attributes:
        round: 0 before the first.
        chances: By car, in [0, 1].
    """

    round: int
    chances: tuple[float, ...]


class Analysis(msgspec.Struct, frozen=True):
    """A whole race.

    Attributes:
        cars: Their names, by number.
        seats: Those with choices; Legends have none.
        rounds: The chances over the race.
        choices: All that had an alternative, in order.
        luck: All cards that turned up, in order.
    """

    cars: tuple[str, ...]
    seats: tuple[SeatAnalysis, ...]
    rounds: tuple[RoundChances, ...]
    choices: tuple[JudgedChoice, ...]
    luck: tuple[Luck, ...]


def analyse(record: Record) -> Analysis:
    """Analyse a race, in this process; it takes some seconds.

    Raises:
        BadRecord: The record does not hold, or has no seed: its cards are not known, or are still secret.
    """
    verify_record(record)
    return sum_up(record, [analyse_round(record, part) for part in range(parts_of(record))])


def parts_of(record: Record) -> int:
    """Say in how many parts a race is analysed."""
    return len(round_starts(record.events))


def analyse_part(data: bytes, part: int) -> RoundAnalysis:
    """Analyse one part of a race, in whichever process.

    Args:
        data: A verified record, as `encode_record` writes it.
        part: In [0, `parts_of` the record).
    """
    return analyse_round(_decoded(data), part)


@lru_cache(maxsize=1)
def _decoded(data: bytes) -> Record:
    return decode_record(data)


def sum_up(record: Record, rounds: Iterable[RoundAnalysis]) -> Analysis:
    """Put the parts of a race together, in whichever order they come."""
    ordered = sorted(rounds, key=lambda each: each.round)
    choices = tuple([choice for each in ordered for choice in each.choices])
    luck = tuple([each for part in ordered for each in part.luck])
    return Analysis(
        tuple([car.name for car in record.setup.cars]),
        tuple(
            [
                _seat_analysis(record, seat, choices, luck)
                for seat, car in enumerate(record.setup.cars)
                if car.legend is None
            ]
        ),
        tuple([RoundChances(each.round, each.chances) for each in ordered]),
        choices,
        luck,
    )


def of_seat(analysis: Analysis, seat: int) -> Analysis:
    """Keep what is about one seat, and the chances of all."""
    return Analysis(
        analysis.cars,
        tuple([each for each in analysis.seats if each.seat == seat]),
        analysis.rounds,
        tuple([each for each in analysis.choices if each.seat == seat]),
        tuple([each for each in analysis.luck if each.seat == seat]),
    )


def _seat_analysis(
    record: Record, seat: int, choices: Iterable[JudgedChoice], luck: Iterable[Luck]
) -> SeatAnalysis:
    own = [choice for choice in choices if choice.seat == seat]
    turns = sum(isinstance(event, e.TurnStarted) and event.car == seat for event in record.events)
    lost = sum(choice.lost for choice in own)
    parts: dict[LuckKind, float] = {"draw": 0.0, "flip": 0.0, "legend_card": 0.0}
    for each in luck:
        if each.seat == seat:
            parts[each.kind] += each.spaces
    mistakes = sorted([choice for choice in own if choice.lost >= LEAST_MISTAKE], key=lambda each: -each.lost)
    return SeatAnalysis(
        seat,
        record.setup.cars[seat].name,
        turns,
        lost,
        accuracy_of(lost, turns),
        sum(parts.values()),
        parts["draw"],
        parts["flip"],
        parts["legend_card"],
        tuple(mistakes[:MOST_MISTAKES]),
    )


def accuracy_of(lost: float, turns: int) -> float:
    """Give the accuracy of so many spaces lost in so many turns: 100 where nothing was lost."""
    return 100.0 * exp(-lost / max(1, turns) / ACCURACY_SPACES)
