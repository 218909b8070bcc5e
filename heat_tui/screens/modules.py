"""The rows for what a race has besides the base game, the same in a new race and in a lobby."""

from __future__ import annotations

from typing import Final, TypeAlias

from heat_core.setup import GARAGES, WITH_EXPANSION, GarageName

Garage: TypeAlias = tuple[GarageName, bool]
"""Which upgrades are drafted, and whether the expansion's are among them."""

NO_GARAGE: Final[Garage] = ("none", False)

GARAGE_CHOICES: Final[list[tuple[Garage, str]]] = [
    (NO_GARAGE, "none"),
    *(((name, False), f"{name} upgrades") for name in GARAGES if name != "none"),
    *(((name, True), f"{name}, expansion") for name in WITH_EXPANSION),
]

WEATHER_CHOICES: Final[list[tuple[bool, str]]] = [(False, "none"), (True, "weather, road tokens")]
