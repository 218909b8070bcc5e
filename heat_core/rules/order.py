"""Who is ahead: turn order, adrenaline and standings. RULES, A round and Finish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.events import Standing
from heat_core.race import ON_TRACK, Race

_CARS_FOR_TWO_ADRENALINES: Final = 5


def by_place(cars: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Order places (progress, spot) from the furthest ahead; the race line first in a space (TURN-4).

    Returns:
        Indexes into `cars`.
    """
    ahead = sorted([(-progress, spot, index) for index, (progress, spot) in enumerate(cars)])
    return tuple([index for _, _, index in ahead])


def turn_order(race: Race) -> tuple[int, ...]:
    """Order the cars that still race."""
    racing = [number for number, car in enumerate(race.cars) if car.status == "racing"]
    places = [(race.cars[number].progress, race.cars[number].spot) for number in racing]
    return tuple(racing[index] for index in by_place(places))


def adrenaline_cars(order: tuple[int, ...], cars_started: int) -> tuple[int, ...]:
    """Give the cars with adrenaline: the last, or the last two if five or more started (TURN-9)."""
    return order[-2:] if cars_started >= _CARS_FOR_TWO_ADRENALINES else order[-1:]


def standings(race: Race) -> tuple[Standing, ...]:
    """Rank all cars (RACE-6): who left the track, then by place, then who gave up, last first."""
    on_track = [number for number, car in enumerate(race.cars) if car.status in ON_TRACK]
    places = [(race.cars[number].progress, race.cars[number].spot) for number in on_track]
    ranked = [*race.left, *(on_track[index] for index in by_place(places)), *reversed(race.out)]
    result = []
    for place, number in enumerate(ranked, start=1):
        status = race.cars[number].status
        result.append(Standing(number, place, "finished" if status == "left" else status))
    return tuple(result)
