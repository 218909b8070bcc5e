"""The chances of winning, from the turns that all cars are expected to need still.

A car's chance falls with the turns by which it is behind, the more steeply the nearer the finish is:
exp(-behind / spread), shared out among all, where the spread grows with the square root of the turns left.
Its two numbers are fitted to races of bots; `make fits` finds them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

from heat_core.planner.legend_turns import legend_turns
from heat_core.planner.turn_rows import SPACES_A_TURN
from heat_core.planner.value_table import ValueTable
from heat_core.race.setup import RaceSetup
from heat_core.view.race_view import CarView, RaceView


class Spread(NamedTuple):
    """How many turns luck may still move a car by: `at_finish` + `by_root` x sqrt(turns left)."""

    at_finish: float
    by_root: float


SPREAD: Final = Spread(0.15, 0.15)


def spread_of(turns: float, spread: Spread = SPREAD) -> float:
    """Give the spread where so many turns are left."""
    return spread.at_finish + spread.by_root * sqrt(max(0.0, turns))


def chances_of_winning(turns: Sequence[float], spread: Spread = SPREAD) -> tuple[float, ...]:
    """Share the chance of winning out.

    Args:
        turns: Expected of each car; infinite for one that is out of the race.

    Returns:
        One chance for each car, in [0, 1], 1 in sum; 0 for all where all are out.
    """
    best = min(turns)
    if best == float("inf"):
        return (0.0,) * len(turns)
    scale = spread_of(best, spread)
    weights = [exp((best - each) / scale) for each in turns]
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def turns_of_cars(setup: RaceSetup, view: RaceView, table: ValueTable) -> tuple[float, ...]:
    """Give the turns that each car is expected to need, by what all may see.

    One that has moved in a round that the others have not has used its turn: it counts as one turn more.

    Args:
        table: By which drivers are judged, whatever is in their decks: that of `plain_table_key`.
    """
    ahead = view.turn_order
    waiting = set(ahead[ahead.index(view.turn.car) :]) if view.turn is not None else set()
    return tuple(
        [
            _turns_of(setup, view, table, car) + (bool(waiting) and car.number not in waiting)
            for car in view.cars
        ]
    )


def _turns_of(setup: RaceSetup, view: RaceView, table: ValueTable, car: CarView) -> float:
    if car.status == "gave_up" or car.status == "spun_out":
        return float("inf")
    if car.progress > table.finish_line:
        return (table.finish_line - car.progress) / SPACES_A_TURN
    legend = setup.cars[car.number].legend
    if legend is not None:
        return legend_turns(setup.track, setup.laps, view.roads, legend)[car.progress]
    return table.turns(car.progress, car.gear, car.engine)
