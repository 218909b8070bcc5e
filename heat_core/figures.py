"""What each car did in a race, read from its events alone (RACE-7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from heat_core import events as e

PRESSED_ABOVE_LIMIT: Final = 2
"""A corner is pressed at this much above its limit or more."""


class RaceFigures(msgspec.Struct):
    """What one car did.

    Attributes:
        place: From 1; 0 while the race runs.
        status: What it ended as, None while the race runs.
        rounds: In which it took a turn.
        top_speed: Greatest speed of a turn.
        heat_paid: Out of the engine, for shifts, boosts and corners.
        slipstreams: That it took.
        corners_pressed: Crossed at 2 or more above the limit, without a spin-out there.
        progress: By round, where the car stood at the round's end.
    """

    place: int = 0
    status: str | None = None
    rounds: int = 0
    top_speed: int = 0
    heat_paid: int = 0
    spin_outs: int = 0
    slipstreams: int = 0
    corners_pressed: int = 0
    progress: list[int] = []


def race_figures(cars: int, events: Iterable[e.Event]) -> list[RaceFigures]:
    """Read the figures of every car from a race's events, masked or not.

    Args:
        cars: How many there are.
        events: From the first on; a car counts as at progress 0 until it has moved.
    """
    figures = [RaceFigures() for _ in range(cars)]
    places = [0] * cars
    for event in events:
        match event:
            case e.TurnStarted():
                figures[event.car].rounds += 1
            case e.SpeedSet():
                figures[event.seat].top_speed = max(figures[event.seat].top_speed, event.speed)
            case e.LegendMoved():
                figures[event.car].top_speed = max(figures[event.car].top_speed, event.speed)
            case e.HeatPaid():
                figures[event.seat].heat_paid += event.amount
            case e.CornerChecked() if event.paid == event.owed:
                is_pressed = event.speed >= event.limit + PRESSED_ABOVE_LIMIT
                figures[event.seat].corners_pressed += is_pressed
            case e.SpunOut():
                figures[event.seat].spin_outs += 1
                places[event.seat] = event.end
            case e.CarMoved():
                figures[event.car].slipstreams += event.reason == "slipstream"
                places[event.car] = event.end
            case e.RoundStarted() if event.round > 1:
                _note_places(figures, places)
            case e.RaceEnded():
                _note_places(figures, places)
                for standing in event.standings:
                    figures[standing.car].place = standing.place
                    figures[standing.car].status = standing.status
            case _:
                pass
    return figures


def _note_places(figures: Sequence[RaceFigures], places: Sequence[int]) -> None:
    for car, place in zip(figures, places, strict=True):
        car.progress.append(place)
