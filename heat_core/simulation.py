"""Whole races and seasons without a screen, by bots and Legends, and their figures."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from heat_core.drivers import BOT_LEVELS, DriverName
from heat_core.options.settings import changes_of
from heat_core.positions.file import PositionFile
from heat_core.race import events as e
from heat_core.race.commands import Command
from heat_core.race.presets import LEGEND_LEVELS, Rules
from heat_core.race.setup import (
    BASE_GAME,
    COLOURS,
    BadSetup,
    CarSetup,
    LegendSetup,
    Modules,
    RaceSetup,
    make_setup,
    seed_problem,
)
from heat_core.record.figures import race_figures
from heat_core.rng import Stream
from heat_core.season.setup import SeasonSetup
from heat_core.season.state import Season
from heat_core.sentences.events import seed_text
from heat_core.table import Table, TableDecision
from heat_core.track_facts import TrackFacts
from heat_core.view.observation import Observation

Policy: TypeAlias = Callable[[Observation, Stream], Command]
"""Answers a seat's open decision, from what the seat may know and a stream of random numbers of its own."""

NO_POLICIES: Final[Mapping[Any, Policy]] = MappingProxyType({})
"""By name, or by seat: all seats are driven by the program's own bots."""

SeatDriver: TypeAlias = Callable[[Table, TableDecision], list[e.Event]]
"""Answers a seat's open decision at a table; gives the events that followed."""

MOST_ROUNDS: Final = 500
"""A race of bots that continues for so long is a fault, and fails loudly."""


class BadDrivers(ValueError):
    """A list of drivers that names one that does not exist; the text says which."""


class EndlessRace(RuntimeError):
    """A race of bots that does not come to its end."""


class CarFigures(msgspec.Struct):
    """What one car of the grid did over all races.

    Attributes:
        places: How often it came first, second, and so on.
    """

    driver: str
    places: list[int]
    spin_outs: int = 0


class Figures(msgspec.Struct):
    """What a simulation came to.

    Attributes:
        rules: The preset.
        settings: What differs from it, as `heat_core.options.settings` writes it.
        modules: What there was besides the base game.
        rounds: Of each race.
        decisions: Of seats, in all races together.
    """

    track: str
    laps: int
    rules: str
    settings: dict[str, str]
    modules: Modules
    seed: str
    races: int
    rounds: list[int]
    decisions: int
    cars: list[CarFigures]

    def add(self, count: RaceCount) -> None:
        """Count one more race."""
        self.races += 1
        self.rounds.append(count.rounds)
        self.decisions += count.decisions
        for car, place, spin_outs in zip(self.cars, count.places, count.spin_outs, strict=True):
            car.places[place - 1] += 1
            car.spin_outs += spin_outs


def parse_drivers(text: str, policies: Mapping[str, Policy] = NO_POLICIES) -> list[str]:
    """Read a list such as `steady,random,legend:hard`.

    Args:
        policies: Policies of your own, by the name that the list may have them by.

    Raises:
        BadDrivers: It names a driver that does not exist.
    """
    drivers = [word.strip() for word in text.split(",")]
    for driver in drivers:
        kind, _, level = driver.partition(":")
        if not (driver in BOT_LEVELS or driver in policies or (kind == "legend" and level in LEGEND_LEVELS)):
            known = [*BOT_LEVELS, *policies, *(f"legend:{level}" for level in LEGEND_LEVELS)]
            raise BadDrivers(f"there is no driver {driver!r}; the drivers are {', '.join(known)}")
    return drivers


def make_cars(
    drivers: Sequence[str], policies: Container[str] = NO_POLICIES
) -> tuple[list[CarSetup], dict[int, DriverName]]:
    """Give each driver a car, as `parse_drivers` reads them.

    Returns:
        The cars, and who drives those that are seats: to the table, a policy is a person who answers at once.
    """
    cars = []
    seats: dict[int, DriverName] = {}
    for number, driver in enumerate(drivers):
        kind, _, level = driver.partition(":")
        legend = None
        if kind == "legend":
            legend = LegendSetup(*LEGEND_LEVELS[level])  # type: ignore[index]  # because parse_drivers checked it
        else:
            seats[number] = "human" if driver in policies else driver  # type: ignore[assignment]  # it was checked
        name = f"{'Policy' if driver in policies else kind.capitalize()} {number + 1}"
        cars.append(CarSetup(name, COLOURS[number % len(COLOURS)], legend))
    return cars, seats


