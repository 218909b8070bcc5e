"""Races that docs/statistics.md counts: which race a number is, and what is written down of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from heat_core.bots import BOTS
from heat_core.cards import CardName, deck_card
from heat_core.decisions import PickChoice, sample_command
from heat_core.drivers import BotName
from heat_core.files import load_track, track_names
from heat_core.race import events as e
from heat_core.race.commands import Command
from heat_core.race.presets import PRESETS
from heat_core.race.setup import BASE_GAME, Modules
from heat_core.record.figures import race_figures
from heat_core.rng import Stream
from heat_core.simulation import Policy, make_table, play_out, policies_by_seat
from heat_core.view.observation import Observation

CARS: Final = 6
BOARDS: Final = tuple(track_names())

Kind: TypeAlias = Literal["base", "garage"]
MODULES: Final[dict[Kind, Modules]] = {"base": BASE_GAME, "garage": Modules("mixed", expansion=True)}


class Heading(msgspec.Struct, frozen=True):
    """What all races of a file share."""

    version: str
    seed: str
    bot: BotName
    kind: Kind


class Task(NamedTuple):
    """One race: number `number` of its file, on the boards in turn."""

    heading: Heading
    number: int


class CornerFigures(msgspec.Struct, array_like=True):
    """What all cars did at one corner of a race."""

    passed: int = 0
    heat: int = 0
    spin_outs: int = 0


class Outcome(msgspec.Struct, frozen=True):
    """What is written down of a race.

    Attributes:
        grid: The cars, pole first.
        order: The cars, winner first.
        gaps: In the order of the finish, how many spaces each car is behind the winner at the race's end.
        leaders: How many cars led at the end of a round.
        corners: By the corner's number.
        upgrades: By car, those that it drafted.
        seconds: What the race took of a processor.
    """

    number: int
    rounds: int
    grid: tuple[int, ...]
    order: tuple[int, ...]
    gaps: tuple[int, ...]
    leaders: int
    corners: tuple[CornerFigures, ...]
    upgrades: tuple[tuple[CardName, ...], ...]
    seconds: float

    @property
    def board(self) -> str:
        """The board that it was raced on."""
        return BOARDS[self.number % len(BOARDS)]


def run_race(task: Task) -> Outcome:
    """Race one race to its end."""
    began = time.process_time()
    heading = task.heading
    facts = load_track(BOARDS[task.number % len(BOARDS)])
    seed = f"{heading.seed}/{heading.kind}/{task.number}"
    policies: dict[str, Policy] = {}
    if heading.kind == "garage":
        policies[heading.bot] = partial(_with_random_picks, heading.bot)
    drivers = [heading.bot] * CARS
    table = make_table(facts, None, drivers, PRESETS["standard"], seed, MODULES[heading.kind], policies)
    play_out(table, policies_by_seat(drivers, policies))
    figures = race_figures(table.setup, table.log)
    order = sorted(range(CARS), key=lambda car: figures[car].place)
    (grid,) = (event.order for event in table.log if isinstance(event, e.GridDrawn))
    ends = [figures[car].progress[-1] for car in order]
    leaders = {
        max(range(CARS), key=lambda car: (places[car], -figures[car].place))
        for places in zip(*(own.progress for own in figures), strict=True)
    }
    return Outcome(
        task.number,
        max(own.rounds for own in figures),
        grid,
        tuple(order),
        tuple(ends[0] - end for end in ends),
        len(leaders),
        _corners(table.log, len(facts.corners)),
        _upgrades(table.log),
        time.process_time() - began,
    )


def _with_random_picks(bot: BotName, observation: Observation, stream: Stream) -> Command:
    """Drive as a bot, but draft by lot: else a card's worth would be that of who has the choice."""
    choice = observation.own.choice
    if isinstance(choice, PickChoice):
        return sample_command(choice, stream)
    return BOTS[bot](observation, stream)


def _corners(log: Sequence[e.Event], corners: int) -> tuple[CornerFigures, ...]:
    figures = tuple(CornerFigures() for _ in range(corners))
    for event in log:
        if isinstance(event, e.CornerChecked):
            figures[event.corner].passed += 1
            figures[event.corner].heat += event.paid
            figures[event.corner].spin_outs += event.owed > event.paid
    return figures


def _upgrades(log: Sequence[e.Event]) -> tuple[tuple[CardName, ...], ...]:
    drafted: list[list[CardName]] = [[] for _ in range(CARS)]
    for event in log:
        if isinstance(event, e.UpgradePicked):
            drafted[event.seat].append(deck_card(event.card))
    return tuple(map(tuple, drafted))
