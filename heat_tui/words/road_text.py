"""Corners and sectors in words: limits as road tokens and cards change them, what a sector does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from heat_core.data.weather import RoadName, SectorEffect, WeatherName
from heat_core.race.events import Part
from heat_core.race.presets import WeatherSectors
from heat_core.race.setup import RaceSetup
from heat_core.rules.corners import corner_limit, limit_at
from heat_core.rules.sectors import corner_token, sector_effects
from heat_core.sentences.events import limit_text as full_limit_text
from heat_core.sentences.weather import sector_word, weather_text
from heat_core.track import Track
from heat_core.view.race_view import RaceView
from heat_tui.map.signs import CornerNote
from heat_tui.words.season_table import event_lines

_SECTOR_SENTENCES: Final[dict[SectorEffect, str]] = {
    "no_cooldown": "nothing cools",
    "no_slipstream": "no slipstream begins",
    "slipstream+1": "a slipstream may go 1 further",
    "slipstream+2": "a slipstream may go 2 further",
    "cooldown+1": "in phase 5 you may cool 1 more Heat",
    "free-boost": "a boost costs no Heat",
}
_SHORT_SECTORS: Final[dict[SectorEffect, str]] = {
    "no_cooldown": "no cool",
    "no_slipstream": "no slip",
    "slipstream+1": "slip+1",
    "slipstream+2": "slip+2",
    "cooldown+1": "cool+1",
    "free-boost": "boost 0",
}
_SHORTEST_SECTORS: Final[dict[SectorEffect, str]] = {
    "no_cooldown": "-c",
    "no_slipstream": "-s",
    "slipstream+1": "s1",
    "slipstream+2": "s2",
    "cooldown+1": "c1",
    "free-boost": "b0",
}
OVERHEAT_SENTENCE: Final = "if you pay here, pay 1 more Heat"
_PART_WORDS: Final = {"road token": "road", "adjust": "cards"}


class CornerMark(NamedTuple):
    """What a corner is marked with.

    Attributes:
        limit: As its road token changes it.
        is_overheating: Whether who pays there pays one Heat more.
        sector: What the sector behind it does, "" for nothing.
        sector_sign: The same in two letters.
    """

    limit: int
    is_overheating: bool
    sector: str
    sector_sign: str = ""

    def note(self) -> CornerNote:
        """Give what the map says of the corner besides its limit."""
        words = (self.sector, self.sector_sign) if self.sector else ()
        return CornerNote(self.is_overheating, words)


def corner_marks(track: Track, view: RaceView, where: WeatherSectors) -> tuple[CornerMark, ...]:
    """Give what each corner is marked with, by number from 0."""
    roads = view.roads
    if view.weather is None and not roads:
        return tuple(CornerMark(corner.limit, False, "") for corner in track.corners)
    effects = sector_effects(track, roads, view.weather, where)
    return tuple(
        CornerMark(
            limit_at(track, roads, corner),
            corner_token(track, roads, corner) == "overheat",
            "" if effect is None else _SHORT_SECTORS[effect],
            "" if effect is None else _SHORTEST_SECTORS[effect],
        )
        for corner, effect in enumerate(effects)
    )


def limit_text(parts: Sequence[Part], limit: int) -> str:
    """Say what a limit is made of, shortly: `limit 4`, or `limit 3 + 1 road = 4`."""
    return full_limit_text(parts, limit, _PART_WORDS)


def corner_text(track: Track, roads: Sequence[RoadName | None], corner: int) -> str:
    """Say the limit of a corner and what a road token changes: `limit 3, overheat`."""
    token = corner_token(track, roads, corner)
    text = limit_text(corner_limit(track, corner, token, 0), limit_at(track, roads, corner))
    return f"{text}, overheat" if token == "overheat" else text


def sector_sentence(effect: SectorEffect) -> str:
    """Say what a sector does and what that means: `cooldown +1: in phase 5 you may cool 1 more Heat`."""
    return f"{sector_word(effect)}: {_SECTOR_SENTENCES[effect]}"


def weather_lines(
    track: Track, roads: tuple[RoadName | None, ...], weather: WeatherName | None, setup: RaceSetup
) -> list[str]:
    """Explain weather and road: what changed for all, then each corner and the sector behind it.

    In a championship the race's event card comes before that.
    """
    modules = setup.modules
    lines: list[str] = []
    if modules.event is not None:
        lines += [*event_lines(modules.event, has_sponsorships=modules.sponsorships), ""]
    if weather is None and not roads:
        if modules.weather:
            return [*lines, "Weather and road tokens are drawn after the draft."]
        return [*lines, "This race has no weather and no road tokens."]
    if weather is not None:
        lines += [f"Weather: {weather}", f"  {weather_text(weather)}", ""]
    lines.append("Corners, and the sectors after them")
    for corner, effect in enumerate(sector_effects(track, roads, weather, setup.rules.weather_sectors)):
        lines.append(f"  {corner + 1:>2}  {corner_text(track, roads, corner)}")
        if corner_token(track, roads, corner) == "overheat":
            lines[-1] += f": {OVERHEAT_SENTENCE}"
        if effect is not None:
            lines.append(f"      after it {sector_sentence(effect)}")
    return lines
