"""Who is in a room, as lines of a list: the places in their order, then the spectators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heat_core.race.setup import Colour
from heat_core.wire.messages import LobbyView
from heat_tui.flow.setup import GridCar
from heat_tui.race.letters import car_letters


class Row(NamedTuple):
    """One line of who is in a room: a place, or a spectator.

    Attributes:
        place: From 0; None: a spectator's.
        name: Empty: the place is free.
        colour: Of the car.
        driver: What drives in a person's stead: "hard Legend", or "bot", whose name has its level; empty for
            people.
        marks: What else is so: "host", "you", "bot drives", "away", "ready", "not ready", "watching".
        more_seconds: What the host gives a person for each decision beyond the time of the others.
    """

    place: int | None
    name: str = ""
    colour: Colour | None = None
    driver: str = ""
    marks: tuple[str, ...] = ()
    more_seconds: int = 0

    @property
    def is_person(self) -> bool:
        """Whether a driver or a spectator sits there."""
        return bool(self.name) and not self.driver


def room_rows(room: LobbyView) -> list[Row]:
    """List who is there."""
    rows = [_place_row(room, number) for number in range(len(room.places))]
    return rows + [Row(None, name, marks=("watching",)) for name in room.watchers]


def _place_row(room: LobbyView, number: int) -> Row:
    place = room.places[number]
    if place.kind is None:
        return Row(number)
    if place.kind != "human":
        _, _, level = place.kind.partition(":")
        return Row(number, place.name, place.colour, f"{level} Legend" if level else "bot")
    marks = ["host"] * (number == room.host) + ["you"] * (number == room.place)
    if place.has_stand_in:
        marks.append("bot drives")
    elif not place.is_connected:
        marks.append("away")
    elif place.is_ready:
        marks.append("ready")
    elif number != room.host:  # nobody waits for the host, who starts
        marks.append("not ready")
    more_seconds = place.more_milliseconds // 1000
    return Row(number, place.name, place.colour, marks=tuple(marks), more_seconds=more_seconds)


class Readiness(NamedTuple):
    """Who the start of a race waits for.

    Attributes:
        lights: Of each place that is taken, whether its driver is ready; bots always are.
        waiting: The names of the others.
    """

    lights: tuple[bool, ...]
    waiting: tuple[str, ...]

    @property
    def words(self) -> str:
        """How many are ready: `4 of 5 ready`."""
        return f"{sum(self.lights)} of {len(self.lights)} ready"


def readiness(rows: Sequence[Row]) -> Readiness:
    """Say who is ready, from the lines of a room."""
    taken = [row for row in rows if row.place is not None and row.name]
    waiting = [row.name for row in taken if not {"not ready", "away"}.isdisjoint(row.marks)]
    return Readiness(tuple(row.name not in waiting for row in taken), tuple(waiting))


def grid_cars(rows: Sequence[Row]) -> list[GridCar]:
    """List the cars that would start now, from the lines of a room."""
    taken = [row for row in rows if row.place is not None and row.name]
    letters = car_letters([row.name for row in taken])
    return [
        GridCar(letter, row.colour or "grey", "you" in row.marks)
        for letter, row in zip(letters, taken, strict=True)
    ]
