"""What weather and road tokens do: at corners and in sectors.

docs/rules.md: Weather and road tokens (WEATHER-1, WEATHER-2).

A sector runs from a corner line to the next and has the number of the corner that it begins at. Of a
chicane's two lines, which share the first one's token, both feel what acts on corners, and only the sector
behind the second has what acts on sectors; the stretch between has nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from heat_core.data.weather import (
    CORNER_TOKENS,
    ROAD_COPIES,
    ROADS,
    WEATHER,
    CornerToken,
    RoadName,
    SectorEffect,
    WeatherName,
)
from heat_core.race.presets import WeatherSectors
from heat_core.track import Track


def token_place(track: Track, corner: int) -> int:
    """Give the corner whose token counts at a corner: its own, in a chicane the first one's.

    Args:
        corner: Its number, from 0.
    """
    chicane = track.corners[corner].chicane_with_corner
    return chicane - 1 if chicane else corner


def token_places(track: Track) -> tuple[int, ...]:
    """List the corners, by number from 0, at which a road token lies."""
    return tuple(corner for corner in range(len(track.corners)) if token_place(track, corner) == corner)


@lru_cache(maxsize=64)
def road_problems(track: Track, roads: tuple[RoadName | None, ...]) -> tuple[str, ...]:
    """List what is wrong with the road tokens of a race, nothing where there are none.

    Args:
        roads: The token of each corner, by number; empty where there are none.
    """
    problems = []
    if roads and len(roads) != len(track.corners):
        problems.append(f"{len(roads)} road tokens for {len(track.corners)} corners")
    places = token_places(track)
    for corner, token in enumerate(roads):
        if token is not None and corner not in places:
            problems.append(f"a road token at corner {corner + 1}, the second line of a chicane")
    for token, count in Counter(roads).items():
        if token is not None and count > ROAD_COPIES:
            problems.append(f"{count} of the road token {token!r}, there are {ROAD_COPIES}")
    return tuple(problems)


def corner_token(track: Track, roads: Sequence[RoadName | None], corner: int) -> CornerToken | None:
    """Give the token that acts on a corner line, None where none does.

    Args:
        roads: The token of each corner, by number; empty where there are none.
    """
    if not roads:
        return None
    token = roads[token_place(track, corner)]
    return token if token in CORNER_TOKENS else None  # type: ignore[return-value]  # because those are such


@lru_cache(maxsize=64)
def sector_effects(
    track: Track, roads: tuple[RoadName | None, ...], weather: WeatherName | None, where: WeatherSectors
) -> tuple[SectorEffect | None, ...]:
    """Say what each sector does.

    Args:
        roads: The token of each corner, by number; empty where there are none.
        weather: None: there is none.
        where: Where the weather acts.

    Returns:
        By number of the corner that the sector begins at.
    """
    before_second_lines = {corner.chicane_with_corner - 1 for corner in track.corners}
    everywhere = WEATHER[weather].sector if weather else None
    effects: list[SectorEffect | None] = []
    for corner in range(len(track.corners)):
        token = roads[token_place(track, corner)] if roads else None
        if corner in before_second_lines:
            effects.append(None)
        elif token == "weather":
            effects.append(everywhere)
        elif token is not None and token not in CORNER_TOKENS:
            effects.append(ROADS[token])  # type: ignore[arg-type]  # because only corner tokens act on corners
        else:
            effects.append(everywhere if where == "free" else None)
    return tuple(effects)


def sector_effect(
    track: Track,
    roads: tuple[RoadName | None, ...],
    weather: WeatherName | None,
    where: WeatherSectors,
    progress: int,
) -> SectorEffect | None:
    """Give what the sector does in which a place lies; see `sector_effects`."""
    if weather is None and not roads:
        return None
    return sector_effects(track, roads, weather, where)[track.corner_at(track.line_behind(progress))]
