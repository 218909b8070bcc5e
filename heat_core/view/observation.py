"""What a bot or a forecast may read: a view, and what does not change during a race."""

from __future__ import annotations

from typing import Any

from heat_core.cards import Cards
from heat_core.data.weather import SectorEffect, WeatherName
from heat_core.decisions import Choice
from heat_core.race.events.parts import Roads
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.rules.sectors import sector_effect
from heat_core.track import Track, compile_track
from heat_core.view.race_view import CarView, OwnView, RaceView, TurnView


class Observation:
    """A view together with what does not change during a race: all that a bot or a forecast may use.

    They read what they need by the properties: in a roll-out nothing else of a view is made.

    Attributes:
        setup: As `public_setup` makes it.
        track: The compiled track.
        finish_line: The progress behind which a car has finished.
        memory: What forecasts have worked out; None: nothing is kept.
    """

    __slots__ = ("_view", "finish_line", "memory", "setup", "track")

    def __init__(self, setup: RaceSetup, view: RaceView) -> None:
        """Put a view and its public set-up together."""
        self.setup = setup
        self.track: Track = compile_track(setup.track)
        self.finish_line = self.track.finish_line(setup.laps)
        self.memory: dict[object, Any] | None = None
        self._view = view

    @property
    def view(self) -> RaceView:
        """All that is seen now."""
        return self._view

    @property
    def own(self) -> OwnView:
        """What the seat alone may know.

        Raises:
            ValueError: This is a spectator's observation.
        """
        own = self.view.own
        if own is None:
            raise ValueError("a spectator has no hand and no decisions")
        return own

    @property
    def seat(self) -> int:
        """The number of the own seat."""
        return self.own.seat

    @property
    def choice(self) -> Choice | None:
        """What the seat may choose; None: nothing is asked of it."""
        return self.own.choice

    @property
    def hand(self) -> Cards:
        """The seat's hand."""
        return self.own.hand

    @property
    def own_car(self) -> CarView:
        """The seat's own car."""
        return self.view.cars[self.seat]

    @property
    def turn(self) -> TurnView | None:
        """The turn of the car that moves."""
        return self.view.turn

    @property
    def phase(self) -> Phase:
        """The phase of the round."""
        return self.view.phase

    @property
    def roads(self) -> Roads:
        """The road token of each corner by number; empty where there are none."""
        return self.view.roads

    @property
    def weather(self) -> WeatherName | None:
        """The weather; None where there is none."""
        return self.view.weather

    def sector_effect(self, progress: int) -> SectorEffect | None:
        """Give what the sector does in which a place lies."""
        where = self.setup.rules.weather_sectors
        return sector_effect(self.track, self.roads, self.weather, where, progress)

    def occupied(self, mover: int) -> set[int]:
        """Give the taken spots as 2 x space + spot, without the mover's own."""
        return {car.space * 2 + car.spot for car in self.view.cars if car.number != mover and car.is_on_track}
