"""The road tokens of a position in words: one word for each corner at which a token can lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.data.weather import ROADS, RoadName
from heat_core.rules.sectors import token_places
from heat_core.shapes import shown
from heat_core.track import Track

NO_TOKEN: Final = "-"
"""Stands in the words for roads where no token lies."""


def parse_roads(track: Track, text: str) -> tuple[tuple[RoadName | None, ...], list[str]]:
    """Read road tokens: one word for each corner at which one can lie, in driving order.

    Returns:
        The tokens by number of the corner, empty where there are none, and what is wrong.
    """
    words = text.split()
    if not words:
        return (), []
    names: dict[str, RoadName] = {name: name for name in ROADS}
    known = ", ".join((*names, NO_TOKEN))
    faults = [
        f"roads: {shown(word)}: it is one of {known}"
        for word in words
        if word not in names and word != NO_TOKEN
    ]
    places = token_places(track)
    if len(words) != len(places):
        faults.append(f"roads: {len(words)} tokens for the {len(places)} corners where one lies")
        return (), faults
    tokens = {place: names.get(word) for place, word in zip(places, words, strict=True)}
    return tuple(tokens.get(corner) for corner in range(len(track.corners))), faults


def road_words(track: Track, roads: Sequence[RoadName | None]) -> str:
    """Write road tokens; `parse_roads` reads the same ones from it."""
    return " ".join(roads[place] or NO_TOKEN for place in token_places(track)) if roads else ""
