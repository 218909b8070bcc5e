"""All figures of one run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from tests.machine import machine_text
from tests.scale.load.database import on_disk
from tests.scale.load.filling import Filled, Filling, fill
from tests.scale.load.racing import Crowd, Raced, race
from tests.scale.load.resting import Rest, Rested, rest
from tests.scale.load.taking_over import TakenOver, TakeOver, take_over

_COUNTED: Final = "shared_preload_libraries=pg_stat_statements"


class Effort(msgspec.Struct, frozen=True):
    """What is measured.

    Attributes:
        crowds: That race.
        rounds: How often each of them does.
        seconds: How long each time.
        counted: One more crowd, whose statements the database counts; None: nobody's.
        fillings: Stores that are filled with whole races.
        rests: Fleets at rest.
        resting_seconds: How long each rests.
        take_overs: Servers that end.
    """

    crowds: list[Crowd]
    rounds: int
    seconds: float
    counted: Crowd | None
    fillings: list[Filling]
    rests: list[Rest]
    resting_seconds: float
    take_overs: list[TakeOver]

    @property
    def parts(self) -> int:
        """How often something is measured."""
        counted = 0 if self.counted is None else 1
        races = self.rounds * len(self.crowds) + counted + len(self.fillings)
        return races + len(self.rests) + len(self.take_overs)


WHOLE: Final = Effort(
    crowds=[Crowd(servers, 60, 6, pace) for pace in (100.0, 300.0, None) for servers in (0, 1, 2, 3)],
    rounds=3,
    seconds=15.0,
    counted=Crowd(3, 60, 6, 300.0),
    fillings=[Filling("SQLite", 6, 6), Filling("PostgreSQL", 6, 6)],
    rests=[
        *(Rest(2, sleeping, 0) for sleeping in (0, 500, 2_000)),
        *(Rest(2, 0, awake) for awake in (500, 2_000)),
    ],
    resting_seconds=30.0,
    take_overs=[
        *(TakeOver(servers, rooms, 2, "killed") for servers in (2, 3) for rooms in (20, 100, 500)),
        *(TakeOver(3, rooms, 2, "stopped") for rooms in (20, 100, 500)),
        *(TakeOver(3, rooms, 0, "killed") for rooms in (500, 2_000)),
    ],
)
QUICK: Final = Effort(
    crowds=[Crowd(servers, 2 * max(1, servers), 2, None) for servers in (0, 1, 2)],
    rounds=1,
    seconds=1.0,
    counted=None,
    fillings=[],
    rests=[Rest(1, 3, 2)],
    resting_seconds=1.0,
    take_overs=[TakeOver(2, 3, 2, "stopped", 1.0)],
)


class Figures(msgspec.Struct, frozen=True):
    """What was measured.

    Attributes:
        machine: On what, and how busy it was when it began.
        at: When that was, UTC.
        raced: Of each crowd, the quietest of all rounds.
        counted: Of the crowd whose statements were counted.
        filled: Stores after whole races.
        rested: Fleets at rest.
        taken_over: Servers that ended.
        note: What else must be known of how they came about; "": nothing.
    """

    machine: str
    at: str
    raced: list[Raced]
    counted: Raced | None
    filled: list[Filled]
    rested: list[Rested]
    taken_over: list[TakenOver]
    note: str = ""


def measure(effort: Effort, tell: Callable[[int], object] = lambda _: None) -> Figures:
    """Measure everything.

    Args:
        tell: Called after each part, with how many of `effort.parts` are done.
    """
    done = 0

    def count(part: object) -> None:
        nonlocal done
        done += 1
        tell(done)

    machine, at = machine_text(), f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    rounds: list[list[Raced]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with on_disk() as cluster:
            for _ in range(effort.rounds):
                rounds.append([])
                for crowd in effort.crowds:
                    rounds[-1].append(race(crowd, effort.seconds, cluster, folder))
                    count(crowd)
            filled: list[Filled] = []
            for filling in effort.fillings:
                filled.append(fill(filling, cluster, folder))
                count(filling)
            rested: list[Rested] = []
            for what in effort.rests:
                rested.append(rest(what, effort.resting_seconds, cluster))
                count(what)
            taken_over: list[TakenOver] = []
            for end in effort.take_overs:
                taken_over.append(take_over(end, cluster))
                count(end)
        counted = None
        if effort.counted is not None:
            with on_disk(_COUNTED) as cluster:
                counted = race(effort.counted, effort.seconds, cluster, folder)
                count(counted)
    raced = [quietest(runs) for runs in zip(*rounds, strict=True)]
    return Figures(machine, at, raced, counted, filled, rested, taken_over)


def quietest(runs: Sequence[Raced]) -> Raced:
    """Take that of several runs of the same crowd during which the machine had the least else to do."""
    return min(runs, key=lambda run: run.load)