def make_table(
    track: TrackFacts,
    laps: int | None,
    drivers: Sequence[str],
    rules: Rules,
    seed: str,
    modules: Modules = BASE_GAME,
    policies: Container[str] = NO_POLICIES,
) -> Table:
    """Set up one race of bots, policies and Legends.

    Args:
        policies: The names among the drivers that are of your own.

    Raises:
        BadSetup: The cars do not fit the track or the rules.
    """
    setup, seats, _ = prepare(track, laps, drivers, rules, seed, modules, policies)
    return Table(setup, seats)


def play_out(table: Table, policies: Mapping[int, Policy] = NO_POLICIES) -> int:
    """Let the bots of a table, and policies of your own, race to the end.

    Args:
        policies: By seat, for every seat whose driver at the table is a person.

    Returns:
        How many decisions they made.

    Raises:
        EndlessRace: It does not end.
        Refused: A policy chose what the rules do not allow.
    """
    return drive_out(table, {seat: PolicyDriver(policy) for seat, policy in policies.items()})


def drive_out(table: Table, drivers: Mapping[int, SeatDriver]) -> int:
    """Let the bots of a table, and drivers of your own, race to the end.

    Args:
        drivers: By seat, for every seat whose driver at the table is a person.

    Returns:
        How many decisions they made.

    Raises:
        EndlessRace: It does not end.
        Exception: What a driver raises.
    """
    decisions = rounds = 0
    while not table.is_over:
        events = (_step_driver(table, drivers) if drivers else []) or table.step_bot()
        decisions += 1
        for event in events:
            if type(event) is e.RoundStarted:  # counted, for a position may begin in any round
                rounds += 1
        if rounds > MOST_ROUNDS:
            raise EndlessRace(f"no end after {MOST_ROUNDS} rounds; seed {seed_text(table.setup.seed or '')}")
    return decisions


def policies_by_seat(drivers: Sequence[str], policies: Mapping[str, Policy]) -> dict[int, Policy]:
    """Say which seats policies of your own drive."""
    return {seat: policies[driver] for seat, driver in enumerate(drivers) if driver in policies}


def _step_driver(table: Table, drivers: Mapping[int, SeatDriver]) -> list[e.Event]:
    """Let one driver answer one decision; nothing where none has one open."""
    for asked in table.decisions():
        if asked.seat in drivers and not asked.has_chosen:
            return drivers[asked.seat](table, asked)
    return []


class PolicyDriver:
    """Drives by a policy; each decision has a stream of its own.

    Attributes:
        fault: None: what a policy does wrong is raised.
    """

    fault: str | None = None

    def __init__(self, policy: Policy) -> None:
        """Drive by this policy."""
        self._policy = policy

    def __call__(self, table: Table, asked: TableDecision) -> list[e.Event]:
        """Answer a decision.

        Raises:
            Refused: The rules do not allow the answer.
        """
        stream = Stream(f"{table.setup.seed}/policy/{asked.seat}/{asked.decision}")
        return table.submit(asked.seat, asked.decision, self._policy(table.observation(asked.seat), stream))


class Simulation(NamedTuple):
    """Races that differ in their shuffles alone.

    Attributes:
        setup: Of all races, with the seed of the simulation.
        drivers: Who decides for each seat, as a table takes them.
        names: The driver of each car.
    """

    setup: RaceSetup
    drivers: Mapping[int, DriverName]
    names: tuple[str, ...]

    def table(self, race: int) -> Table:
        """Begin race number `race`, whose seed is `seed/race`."""
        seed = f"{self.setup.seed}/{race}"
        return Table(msgspec.structs.replace(self.setup, seed=seed), self.drivers)

    def figures(self) -> Figures:
        """Begin to count."""
        setup = self.setup
        cars = [CarFigures(name, [0] * len(self.names)) for name in self.names]
        return Figures(
            setup.track.id,
            setup.laps,
            setup.rules.preset,
            changes_of(setup.rules),
            setup.modules,
            setup.seed or "",
            0,
            [],
            0,
            cars,
        )


