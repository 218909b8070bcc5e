"""Who drives when in this round, and who is where while cards turn up and cars drive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from heat_core.track import Track
from heat_core.view.race_view import CarView, RaceView
from heat_tui.race.rows import Entry


class Turns(NamedTuple):
    """The turn order of the round that is shown (TURN-4).

    Attributes:
        order: Cars, in the order of their turns.
        done: How many of them have had theirs.
    """

    order: tuple[int, ...]
    done: int = 0


def turns(view: RaceView) -> Turns:
    """Give the order that is fixed for this round; while nobody has a turn, the one that would be."""
    if view.turn is not None and view.turn.car in view.turn_order:
        return Turns(view.turn_order, view.turn_order.index(view.turn.car))
    return Turns(tuple(number for number in view.ranking if view.cars[number].status == "racing"))


NOTHING_PAID: Final[Mapping[int, int]] = MappingProxyType({})
NO_GEARS: Final[Mapping[int, int]] = MappingProxyType({})


def ranked(cars: Iterable[CarView], places: Mapping[int, tuple[int, int]]) -> list[int]:
    """Rank cars with some of them further on; who has left the track keeps the place.

    Args:
        cars: In the order of the view.
        places: By car: progress and spot.

    Returns:
        The numbers of the cars, the leader's first.
    """
    cars = list(cars)

    def behind(car: CarView) -> tuple[int, int, int]:
        progress, spot = places.get(car.number, (car.progress, car.spot))
        return -progress, spot, car.number

    driving = iter(sorted((car for car in cars if car.is_on_track), key=behind))
    return [(next(driving) if car.is_on_track else car).number for car in cars]


def moved(
    entries: Sequence[Entry],
    places: Mapping[int, tuple[int, int]],
    track: Track,
    paid: Mapping[int, int] = NOTHING_PAID,
    gears: Mapping[int, int] = NO_GEARS,
) -> list[Entry]:
    """Give the standings with some cars further on than the view has them.

    Args:
        entries: In the order of the view.
        places: By car: progress and spot.
        paid: By car: Heat that has left its engine since.
        gears: By car: the gear that it has come into since.
    """
    now = []
    for entry in entries:
        progress, spot = places.get(entry.car.number, (entry.car.progress, entry.car.spot))
        lap, space = track.lap(progress), track.space(progress)
        engine = entry.car.engine - paid.get(entry.car.number, 0)
        car = msgspec.structs.replace(
            entry.car,
            progress=progress,
            spot=spot,
            lap=lap,
            space=space,
            engine=engine,
            gear=gears.get(entry.car.number, entry.car.gear),
        )
        now.append(entry._replace(car=car))
    by_number = {entry.car.number: entry for entry in now}
    order = ranked((entry.car for entry in now), {})
    return [
        by_number[number]._replace(place=entry.place) for number, entry in zip(order, entries, strict=True)
    ]
