"""What an umpire knows of weather and road tokens, and of the corners where the press stands."""

from __future__ import annotations

from heat_core.data.weather import WEATHER, RoadName, WeatherName
from heat_core.race.setup import RaceSetup
from tests.core.umpire_road import Road

SECTOR_TOKENS = ("free-boost", "slipstream+1")


class Tokens:
    """The tokens of one race, as they turn up."""

    def __init__(self, setup: RaceSetup, road: Road) -> None:
        self.setup = setup
        self.road = road
        self.corners = setup.track.corners
        self.weather: WeatherName | None = None
        self.roads: tuple[RoadName | None, ...] = ()

    def place(self, number: int) -> int:
        """Give the corner, by number from 0, at which the token of a corner lies."""
        return (self.corners[number].chicane_with_corner or number + 1) - 1

    def is_first_line_of_chicane(self, number: int) -> bool:
        return any(corner.chicane_with_corner == number + 1 for corner in self.corners)

    def token(self, number: int) -> RoadName | None:
        return self.roads[self.place(number)] if self.roads else None

    def limit(self, number: int, adjust: int = 0) -> int:
        change = {"limit+1": 1, "limit-1": -1}.get(self.token(number) or "", 0)
        return max(0, self.corners[number].limit + change + adjust)

    def owed(self, number: int, speed: int, adjust: int) -> int:
        excess = speed - self.limit(number, adjust)
        if excess <= 0:
            return 0
        return excess + (self.token(number) == "overheat")

    def effect(self, place: int) -> str | None:
        """Give what the sector does in which a place lies."""
        number = self.road.number(self.road.sector(place))
        if self.weather is None or self.is_first_line_of_chicane(number):
            return None
        token = self.token(number)
        if token in SECTOR_TOKENS:
            return token
        if token == "weather" or self.setup.rules.weather_sectors == "free":
            return WEATHER[self.weather].sector
        return None

    def press_corners(self) -> set[int]:
        """Name the corners, by number from 0, that can gain a Sponsorship."""
        last_lines = [n for n in range(len(self.corners)) if not self.is_first_line_of_chicane(n)]
        if self.setup.rules.press_corners == "all" or self.setup.modules.event is None:
            return set(last_lines)
        listed = last_lines
        if self.setup.track.press_corners:
            places = [self.place(number - 1) for number in self.setup.track.press_corners]
            listed = [next(n for n in last_lines if self.place(n) == place) for place in places]
        return {listed[(number - 1) % len(listed)] for number in self.setup.event_card.press_corners}
