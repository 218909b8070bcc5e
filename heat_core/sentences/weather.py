"""Weather, sectors and road tokens in plain words."""

from __future__ import annotations

from typing import Final

from heat_core.data.weather import WEATHER, RoadName, SectorEffect, WeatherName

_SECTOR_WORDS: Final[dict[SectorEffect, str]] = {
    "no_cooldown": "no cooldown",
    "no_slipstream": "no slipstream",
    "slipstream+1": "slipstream +1",
    "slipstream+2": "slipstream +2",
    "cooldown+1": "cooldown +1",
    "free-boost": "free boost",
}
_ROAD_WORDS: Final[dict[RoadName, str]] = {
    "weather": "weather",
    "overheat": "overheat",
    "limit-1": "limit -1",
    "limit+1": "limit +1",
    "free-boost": _SECTOR_WORDS["free-boost"],
    "slipstream+1": _SECTOR_WORDS["slipstream+1"],
}


def sector_word(effect: SectorEffect) -> str:
    """Say what a sector does: `slipstream +1`."""
    return _SECTOR_WORDS[effect]


def road_word(road: RoadName) -> str:
    """Say what a road token does: `overheat`."""
    return _ROAD_WORDS[road]


def weather_text(weather: WeatherName) -> str:
    """Say what a weather changes for all: `1 Stress less`, and what its sectors do."""
    facts = WEATHER[weather]
    words = [
        f"{abs(number)} {what} {'more' if number > 0 else 'less'}"
        for number, what in ((facts.stress, "Stress"), (facts.heat, "Heat"))
        if number
    ]
    if facts.heat_to_draw_pile:
        words.append(f"{facts.heat_to_draw_pile} Heat start in the draw pile")
    if facts.heat_to_discard_pile:
        words.append(f"{facts.heat_to_discard_pile} Heat start in the discard pile")
    if facts.sector is not None:
        words.append(f"{sector_word(facts.sector)} in weather sectors")
    return ", ".join(words)
