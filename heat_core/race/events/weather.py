"""Weather and road tokens drawn before the race; see `heat_core.race.events`."""

from __future__ import annotations

from heat_core.data.weather import WeatherName
from heat_core.race.events.parts import Happened, Roads


class WeatherDrawn(Happened, frozen=True):
    """The race's weather turns up."""

    weather: WeatherName


class RoadsDrawn(Happened, frozen=True):
    """The road tokens turn up.

    Attributes:
        roads: One for each corner, by number; None where none lies.
    """

    roads: Roads
