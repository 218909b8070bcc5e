"""A championship between its races: what comes next, who drives, how it ends.

Theory of operation. A `SeasonController` is made when a championship is opened: a race that ended unseen is
scored at once, and the next one set up. Between two races it hands cars over, gives the next race, or ends
the championship. When the championship is over and its final table is shown, `finish` keeps the records and
removes the file. A room's championship is played at the server; of it there is only the `SeasonPage`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from heat_core.drivers import BOT_LEVELS, DriverName
from heat_core.season.setup import SeasonSetup
from heat_core.season.view import SeasonView
from heat_core.text import listed
from heat_core.track_facts import TrackFacts
from heat_core.wire import messages as m
from heat_tui.saved.championship import Championship, SeasonSession
from heat_tui.state import Folders, Settings

DRIVERS: Final[tuple[DriverName, ...]] = ("human", *BOT_LEVELS)
"""Who can drive a car, the usual one first."""

END_QUESTION: Final = "End this championship for good? Unfinished races score nothing."


class SeasonPage(NamedTuple):
    """What a championship shows, at this keyboard or in a room.

    Attributes:
        own: The cars driven here.
    """

    setup: SeasonSetup
    view: SeasonView
    own: tuple[int, ...]

    @property
    def next_board(self) -> tuple[TrackFacts, int] | None:
        """The track of the race that is set up and its laps; None where none is to come."""
        if self.view.status != "racing":
            return None
        number = self.view.race - 1
        return self.setup.races[number].track, self.view.races[number].laps

    @property
    def circuits(self) -> list[tuple[TrackFacts, str]]:
        """The tracks of all races, each with its number, name and winner."""
        told = []
        for number, race in enumerate(self.view.races, start=1):
            first = min(race.results, key=lambda result: result.place, default=None)
            won = "" if first is None else f": {self.setup.cars[first.car].name} won"
            told.append((self.setup.races[number - 1].track, f"{number}. {race.track}{won}"))
        return told


def room_page(season: m.SeasonUpdate, place: int | None) -> SeasonPage:
    """Give the page of a room's championship.

    Args:
        place: One's own in the room; None: one only watches.
    """
    own = tuple(car for car, taken in enumerate(season.cars) if taken is not None and taken == place)
    return SeasonPage(season.setup, season.view, own)


class SeasonController:
    """A championship at this keyboard."""

    def __init__(self, championship: Championship) -> None:
        """Take over a championship that was begun or read, and score a race of it that is over."""
        self._championship = championship
        championship.settle()

    @property
    def page(self) -> SeasonPage:
        """What the championship shows now."""
        own = tuple(seat for seat, driver in self.drivers.items() if driver == "human")
        return SeasonPage(self._championship.season.setup, self._championship.view(), own)

    @property
    def names(self) -> list[str]:
        """The cars' names, by number."""
        return [car.name for car in self._championship.season.setup.cars]

    @property
    def drivers(self) -> Mapping[int, DriverName]:
        """Who drives each seat from now on."""
        return self._championship.season.drivers

    @property
    def is_over(self) -> bool:
        """Whether no race will follow."""
        return self._championship.season.is_over

    @property
    def is_in_race(self) -> bool:
        """Whether the next race was started and left."""
        return self._championship.table is not None

    @property
    def next_race(self) -> str:
        """What starting does, such as `Start race 2 on USA`; empty when it is over."""
        if self.is_over:
            return ""
        view = self._championship.view()
        verb = "Continue" if self.is_in_race else "Start"
        return f"{verb} race {view.race} on {view.races[view.race - 1].track}"

    @property
    def trouble(self) -> str:
        """Why it is lost when the program ends, in one sentence; empty where it is saved or over."""
        return "" if self.is_over else self._championship.trouble

    def race(self) -> SeasonSession:
        """Give the table of the next race, started unless it was.

        Raises:
            ValueError: The championship is over.
        """
        return SeasonSession(self._championship)

    def hand_over(self, seat: int, driver: str) -> str:
        """Hand a car to a person at this keyboard or to a bot, from now on.

        Args:
            seat: One of `drivers`.

        Returns:
            Why that cannot be, in one sentence, and nothing has changed; empty where it is done.
        """
        known = next((name for name in DRIVERS if name == driver), None)
        if known is None:
            return f"A car is driven by {listed(DRIVERS, 'or')}."
        if "human" not in {**self.drivers, seat: known}.values():
            return "At least one car must be driven at this keyboard."
        self._championship.set_driver(seat, known)
        return ""

    def abandon(self) -> None:
        """End the championship before its last race; a race under way scores nothing."""
        self._championship.abandon()

    async def finish(self, folders: Folders, settings: Settings) -> None:
        """Keep the records of a championship that is over and was seen, if the settings say so; remove it."""
        await self._championship.finish(folders, settings)

    def close(self) -> None:
        """Leave it for later."""
        self._championship.close()
