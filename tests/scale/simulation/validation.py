"""The same model on the small fleets that were measured: two and three servers, one of which ends."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal

import msgspec

from tests.scale.simulation.parameters import FAIR_SHARES, Costs, People
from tests.scale.simulation.scenarios import Scenario, dies, simulate, stops
from tests.scale.simulation.world import World

FIGURES: Final = Path(__file__).resolve().parents[1] / "figures.json"

RUNS: Final = 20
"""Of each case: a single real run may be any of these."""

LOCAL: Final = replace(Costs(), cores=1, round_trip=0.0001, way=0.001, wake=0.001, view=0.0005)
"""All on one machine, and races that have just begun."""

BY_HAND: Final = (("killed", 6.7),)
"""What two people at two servers were measured to take: tests/e2e/test_fleet.py, at a load of 6 to 8."""

BY_HAND_LOAD: Final = 7.0
CORES: Final = 2
"""Of the machine of all these runs."""

OTHERS: Final = 2
"""What shares the cores with the servers that are left, all busy at once: the database and the clients."""


class Case(msgspec.Struct, frozen=True):
    """A server that ended in a real run.

    Attributes:
        servers: On one database; the first has all rooms.
        rooms: How many.
        seats: People in each.
        think: Seconds that they think.
        end: How it ended.
        half_back: Seconds until half of the people were back, as measured.
        back: Seconds until all were.
        slowness: How many programs shared a core meanwhile: those of the run, or more by the machine's load.
    """

    servers: int
    rooms: int
    seats: int
    think: float
    end: Literal["killed", "stopped"]
    half_back: float
    back: float
    slowness: float


class Modelled(msgspec.Struct, frozen=True):
    """What the model says of a case: the least, the median and the most of its runs."""

    case: Case
    half_back: tuple[float, float, float]
    back: tuple[float, float, float]


def cases(figures: Path = FIGURES) -> list[Case]:
    """List what was measured."""
    found = [Case(2, 1, 2, 2.0, end, seconds, seconds, BY_HAND_LOAD / CORES) for end, seconds in BY_HAND]  # type: ignore[arg-type]
    measured: dict[str, Any] = (
        msgspec.json.decode(figures.read_bytes()) if figures.exists() else {"taken_over": []}
    )
    for over in measured["taken_over"]:
        what = over["what"]
        if what["seats"] and what["rooms"] <= MOST_ROOMS:
            found.append(
                Case(
                    what["servers"],
                    what["rooms"],
                    what["seats"],
                    what["pause_seconds"],
                    what["end"],
                    over["back_median_seconds"],
                    over["back_seconds"],
                    max(what["servers"] - 1 + OTHERS, over["load"]) / CORES,
                )
            )
    return found


MOST_ROOMS: Final = 100
"""With more, the machine that all share was full, clients included: the model has a machine for each."""

CASES: Final = tuple(cases())


def model(case: Case) -> Modelled:
    """Let the model do what was measured, again and again."""
    people = People(rooms=case.rooms, racing=1.0, drivers=case.seats, turn=case.think)
    plan = FAIR_SHARES._replace(costs=slower(LOCAL, case.slowness))
    half_back, back = [], []
    for seed in range(RUNS):
        fault = dies() if case.end == "killed" else stops()
        outcome = simulate(
            Scenario(case.end, fault, 30), World(plan, people, case.servers, seed, at_first=True)
        )
        half_back.append(median(outcome.back))
        back.append(max(outcome.back))
    return Modelled(case, _spread(half_back), _spread(back))


def slower(costs: Costs, times: float) -> Costs:
    """Let all work take several times as long, as where other programs have the processor in between."""
    work = {
        entry.name: getattr(costs, entry.name) * times
        for entry in fields(costs)
        if entry.metadata["unit"] == "s"
    }
    return replace(costs, **work)


def _spread(values: list[float]) -> tuple[float, float, float]:
    return min(values), median(values), max(values)
