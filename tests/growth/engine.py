"""How long the engine works on a decision, by cars, laps and the events so far.

Steady bots race once; then their commands are taken again and again, each time by a race of its own, so that
only the engine's own work is measured, and always the same. Of several repetitions the shortest counts.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from copy import deepcopy
from math import inf
from statistics import fmean
from typing import Final, NamedTuple

from heat_core.decisions import choice_of
from heat_core.engine import start_race, step
from heat_core.files import load_track
from heat_core.options.settings import make_rules
from heat_core.race.commands import Command
from heat_core.race.events import CarFinished, ChoiceMade
from heat_core.race.setup import RaceSetup
from heat_core.simulation import make_table, play_out
from heat_core.table import Table
from tests.growth.fit import Point

_RULES: Final = make_rules("standard", {"most_cars": "8"})
_MICROSECONDS: Final = 1e6


class Answer(NamedTuple):
    """A command, and who gave it to which decision."""

    seat: int
    decision: int
    command: Command


class RacedRace(NamedTuple):
    """A race of steady bots.

    Attributes:
        setup: What it follows from.
        answers: All of them, in order.
        before_a_finish: How many answers were given before a car had finished; with fewer cars there is
            less to do.
    """

    setup: RaceSetup
    answers: list[Answer]
    before_a_finish: int


def raced(cars: int, laps: int, number: int) -> RacedRace:
    """Let steady bots race on the USA board."""
    table = make_table(load_track("usa"), laps, ["steady"] * cars, _RULES, f"growth/{number}")
    play_out(table)
    answers: list[Answer] = []
    before_a_finish = 0
    for event in table.log:
        if isinstance(event, ChoiceMade) and event.decision is not None and event.command is not None:
            answers.append(Answer(event.seat, event.decision, event.command))
        elif isinstance(event, CarFinished) and not before_a_finish:
            before_a_finish = len(answers)
    return RacedRace(table.setup, answers, before_a_finish)


Drive = Callable[[RacedRace, int], list[Point]]
"""Takes a race's answers again; gives for each block of so many the events so far, and µs a decision."""


def drive_engine(race: RacedRace, block: int) -> list[Point]:
    """Make each choice, check the command and take it."""
    state, _ = start_race(race.setup)

    def take(answer: Answer) -> None:
        choice_of(state, answer.seat)
        step(state, answer.seat, answer.command)

    return _timed(race.answers, block, take, lambda: state.event_number)


def drive_table(race: RacedRace, block: int) -> list[Point]:
    """Do what a server does for one person: submit, view, the events since."""
    table = Table(race.setup, dict.fromkeys(range(len(race.setup.cars)), "human"))

    def take(answer: Answer) -> None:
        before = table.event_number
        table.submit(answer.seat, answer.decision, answer.command)
        table.timed_view(answer.seat)
        table.events_since(before, answer.seat)

    return _timed(race.answers, block, take, lambda: table.event_number)


def _timed(
    answers: Sequence[Answer], block: int, take: Callable[[Answer], None], events: Callable[[], int]
) -> list[Point]:
    points = []
    for first in range(0, len(answers), block):
        part, before = answers[first : first + block], events()
        began = time.process_time()
        for answer in part:
            take(answer)
        seconds = time.process_time() - began
        points.append(((before + events()) / 2, seconds / len(part) * _MICROSECONDS))
    return points


def decision_microseconds(kinds: Sequence[tuple[int, int]], races: int, times: int) -> list[float]:
    """Give the mean time of the engine for one decision, for each kind of race: cars and laps.

    All kinds take turns, so that what else the machine does strikes all alike.
    """
    fields = [[raced(cars, laps, number) for number in range(races)] for cars, laps in kinds]
    shortest = [[inf] * races for _ in kinds]
    for _ in range(times):
        for own, field in zip(shortest, fields, strict=True):
            for number, race in enumerate(field):
                ((_, microseconds),) = drive_engine(race, len(race.answers))
                own[number] = min(own[number], microseconds)
    return [fmean(own) for own in shortest]


def by_events_so_far(drive: Drive, races: int, times: int, block: int = 40) -> list[Point]:
    """Give the time for a decision over the longest races that there are, until a car has finished."""
    points: list[Point] = []
    for number in range(races):
        race = raced(8, 4, number)
        runs = [drive(race, block)[: race.before_a_finish // block] for _ in range(times)]
        points += [(same[0][0], min(point[1] for point in same)) for same in zip(*runs, strict=True)]
    return points


def kept_bytes_an_event() -> float:
    """Give the memory that a table holds for each event so far: its log."""
    race = raced(8, 4, 0)
    table = Table(race.setup, dict.fromkeys(range(8), "human"))
    half = race.before_a_finish // 2
    tracemalloc.start()
    sizes = []
    for answers in (race.answers[:half], race.answers[half : race.before_a_finish]):
        for answer in answers:
            # A command that comes by the wire is an object of its own, too.
            table.submit(answer.seat, answer.decision, deepcopy(answer.command))
        sizes.append((table.event_number, tracemalloc.get_traced_memory()[0]))
    tracemalloc.stop()
    (first, before), (last, after) = sizes
    return (after - before) / (last - first)
