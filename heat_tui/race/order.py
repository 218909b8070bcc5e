"""Who drives when in this round, and who is where while cards turn up and cars drive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from heat_core.track import Track
from heat_core.view.race_view import RaceView
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


def moved(
    entries: Sequence[Entry],
    places: Mapping[int, tuple[int, int]],
    track: Track,
    paid: Mapping[int, int] = NOTHING_PAID,
) -> list[Entry]:
    """Give the standings with some cars further on than the view has them.

    Args:
        entries: In the order of the view.
        places: By car: progress and spot.
        paid: By car: Heat that has left its engine since.
    """
    now = []
    for entry in entries:
        progress, spot = places.get(entry.car.number, (entry.car.progress, entry.car.spot))
        lap, space = track.lap(progress), track.space(progress)
        engine = entry.car.engine - paid.get(entry.car.number, 0)
        car = msgspec.structs.replace(
            entry.car, progress=progress, spot=spot, lap=lap, space=space, engine=engine
        )
        now.append(entry._replace(car=car))
    driving = sorted(
        (entry for entry in now if entry.car.is_on_track),
        key=lambda entry: (-entry.car.progress, entry.car.spot, entry.car.number),
    )
    # Who has left the track keeps the place that the view gives.
    ahead = iter(driving)
    return [(next(ahead) if entry.car.is_on_track else entry)._replace(place=entry.place) for entry in now]
