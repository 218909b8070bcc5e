"""What happens only with certain event cards; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from heat_core.race.events.parts import CarNumber, Happened, Lap

HeatPlace: TypeAlias = Literal["engine", "hand", "discard_pile", "draw_pile"]


class LapCompleted(Happened, frozen=True):
    """Phase 7 left a car beyond the end of a lap, where the race's event asks for it."""

    car: CarNumber
    lap: Lap


class HeatLost(Happened, frozen=True):
    """A Heat card leaves the game."""

    seat: CarNumber
    place: HeatPlace
