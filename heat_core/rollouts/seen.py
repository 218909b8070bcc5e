"""What a seat sees in a roll-out, read from the race itself.

A view of everything takes longer to make than most bots take to decide, and they read a few fields of it. So
this makes what is asked for, by the functions of `heat_core.view.secrecy`, which decide what is hidden.
Only `play` makes it: outside of roll-outs a bot is never near a race.
"""

from __future__ import annotations

from heat_core.cards import Cards
from heat_core.data.weather import WeatherName
from heat_core.decisions import Choice
from heat_core.race.events.parts import Roads
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OFF_TRACK, Race
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView, OwnView, RaceView, TurnView
from heat_core.view.secrecy import car_view, own_view, turn_view, view_race


class RolledObservation(Observation):
    """An observation of a race in a roll-out; it holds for one decision."""

    __slots__ = ("_car", "_choice", "_own", "_race", "_seat", "_turn")

    def __init__(self, setup: RaceSetup, race: Race, seat: int, choice: Choice) -> None:
        """Look at a race.

        Args:
            setup: As `public_setup` makes it.
            choice: That of the seat's open decision.
        """
        self.setup = setup
        self.track = race.track
        self.finish_line = race.finish_line
        self.memory = None
        self._race = race
        self._seat = seat
        self._choice = choice
        self._own: OwnView | None = None
        self._car: CarView | None = None
        self._turn: TurnView | None = None

    @property
    def view(self) -> RaceView:
        """All that is seen now; made each time."""
        return view_race(self._race, self._seat)

    @property
    def own(self) -> OwnView:
        """What the seat alone may know."""
        if self._own is None:
            self._own = own_view(self._race, self._seat, self._choice)
        return self._own

    @property
    def seat(self) -> int:
        """The number of the own seat."""
        return self._seat

    @property
    def choice(self) -> Choice:
        """What the seat may choose."""
        return self._choice

    @property
    def hand(self) -> Cards:
        """The seat's hand."""
        return tuple(self._race.seat(self._seat).hand)

    @property
    def own_car(self) -> CarView:
        """The seat's own car."""
        if self._car is None:
            self._car = car_view(self._race.cars[self._seat], self.track.spaces)
        return self._car

    @property
    def turn(self) -> TurnView | None:
        """The turn of the car that moves."""
        if self._turn is None and self._race.turn is not None:
            self._turn = turn_view(self._race.turn)
        return self._turn

    @property
    def phase(self) -> Phase:
        """The phase of the round."""
        return self._race.phase

    @property
    def roads(self) -> Roads:
        """The road token of each corner by number; empty where there are none."""
        return self._race.roads

    @property
    def weather(self) -> WeatherName | None:
        """The weather; None where there is none."""
        return self._race.weather

    def occupied(self, mover: int) -> set[int]:
        """Give the taken spots as 2 x space + spot, without the mover's own."""
        taken = set(self._race.occupied(mover))
        taken.discard(OFF_TRACK)
        return taken