def prepare(
    track: TrackFacts,
    laps: int | None,
    drivers: Sequence[str],
    rules: Rules,
    seed: str,
    modules: Modules = BASE_GAME,
    policies: Container[str] = NO_POLICIES,
) -> Simulation:
    """Prepare races from the grid.

    Args:
        laps: None: those of the track.
        drivers: One for each car: a bot, `legend:LEVEL`, or a name of `policies`.
        policies: The names among the drivers that are of your own.

    Raises:
        BadSetup: The cars do not fit the track or the rules.
    """
    cars, seats = make_cars(drivers, policies)
    setup = make_setup(track, cars, seed=seed, laps=laps, rules=rules, modules=modules)
    return Simulation(setup, seats, tuple(drivers))


def prepare_from(file: PositionFile, seed: str) -> Simulation:
    """Prepare races from one position; a steady bot drives where the file names no driver.

    Raises:
        BadSetup: The seed cannot be written down.
    """
    if problem := seed_problem(seed):
        raise BadSetup(problem)
    drivers = file.all_drivers(has_player=False)
    names = tuple(drivers.get(number, "legend") for number in range(len(file.setup.cars)))
    return Simulation(msgspec.structs.replace(file.setup, seed=seed), drivers, names)


class RaceCount(NamedTuple):
    """What is counted of one finished race: its places and spin-outs by car."""

    decisions: int
    rounds: int
    places: tuple[int, ...]
    spin_outs: tuple[int, ...]


def count_race(table: Table, decisions: int) -> RaceCount:
    """Count a finished race in which so many decisions were made."""
    cars = race_figures(table.setup, table.log)
    return RaceCount(
        decisions,
        max(car.rounds for car in cars),
        tuple(car.place for car in cars),
        tuple(car.spin_outs for car in cars),
    )


def simulate(
    track: TrackFacts,
    laps: int | None,
    drivers: Sequence[str],
    rules: Rules,
    seed: str,
    races: int,
    modules: Modules = BASE_GAME,
    policies: Mapping[str, Policy] = NO_POLICIES,
) -> Iterator[tuple[Table, Figures]]:
    """Play races one after another; race i uses the seed `seed/i`.

    Args:
        laps: None: those of the track.
        drivers: One for each car: a bot, `legend:LEVEL`, or a name of `policies`.
        policies: Policies of your own, by name.

    Yields:
        Each finished table, and the figures up to then (the same object, grown).

    Raises:
        BadSetup: The cars do not fit the track or the rules.
        EndlessRace: A race does not end.
        Refused: A policy chose what the rules do not allow.
    """
    simulation = prepare(track, laps, drivers, rules, seed, modules, policies)
    figures = simulation.figures()
    for race in range(races):
        table = simulation.table(race)
        figures.add(count_race(table, play_out(table, policies_by_seat(drivers, policies))))
        yield table, figures


def play_season(season: Season) -> Iterator[Table]:
    """Let the bots of a season race from where it is between two races to its end.

    Yields:
        Each finished table, when its race is scored.

    Raises:
        EndlessRace: A race does not end.
    """
    while not season.is_over:
        table = Table(season.next_race(), season.drivers)
        play_out(table)
        season.finish_race(table.log)
        yield table


def simulate_season(
    setup: SeasonSetup, drivers: Mapping[int, DriverName], number: int
) -> tuple[Season, list[Table]]:
    """Play one season, number `number`, whose seed is `seed/number`.

    Returns:
        The season, and the tables of its races in order.

    Raises:
        EndlessRace: A race does not end.
    """
    season = Season(msgspec.structs.replace(setup, seed=f"{setup.seed}/{number}"), drivers)
    return season, list(play_season(season))
