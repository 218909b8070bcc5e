"""Who is ahead: turn order, adrenaline and standings. docs/rules.md: A round; Finish and standings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heat_core.race.cars import Car
from heat_core.race.events import Standing
from heat_core.race.state import ON_TRACK, Race

_CARS_FOR_TWO_ADRENALINES: Final = 5


def by_place(cars: Iterable[Car]) -> tuple[int, ...]:
    """Order cars from the furthest ahead; the race line first in a space (TURN-4).

    Returns:
        Their numbers.
    """
    ahead = sorted([(-car.progress, car.spot, car.number) for car in cars])
    return tuple([number for _, _, number in ahead])


def turn_order(race: Race) -> tuple[int, ...]:
    """Order the cars that still race."""
    return by_place([car for car in race.cars if car.status == "racing"])


def adrenaline_cars(order: tuple[int, ...], cars_started: int) -> tuple[int, ...]:
    """Give the cars with adrenaline: the last, or the last two if five or more started (TURN-9)."""
    return order[-2:] if cars_started >= _CARS_FOR_TWO_ADRENALINES else order[-1:]


def ranking(race: Race) -> tuple[int, ...]:
    """Rank all cars (RACE-6): who left the track, then by place, then who gave up, last first."""
    on_track = by_place([car for car in race.cars if car.status in ON_TRACK])
    return (*race.left, *on_track, *reversed(race.out))


def standings(race: Race) -> tuple[Standing, ...]:
    """Say who came where, and how each ended."""
    result = []
    for place, number in enumerate(ranking(race), start=1):
        status = race.cars[number].status
        result.append(Standing(number, place, "finished" if status == "left" else status))
    return tuple(result)
