"""Positions in a few readable words, for tests, puzzles and reports (CORE-15).

`make_position(track, {"ana": "lap 1 space 30 gear 3 engine 6 hand 4 3 2", "ben": "lap 1 space 31"})` is a
race that begins there. What is not named is as at the start: 1st gear, the track's Heat, cards shuffled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName, starting_deck
from heat_core.presets import LEGEND_LEVELS, STANDARD, Rules
from heat_core.rules.movement import free_spot
from heat_core.rules.start import engine_of, named_cards
from heat_core.setup import (
    COLOURS,
    BadSetup,
    CarPosition,
    CarSetup,
    LegendSetup,
    Position,
    RaceSetup,
    make_setup,
)
from heat_core.track import TrackFacts, compile_track

_NUMBERS: Final = ("lap", "space", "gear", "engine")
_CARDS: Final = {"hand": "hand", "draw": "draw_pile", "discard": "discard_pile"}
_SPOTS: Final = {"race": 0, "other": 1}
_MOST_HAND: Final = 40


class BadPosition(BadSetup):
    """A position that cannot be; the text names every problem."""


def make_position(
    track: TrackFacts,
    cars: Mapping[str, str],
    *,
    round: int = 2,
    phase: Literal["shift", "play"] = "shift",
    laps: int | None = None,
    rules: Rules = STANDARD,
    seed: str = "position",
) -> RaceSetup:
    """Build a set-up that begins in the middle of a race.

    Args:
        cars: Name -> words: `lap N space N`, then any of `spot race|other`, `gear N`, `engine N`,
            `hand CARDS`, `draw CARDS` (top first), `discard CARDS`; `legend LEVEL` for a Legend.
        round: The round that begins.
        phase: `play`: the gears named are shifted already, phase 2 is asked.

    Raises:
        BadPosition: A word is wrong, or the position cannot be; all problems are named.
    """
    places, setups, problems = [], [], []
    for colour, (name, words) in zip(COLOURS, cars.items(), strict=False):
        try:
            place, legend = parse_car(words)
        except ValueError as error:
            problems.append(f"{name}: {error}")
            continue
        places.append(place)
        setups.append(CarSetup(name, colour, legend))
    if len(cars) > len(COLOURS):
        problems.append(f"{len(cars)} cars; a race has at most {len(COLOURS)}")
    if problems:
        raise BadPosition("; ".join(problems))
    position = Position(tuple(places), round, phase)
    setup = make_setup(track, setups, seed=seed, laps=laps, rules=rules, position=position)
    if problems := position_problems(setup):
        raise BadPosition("; ".join(problems))
    return setup


def parse_car(words: str) -> tuple[CarPosition, LegendSetup | None]:
    """Read the words of one car; see `make_position`.

    Raises:
        ValueError: A word is unknown, or a value is missing or out of range.
    """
    values: dict[str, Any] = {}
    legend: LegendSetup | None = None
    queue = words.split()
    said = set()
    while queue:
        word = queue.pop(0)
        if word in said:
            raise ValueError(f"{word!r} stands twice")
        said.add(word)
        if word in _CARDS:
            cards = []
            while queue and queue[0] in CATALOGUE:
                cards.append(queue.pop(0))
            values[_CARDS[word]] = cards
            continue
        if not queue:
            raise ValueError(f"{word!r}: a value should follow")
        value = queue.pop(0)
        if word in _NUMBERS:
            if not value.isascii() or not value.isdigit():
                raise ValueError(f"{word} {value!r}: not a number")
            values[word] = int(value)
        elif word == "spot" and value in _SPOTS:
            values["spot"] = _SPOTS[value]
        elif word == "legend" and value in LEGEND_LEVELS:
            legend = LegendSetup(*LEGEND_LEVELS[value])
        else:
            raise ValueError(f"unknown words {word!r} {value!r}")
    try:
        return msgspec.convert(values, CarPosition), legend
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def position_problems(setup: RaceSetup) -> list[str]:
    """List everything that makes a set-up's position impossible."""
    position = setup.position
    if position is None:
        return []
    track = compile_track(setup.track)
    taken: set[int] = set()
    problems = []
    finish = track.finish_line(setup.laps)
    placed = zip(setup.cars, position.cars, strict=True)
    for car, place in sorted(placed, key=lambda pair: pair[1].spot is None):
        if place.space > track.spaces:
            problems.append(f"{car.name}: space {place.space} is past the track's {track.spaces}")
            continue
        if track.progress(place.lap, place.space) > finish:
            problems.append(f"{car.name}: lap {place.lap} is past the race's {setup.laps}")
        spot = free_spot(track, taken, place.space) if place.spot is None else place.spot
        if spot is None or place.space * 2 + spot in taken or spot >= track.spots[place.space]:
            problems.append(f"{car.name}: its spot in space {place.space} is taken or does not exist")
        else:
            taken.add(place.space * 2 + spot)
        if car.legend is None:
            problems += [f"{car.name}: {fault}" for fault in _card_problems(setup, place)]
    return problems


def _card_problems(setup: RaceSetup, place: CarPosition) -> list[str]:
    problems = []
    named = named_cards(place)
    most: Counter[CardName] = Counter(starting_deck(setup.track.stress))
    for card, count in named.items():
        if card not in most and card not in (HEAT, STRESS):
            problems.append(f"there is no card {card!r} in the deck")
        elif card not in (HEAT, STRESS) and count > most[card]:
            problems.append(f"{count} of the card {card!r}, the deck has {most[card]}")
    heat = setup.track.heat + most[HEAT]
    in_engine = place.engine or 0
    if named[HEAT] + in_engine > heat:
        problems.append(f"{named[HEAT] + in_engine} Heat in engine and piles, there are {heat}")
    elif engine_of(setup, place) < 0:
        problems.append("more Heat in the piles than the engine can have lost")
    if len(place.hand or ()) > _MOST_HAND:
        problems.append(f"a hand of {len(place.hand or ())} cards")
    return problems
