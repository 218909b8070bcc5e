"""Weather and road tokens: facts of the printed tokens, one line each (WEATHER-1, WEATHER-2)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

WeatherName: TypeAlias = Literal["clouds", "fog", "storm", "snow", "rain", "sun"]

SectorEffect: TypeAlias = Literal[
    "no_cooldown", "no_slipstream", "slipstream+1", "slipstream+2", "cooldown+1", "free-boost"
]
"""What a sector does to a car that is in it. docs/rules.md: Weather and road tokens."""

CornerToken: TypeAlias = Literal["limit-1", "limit+1", "overheat"]
"""The road tokens that act on a corner."""

RoadName: TypeAlias = Literal["weather", "free-boost", "slipstream+1"] | CornerToken


class WeatherFacts(NamedTuple):
    """One weather token.

    Attributes:
        stress: Stress cards more in every deck.
        heat: Heat more in every engine.
        heat_to_draw_pile: Heat that begins the race in the draw pile instead of the engine.
        heat_to_discard_pile: Heat that begins the race in the discard pile instead of the engine.
        sector: What it does in the sectors where it acts.
    """

    stress: int
    heat: int
    heat_to_draw_pile: int
    heat_to_discard_pile: int
    sector: SectorEffect | None


NO_WEATHER: Final = WeatherFacts(0, 0, 0, 0, None)
"""What a race without weather has."""

WEATHER: Final[dict[WeatherName, WeatherFacts]] = {
    "clouds": WeatherFacts(-1, 0, 0, 0, "no_cooldown"),
    "fog": WeatherFacts(0, 1, 0, 0, "no_slipstream"),
    "storm": WeatherFacts(1, 0, 0, 0, "slipstream+2"),
    "snow": WeatherFacts(0, -1, 0, 0, "cooldown+1"),
    "rain": WeatherFacts(0, 0, 3, 0, "cooldown+1"),
    "sun": WeatherFacts(0, 0, 0, 3, "slipstream+2"),
}

ROAD_COPIES: Final = 2
"""Copies of each road token in the game."""

ROADS: Final[dict[RoadName, CornerToken | SectorEffect | None]] = {
    "weather": None,
    "overheat": "overheat",
    "limit-1": "limit-1",
    "limit+1": "limit+1",
    "free-boost": "free-boost",
    "slipstream+1": "slipstream+1",
}
"""Road token -> what it does at its corner or in the sector behind; None: the weather's sector effect."""

CORNER_TOKENS: Final[frozenset[RoadName]] = frozenset({"overheat", "limit-1", "limit+1"})
"""The tokens that act at the corner; the others act in the sector behind it."""
