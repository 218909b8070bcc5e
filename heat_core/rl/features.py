"""What a seat may know as numbers, for agents that learn.

An observation becomes one row of numbers in [-1, 1]. Each has a name and a measure: the count, distance or
speed that is shown as 1; whatever is beyond it is shown as 1 too. Yes and no are 1 and 0. The own car comes
first, the others follow from the leader on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from heat_core.cards import HEAT, STRESS, CardName
from heat_core.data.sponsorships import EXPANSION_SPONSORSHIPS, SPONSORSHIP_COPIES, SPONSORSHIPS
from heat_core.data.weather import WEATHER, SectorEffect
from heat_core.decisions import kind_of
from heat_core.decisions.kinds import KINDS
from heat_core.race.phase import Phase
from heat_core.race.setup import MAX_CARS
from heat_core.rl.actions import ACTIONS, CARDS, action_text
from heat_core.rules.corners import limit_at
from heat_core.rules.sectors import corner_token
from heat_core.rules.shifting import GEARS
from heat_core.view.observation import Observation
from heat_core.view.race_view import CarView

Row: TypeAlias = NDArray[np.float32]

_EFFECTS: Final[tuple[SectorEffect, ...]] = get_args(SectorEffect)
_KINDS: Final = tuple(KINDS)
_PLACE_OF_CARD: Final = {card: place for place, card in enumerate(CARDS)}

_CORNERS_AHEAD: Final = 4
_FAR_SPACES: Final = 40
_RACE_SPACES: Final = 300
_MANY: Final = 10
"""Heat and Stress cards of a pile."""
_FEW: Final = 4
"""Copies of another card in a pile."""
_DECK: Final = 25
_FAST: Final = 20
_LONG_RACE_ROUNDS: Final = 100


class Measured(NamedTuple):
    """A number of the row.

    Attributes:
        name: Says in the game's words what it is.
        most: What is shown as 1.
    """

    name: str
    most: float = 1


_Values: TypeAlias = Iterable[float]


class _Block(NamedTuple):
    """Numbers that belong together: what they are, and how they are read."""

    names: tuple[Measured, ...]
    read: Callable[[Observation], _Values]


def _one_of(name: str, words: Iterable[object]) -> tuple[Measured, ...]:
    return tuple(Measured(f"{name} {word}") for word in words)


def _flags(words: Sequence[object], *shown: object) -> list[float]:
    return [float(word in shown) for word in words]


def _asked(seen: Observation) -> _Values:
    own = seen.own
    if own.choice is None or own.chosen is not None:
        return [0.0] * len(_KINDS)
    return _flags(_KINDS, kind_of(own.choice))


_RACE: Final = (
    *_one_of("phase", (phase.name.lower() for phase in Phase)),
    Measured("round", _LONG_RACE_ROUNDS),
    Measured("last round"),
    *_one_of("weather", WEATHER),
    Measured("Sponsorships left", SPONSORSHIP_COPIES * len(SPONSORSHIPS + EXPANSION_SPONSORSHIPS)),
)


def _race(seen: Observation) -> _Values:
    view = seen.view
    return [
        *_flags(tuple(Phase), view.phase),
        view.round,
        view.is_last_round,
        *_flags(tuple(WEATHER), view.weather),
        view.sponsorships_left,
    ]


_ROAD: Final = (
    Measured("spaces to the finish", _RACE_SPACES),
    Measured("here flooded"),
    Measured("here tunnel"),
    *_one_of("here", _EFFECTS),
    *(
        measured
        for number in range(1, _CORNERS_AHEAD + 1)
        for measured in (
            Measured(f"corner {number} spaces before", _FAR_SPACES),
            Measured(f"corner {number} limit", _FAST),
            Measured(f"corner {number} overheat"),
            *_one_of(f"corner {number} then", _EFFECTS),
        )
    ),
)


def _road(seen: Observation) -> _Values:
    """Read the road from the own car on; corners behind the finish are none."""
    track, progress, roads = seen.track, seen.own_car.progress, seen.view.roads
    space = track.space(progress)
    values: list[float] = [seen.finish_line - progress, track.is_flooded[space], track.is_tunnel[space]]
    values += _flags(_EFFECTS, seen.sector_effect(progress))
    line = track.next_line(progress)
    for _ in range(_CORNERS_AHEAD):
        if line > seen.finish_line:
            values += [_FAR_SPACES, _FAST, 0.0, *_flags(_EFFECTS)]
            continue
        corner = track.corner_at(line)
        overheats = corner_token(track, roads, corner) == "overheat"
        values += [line - progress, limit_at(track, roads, corner), overheats]
        values += _flags(_EFFECTS, seen.sector_effect(line + 1))
        line = track.next_line(line + 1)
    return values


_TURN: Final = (
    Measured("own turn"),
    Measured("turn speed", _FAST),
    Measured("turn flips", _FEW),
    Measured("turn spaces moved", _FAR_SPACES),
    Measured("turn corner lines crossed", _CORNERS_AHEAD),
    Measured("turn lowest limit crossed", _FAST),
    Measured("turn adjust", _FEW),
)


def _turn(seen: Observation) -> _Values:
    """Read the own turn; in those of others all is 0."""
    turn = seen.view.turn
    if turn is None or turn.car != seen.own.seat:
        return [0.0] * len(_TURN)
    track = seen.track
    limits = [limit_at(track, seen.view.roads, track.corner_at(line)) for line in turn.lines]
    return [
        1.0,
        turn.speed or 0,
        turn.flips,
        seen.own_car.progress - turn.start,
        len(limits),
        min(limits, default=_FAST),
        sum(symbol.number for symbol in turn.symbols if symbol.kind == "adjust"),
    ]


_CAR: Final = (
    Measured("is there"),
    Measured("is a Legend"),
    Measured("races"),
    Measured("spaces ahead of the own car", _FAR_SPACES),
    Measured("spaces to the finish", _RACE_SPACES),
    Measured("off the race line"),
    *_one_of("gear", GEARS),
    Measured("engine", _MANY),
    Measured("hand", _MANY),
    Measured("draw pile", _DECK),
    Measured("discard pile", _DECK),
    Measured("discarded Heat", _MANY),
    Measured("Legend speed", _FAST),
    Measured("adrenaline"),
    Measured("turn is over"),
    Measured("place", MAX_CARS),
)

_CARS: Final = tuple(
    Measured(f"car {number} {name}", most) for number in range(MAX_CARS) for name, most in _CAR
)


def _cars(seen: Observation) -> _Values:
    view = seen.view
    own = seen.own.seat
    # Cars have their turns in this order; who comes before the active one has had it.
    active = view.turn_order.index(view.turn.car) if view.turn and view.turn_order else 0
    had_turns = view.turn_order[:active]
    values: list[float] = []
    for number in (own, *(car for car in view.ranking if car != own)):
        car = view.cars[number]
        values += [
            1.0,
            car.is_legend,
            car.status == "racing",
            car.progress - seen.own_car.progress,
            seen.finish_line - car.progress,
            car.spot,
            *_cards(car),
            car.speed or 0,
            number in view.adrenaline,
            number in had_turns,
            view.ranking.index(number) + 1,
        ]
    return values + [0.0] * (len(_CARS) - len(values))


def _cards(car: CarView) -> list[float]:
    if car.is_legend:
        return [0.0] * (len(GEARS) + 5)
    piles = [car.engine, car.hand_size, car.draw_size, len(car.discard_pile), car.discard_pile.count("heat")]
    return [*_flags(GEARS, car.gear), *piles]


_BLOCKS: Final = (
    _Block(_one_of("asked for", _KINDS), _asked),
    _Block(_RACE, _race),
    _Block(_ROAD, _road),
    _Block(_TURN, _turn),
    _Block(_CARS, _cars),
)

_PILES: Final[dict[str, Callable[[Observation], Sequence[CardName]]]] = {
    "hand": lambda seen: seen.own.hand,
    "face down": lambda seen: seen.own.face_down,
    "draw pile": lambda seen: seen.own.draw_pile,
    "discard pile": lambda seen: seen.own_car.discard_pile,
    "played": lambda seen: seen.own_car.played,
    "upgrades": lambda seen: seen.own_car.upgrades,
    "offered": lambda seen: seen.view.offered,
}

FEATURES: Final = (
    *(measured for block in _BLOCKS for measured in block.names),
    *(
        Measured(f"{pile} {card}", _MANY if card in (HEAT, STRESS) else _FEW)
        for pile in _PILES
        for card in CARDS
    ),
    *(Measured(f"taken {action_text(number)}", _FEW) for number in range(len(ACTIONS))),
)
"""The numbers of a row, in order: those that are read, then cards of piles and actions, which are counted."""

_MEASURES: Final = np.array([measured.most for measured in FEATURES], dtype=np.float32)
_READ: Final = sum(len(block.names) for block in _BLOCKS)
_FIRST_OF_TAKEN: Final = len(_PILES) * len(CARDS)


def features(observation: Observation, taken: Sequence[int]) -> Row:
    """Write a seat's observation as a row of numbers.

    Args:
        taken: Actions of its answer so far.

    Returns:
        As long as `FEATURES`, each number in [-1, 1].
    """
    read: list[float] = []
    for block in _BLOCKS:
        read += block.read(observation)
    counted = [_FIRST_OF_TAKEN + number for number in taken]
    for number, cards_of in enumerate(_PILES.values()):
        first = number * len(CARDS)
        counted += [first + _PLACE_OF_CARD[card] for card in cards_of(observation)]
    row = np.empty(len(FEATURES), dtype=np.float32)
    row[:_READ] = read
    row[_READ:] = np.bincount(counted, minlength=len(FEATURES) - _READ)
    row /= _MEASURES
    return np.clip(row, -1, 1, out=row)
