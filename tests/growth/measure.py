"""All figures of one run."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import trio
from trio.testing import MockClock

from heat_core.wire.messages import RoomOptions
from tests.growth import engine, server
from tests.growth.counts import Step, count_race
from tests.growth.fit import Point
from tests.growth.server import Crowd, Load

MOST_LAPS: Final = 4
MOST_CARS: Final = 8


class Effort(NamedTuple):
    """How much is measured.

    Attributes:
        races: Of the engine, for each figure.
        times: How often each race of the engine is repeated.
        crowds: By what is varied.
        rounds: How often each crowd races.
        seconds: For how long.
        most_seconds: Of the races that show what the events so far cost a server.
        counted: Places and laps of the race that is counted.
    """

    races: int
    times: int
    crowds: dict[str, list[Crowd]]
    rounds: int
    seconds: float
    most_seconds: float
    counted: tuple[int, int]

    @property
    def loads(self) -> int:
        """How often a crowd races in all."""
        return self.rounds * sum(map(len, self.crowds.values()))


WHOLE: Final = Effort(
    races=5,
    times=10,
    crowds={
        "rooms": [Crowd(rooms) for rooms in (1, 10, 100, 300)],
        "seats": [Crowd(50, seats) for seats in (2, 4, 6, 8)],
        "spectators": [Crowd(20, 6, watchers) for watchers in (0, 5, 20, 50)],
    },
    rounds=2,
    seconds=5.0,
    most_seconds=60.0,
    counted=(4, 2),
)
QUICK: Final = Effort(
    races=1,
    times=2,
    crowds={
        "rooms": [Crowd(1), Crowd(10)],
        "seats": [Crowd(5, 2), Crowd(5, 8)],
        "spectators": [Crowd(2, 6, 0), Crowd(2, 6, 20)],
    },
    rounds=1,
    seconds=1.0,
    most_seconds=10.0,
    counted=(2, 1),
)


class Figures(NamedTuple):
    """What was measured.

    Attributes:
        cars, laps: Microseconds of the engine for a decision, by number.
        engine, table, server: Time for a decision or command, by the events so far.
        counts: Of each command of a race.
        log_bytes: What a table keeps for each event.
        loads: By what is varied.
    """

    cars: dict[int, float]
    laps: dict[int, float]
    engine: list[Point]
    table: list[Point]
    server: list[Point]
    counts: list[Step]
    log_bytes: float
    loads: dict[str, list[tuple[Crowd, Load]]]


def measure(effort: Effort, tell: Callable[[int], object] = lambda _: None) -> Figures:
    """Measure everything.

    Args:
        tell: Called after each part, with how many of `parts` are done.
    """
    numbers_of_cars, numbers_of_laps = range(2, MOST_CARS + 1), range(1, MOST_LAPS + 1)
    kinds = [(cars, 2) for cars in numbers_of_cars] + [(6, laps) for laps in numbers_of_laps]
    times = engine.decision_microseconds(kinds, effort.races, effort.times)
    tell(1)
    engine_points = engine.by_events_so_far(engine.drive_engine, effort.races, effort.times)
    tell(2)
    table_points = engine.by_events_so_far(engine.drive_table, effort.races, effort.times)
    tell(3)
    counts = counted(*effort.counted)
    tell(4)
    server_points = server.by_events_so_far(effort.most_seconds)
    tell(5)
    loads = _loads(effort, lambda done: tell(5 + done))
    return Figures(
        dict(zip(numbers_of_cars, times, strict=False)),
        dict(zip(numbers_of_laps, times[len(numbers_of_cars) :], strict=True)),
        engine_points,
        table_points,
        server_points,
        counts,
        engine.kept_bytes_an_event(),
        loads,
    )


def parts(effort: Effort) -> int:
    """Count what `measure` tells of."""
    return 5 + effort.loads


def counted(cars: int, laps: int) -> list[Step]:
    """Count what a server does in a race of people with one spectator."""
    options = RoomOptions(track="usa", laps=laps, cars=cars)
    with tempfile.TemporaryDirectory() as folder:
        return trio.run(count_race, Path(folder), options, 1, clock=MockClock())


def _loads(effort: Effort, tell: Callable[[int], object]) -> dict[str, list[tuple[Crowd, Load]]]:
    """Let all crowds race in turn, again and again, and take the middle of what each makes."""
    made: dict[str, list[list[Load]]] = {name: [[] for _ in crowds] for name, crowds in effort.crowds.items()}
    done = 0
    for _ in range(effort.rounds):
        for name, crowds in effort.crowds.items():
            for own, crowd in zip(made[name], crowds, strict=True):
                own.append(server.load(crowd, effort.seconds))
                done += 1
                tell(done)
    return {
        name: [
            (crowd, Load(*map(statistics.median, zip(*own, strict=True))))
            for crowd, own in zip(crowds, made[name], strict=True)
        ]
        for name, crowds in effort.crowds.items()
    }
