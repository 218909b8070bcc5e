"""What a position says of garage, weather and events, and what can be wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from heat_core.cards import SPONSORSHIP_CARDS, CardName
from heat_core.data.upgrades import UPGRADE_COPIES
from heat_core.data.weather import ROAD_COPIES, ROADS, RoadName
from heat_core.race.setup import Position, RaceSetup, garage_cards, sponsorship_cards
from heat_core.race.state import Race
from heat_core.rules.sectors import token_places
from heat_core.rules.start import named_cards
from heat_core.shapes import shown
from heat_core.track import Track, compile_track

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


def spent_sponsorships(race: Race) -> tuple[CardName, ...]:
    """List the Sponsorship cards that have left the game: those that are nowhere any more."""
    rest = Counter(sponsorship_cards(race.setup)) - Counter(race.sponsorship_deck)
    for number in race.seats():
        seat = race.seat(number)
        rest -= Counter([*seat.hand, *seat.draw_pile, *seat.discard_pile, *seat.played])
    return tuple(rest.elements())


def position_module_problems(setup: RaceSetup, position: Position) -> list[str]:
    """List what makes a position impossible with what its race has besides the base game."""
    return [
        *_garage_problems(setup),
        *_weather_problems(setup, position),
        *_sponsorship_problems(setup, position),
    ]


def _garage_problems(setup: RaceSetup) -> list[str]:
    owned = setup.carried.upgrades
    if not any(owned):
        return []
    if setup.modules.garage == "none":
        return ["a car has upgrades, and there is no garage"]
    most = Counter(garage_cards(setup, are_owned_in=True))
    named = Counter(card for cards in owned for card in cards)
    problems = [
        f"{car.name}: a Legend has no upgrades"
        for car, cards in zip(setup.cars, owned, strict=True)
        if car.legend and cards
    ]
    for card, count in named.items():
        if card not in most:
            problems.append(f"the garage has no upgrade {card!r}")
        elif count > most[card]:
            problems.append(f"{count} of the upgrade {card!r}, the garage has {UPGRADE_COPIES}")
    return problems


def _weather_problems(setup: RaceSetup, position: Position) -> list[str]:
    problems = []
    if setup.modules.weather and position.weather is None:
        problems.append("a race with weather, and no weather token is named")
    elif not setup.modules.weather and (position.weather is not None or position.roads):
        problems.append("weather and road tokens, and the race has no weather")
    track = compile_track(setup.track)
    if position.roads and len(position.roads) != len(track.corners):
        problems.append(f"{len(position.roads)} road tokens for {len(track.corners)} corners")
    places = token_places(track)
    for corner, token in enumerate(position.roads):
        if token is not None and corner not in places:
            problems.append(f"a road token at the second line of a chicane, corner {corner + 1}")
    for token, count in Counter(position.roads).items():
        if token is not None and count > ROAD_COPIES:
            problems.append(f"{count} of the road token {token!r}, there are {ROAD_COPIES}")
    return problems


def _sponsorship_problems(setup: RaceSetup, position: Position) -> list[str]:
    """Count the Sponsorship cards of all cars, and those spent, against the box."""
    box = Counter(sponsorship_cards(setup))
    if position.spent and not box:
        return ["Sponsorship cards are spent, and the race has none"]
    named = Counter(position.spent)
    for place in position.cars:
        named += named_cards(place)
    problems = [
        f"spent: {card!r} is no Sponsorship" for card in position.spent if card not in SPONSORSHIP_CARDS
    ]
    for card, count in named.items():
        if box and card in SPONSORSHIP_CARDS and count > box[card]:
            problems.append(f"{count} of the card {card!r}, there are {box[card]}")
    return problems
