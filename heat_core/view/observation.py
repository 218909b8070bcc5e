"""What a bot or a forecast may read: a view, and what does not change during a race."""

from __future__ import annotations

from heat_core.data.weather import SectorEffect
from heat_core.race.setup import RaceSetup
from heat_core.rules.sectors import sector_effect
from heat_core.track import Track, compile_track
from heat_core.view.race_view import CarView, OwnView, RaceView


class Observation:
    """A view together with what does not change during a race: all that a bot or a forecast may use.

    Attributes:
        setup: As `public_setup` makes it.
        track: The compiled track.
        view: What is seen now.
        finish_line: The progress behind which a car has finished.
    """

    __slots__ = ("finish_line", "setup", "track", "view")

    def __init__(self, setup: RaceSetup, view: RaceView) -> None:
        """Put a view and its public set-up together."""
        self.setup = setup
        self.track: Track = compile_track(setup.track)
        self.view = view
        self.finish_line = self.track.finish_line(setup.laps)

    @property
    def own(self) -> OwnView:
        """What the seat alone may know.

        Raises:
            ValueError: This is a spectator's observation.
        """
        if self.view.own is None:
            raise ValueError("a spectator has no hand and no decisions")
        return self.view.own

    @property
    def own_car(self) -> CarView:
        """The seat's own car."""
        return self.view.cars[self.own.seat]

    def sector_effect(self, progress: int) -> SectorEffect | None:
        """Give what the sector does in which a place lies."""
        view = self.view
        where = self.setup.rules.weather_sectors
        return sector_effect(self.track, view.roads, view.weather, where, progress)

    def occupied(self, mover: int) -> set[int]:
        """Give the taken spots as 2 x space + spot, without the mover's own."""
        return {car.space * 2 + car.spot for car in self.view.cars if car.number != mover and car.is_on_track}
