"""Which races a tournament has, and how one of them is raced.

A *deal* is a seed: it draws the grid and shuffles the decks by seat, whoever sits there. The line-up of a
deal is raced in each rotation of its seats, and duels race the same deals both ways round. So each
driver has each grid place and each deck once, and what differs is the driving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import combinations, count, islice
from typing import Final, Literal, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from heat_core.race import events as e
from heat_core.race.presets import Rules
from heat_core.race.setup import Modules
from heat_core.record.figures import race_figures
from heat_core.rng import Stream
from heat_core.simulation import drive_out, make_table
from heat_core.table import Table, TableDecision
from heat_core.track_facts import TrackFacts

FIELD_CARS: Final = 6
DUEL_CARS: Final = 2


class Heading(msgspec.Struct, frozen=True):
    """What all races of a tournament share, and what its file begins with.

    Attributes:
        version: Of the program: another version's bots may drive otherwise.
        seed: Any text.
        laps: None: those of each track.
        rules: The preset.
        settings: What differs from the preset, as `heat_core.options.settings` writes it.
        format: Of the file.
    """

    version: str
    seed: str
    laps: int | None
    rules: str
    settings: dict[str, str]
    modules: Modules
    format: Literal[1] = 1


class Race(msgspec.Struct, frozen=True):
    """One race of a tournament: enough to know it from any other of the same heading.

    Attributes:
        board: The track's identifier.
        deal: Which shuffles, from 0.
        drivers: By seat, as `parse_drivers` reads them.
    """

    board: str
    deal: int
    drivers: tuple[str, ...]


class OwnDriver(Protocol):
    """Who drives a seat in one race and is none of the program's own bots.

    Attributes:
        fault: Why the seat is driven by defaults by now; None: it is not.
    """

    fault: str | None

    def __call__(self, table: Table, asked: TableDecision) -> list[e.Event]:
        """Answer a decision; gives the events that followed."""


Opener: TypeAlias = Callable[[], AbstractContextManager[OwnDriver]]
"""Brings a driver to one seat of one race."""


class Result(msgspec.Struct, frozen=True):
    """How a race ended.

    Attributes:
        order: The seats in the order of the finish.
        faults: By seat, why it was driven by defaults from some moment on.
    """

    race: Race
    order: tuple[int, ...]
    faults: dict[int, str] = {}

    def __post_init__(self) -> None:
        """Refuse an order that is none, as a file may have it.

        Raises:
            ValueError: The order does not name each seat once.
        """
        if sorted(self.order) != list(range(len(self.race.drivers))):
            raise ValueError("the order must name each seat once")


def plan_fields(boards: Iterable[str], drivers: Sequence[str], races: int) -> list[Race]:
    """List the races of six cars.

    Line-ups have every driver equally often as far as six seats allow; which ones have a seat more, or a seat
    at all where there are more than six drivers, goes by turns.

    Args:
        drivers: At least two different ones.
        races: On each board.
    """
    return [Race(board, *line_up) for board in boards for line_up in islice(_line_ups(drivers), races)]


def _line_ups(drivers: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Give deals and line-ups without end, each line-up in all its rotations."""
    everybody, seats_left = divmod(FIELD_CARS, len(drivers))
    turns = list(combinations(drivers, seats_left))
    turns = Stream("line-ups").sample(
        turns, len(turns)
    )  # in order, few races would all have the same drivers
    for deal in count():
        line_up = tuple(drivers) * everybody + turns[deal % len(turns)]
        rotations = (line_up[first:] + line_up[:first] for first in range(FIELD_CARS))
        for rotated in dict.fromkeys(rotations):  # drivers who alternate make the same line-up again
            yield deal, rotated


def plan_duels(boards: Iterable[str], drivers: Sequence[str], duels: int) -> list[Race]:
    """List the duels of each two drivers, both ways round; two Legends have none, for a race needs a seat.

    Args:
        duels: Of each two drivers on each board.
    """
    pairs = [pair for pair in combinations(drivers, DUEL_CARS) if not all(map(is_legend, pair))]
    return [
        Race(board, number // DUEL_CARS, pair if number % DUEL_CARS == 0 else pair[::-1])
        for board in boards
        for pair in pairs
        for number in range(duels)
    ]


def is_legend(driver: str) -> bool:
    """Tell whether a driver is one of the automated cars."""
    return driver.startswith("legend:")


def pool_results(tournaments: Iterable[Sequence[Result]]) -> list[Result]:
    """Put the results of several tournaments together; the same deal of two is two deals."""
    pooled: list[Result] = []
    first = 0
    for results in tournaments:
        pooled += [
            replace(result, race=replace(result.race, deal=first + result.race.deal)) for result in results
        ]
        first = 1 + max((result.race.deal for result in pooled), default=-1)
    return pooled


def run_race(
    race: Race, heading: Heading, track: TrackFacts, rules: Rules, own: Mapping[str, Opener]
) -> Result:
    """Race one race to its end.

    Args:
        rules: Those of the heading.
        own: Drivers of your own, by name.

    Raises:
        BadSetup: The cars do not fit the track or the rules.
        EndlessRace: It does not end.
        Refused: A policy chose what the rules do not allow.
    """
    seed = f"{heading.seed}/{race.board}/{race.deal}"
    table = make_table(track, heading.laps, race.drivers, rules, seed, heading.modules, own)
    with ExitStack() as stack:
        drivers = {
            seat: stack.enter_context(own[name]()) for seat, name in enumerate(race.drivers) if name in own
        }
        drive_out(table, drivers)
    figures = race_figures(table.setup, table.log)
    order = sorted(range(len(figures)), key=lambda seat: figures[seat].place)
    faults = {seat: driver.fault for seat, driver in drivers.items() if driver.fault is not None}
    return Result(race, tuple(order), faults)
