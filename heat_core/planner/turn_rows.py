"""What one turn leads to, from the values of the places ahead: by speed, flips, gear and engine.

The table is built with it, and weighs the hands of the turn after the next with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from heat_core.cards import CardName
from heat_core.planner.road import Road
from heat_core.planner.table_key import TableKey
from heat_core.planner.ways import (
    FASTEST_FLIP,
    SPEED_AND_FLIPS,
    most_speed,
    packed_ways,
    rest_of_way,
    speed_and_flips,
)
from heat_core.rules.shifting import GEARS

SPACES_A_TURN: Final = 9.5
"""About how far a car drives in a turn: turns into spaces, and back."""

SLIPSTREAM_CHANCE: Final = 0.2
"""How often a car that could use a slipstream has one, where nothing is known of the others."""
_STRESS_TURNS: Final = 0.2
"""What a Stress card in the hand costs."""
STANDING_TURNS: Final = 0.3
"""What is added to the value of the next space where a car stays where it is."""
_OUT_OF_RACE_TURNS: Final = 30.0
"""What a spin-out costs beside its turn where it ends the race."""
_MOST_FLIPS: Final = 4

Row: TypeAlias = "array[float]"
"""Values by speed for no flip, then those for one, and so on; see `Shape`."""

Values: TypeAlias = list[list[float]]
"""Expected turns at a place, by gear from 1, by engine."""

Kind: TypeAlias = tuple[int, int]
"""Rows of a gear differ by adjust symbols and, where a sector may forbid it, by the Heat that was cooled."""


class Shape(NamedTuple):
    """How the rows of a gear are laid out.

    Attributes:
        speeds: The greatest speed, flips counted as 4 each.
        offsets: By number of flips: where the values begin, by speed without the flips.
    """

    speeds: int
    offsets: tuple[int, ...]


def shape_of(deck: Sequence[CardName], gear: int) -> Shape:
    """Lay out the rows of a gear for a deck."""
    most = most_speed(deck, gear)
    offsets, offset = [], 0
    for flips in range(_MOST_FLIPS + 1):
        offsets.append(offset)
        offset += max(0, most + 1 - FASTEST_FLIP * flips)
    return Shape(most, tuple(offsets))


class Group(NamedTuple):
    """Ways to play a hand that differ by speed and flips alone.

    Attributes:
        flips: The most of any of them.
        places: Takes the values of all of them from a row.
    """

    adjust: int
    heat: int
    cooldown: int
    super_cool: int
    flips: int
    places: Callable[[Sequence[float]], tuple[float, ...]]


class HandGroups:
    """The ways to play a hand by gear, put together when a gear is first asked for."""

    __slots__ = ("_found", "_shapes", "_ways")

    def __init__(self, pool: tuple[CardName, ...], shapes: Mapping[int, Shape]) -> None:
        """Take a hand's playable cards, in hand order."""
        self._ways = packed_ways(pool)
        self._shapes = shapes
        self._found: dict[int, tuple[Group, ...]] = {}

    def of_gear(self, gear: int) -> tuple[Group, ...]:
        """Give those of a gear; none where the hand cannot fill it."""
        found = self._found.get(gear)
        if found is None:
            found = self._found[gear] = _groups_of(self._ways[gear], self._shapes[gear])
        return found


def _groups_of(ways: Iterable[int], shape: Shape) -> tuple[Group, ...]:
    by_rest: dict[int, list[int]] = {}
    for way in ways:
        by_rest.setdefault(way & ~SPEED_AND_FLIPS, []).append(way & SPEED_AND_FLIPS)
    groups = []
    for packed, drives in by_rest.items():
        rest = rest_of_way(packed)
        most = 0
        places = []
        for drive in drives:
            speed, flips = speed_and_flips(drive)
            if flips > _MOST_FLIPS:
                flips = _MOST_FLIPS
            if flips > most:
                most = flips
            offset, fastest = shape.offsets[flips], shape.speeds - FASTEST_FLIP * flips
            if speed <= fastest:
                places.append(offset + speed)
            if rest.accelerate and speed + rest.accelerate * flips <= fastest:
                places.append(offset + speed + rest.accelerate * flips)
        if places:
            # One place twice, for a getter of one gives no tuple.
            getter = itemgetter(places[0], *places)
            groups.append(Group(rest.adjust, rest.heat, rest.cooldown, rest.super_cool, most, getter))
    return tuple(groups)


class TurnRows:
    """What a turn leads to from any place.

    Attributes:
        shapes: By gear: how its rows are laid out.
    """

    def __init__(self, key: TableKey, road: Road, after: Callable[[int], Values]) -> None:
        """Begin with the values of the places ahead.

        Args:
            after: Gives them by progress, behind the finish line too.
        """
        self.shapes = {gear: shape_of(key.deck, gear) for gear in GEARS}
        self._key = key
        self._road = road
        self._after = after

    def rows(self, progress: int, gear: int, kind: Kind, most_flips: int = _MOST_FLIPS) -> list[Row]:
        """Work out what a turn in a gear leads to: by engine before corners are checked, a row."""
        adjust, cooled = kind
        speeds = self.shapes[gear].speeds
        has_boost = gear in self._key.boost_gears
        most = speeds + (FASTEST_FLIP if has_boost else 0)
        columns = [self._column(progress, speed, gear, adjust, cooled) for speed in range(most + 1)]
        by_engine = list(zip(*columns, strict=True))
        rows = []
        for engine, moved in enumerate(by_engine):
            values = list(moved[: speeds + 1])
            if has_boost:
                boosted = _flipped(by_engine[engine - 1]) if engine else []
                values[: len(boosted)] = map(min, values, boosted)
                for speed in self._road.free_boosts(progress, speeds):
                    values[speed] = min(values[speed], _flipped(moved)[speed])
            row = array("f", values)
            for _ in range(most_flips):
                values = _flipped(values)
                row.extend(values)
            rows.append(row)
        return rows

    def _column(self, progress: int, speed: int, gear: int, adjust: int, cooled: int) -> list[float]:
        """Give what a move at a speed leads to, by engine, where a slipstream may come by chance."""
        end = progress + speed
        values = self.moved(progress, end, speed, gear, adjust)
        if gear in self._key.slipstream_gears:
            for further in self._road.slipstreams(end):
                followed = self.moved(progress, end + further, speed, gear, adjust)
                values = [
                    value if value <= other else value + SLIPSTREAM_CHANCE * (other - value)
                    for value, other in zip(values, followed, strict=True)
                ]
        change = self._road.cooling_change(end, cooled)
        if change > 0:
            return self._cooled_here(values)
        return values if not change else [values[0]] * -change + values[:change]

    def _cooled_here(self, values: list[float]) -> list[float]:
        """Cool one Heat more, if one is in the hand."""
        size, cards = self._key.hand_size, len(self._key.deck)
        cooler = [*values[1:], values[-1]]
        result = []
        for engine, (value, cooled) in enumerate(zip(values, cooler, strict=True)):
            heat = self._key.heat - engine
            chance = 1.0 - max(0.0, 1.0 - size / (cards + heat)) ** heat
            result.append(value + chance * min(0.0, cooled - value))
        return result

    def moved(self, progress: int, end: int, speed: int, gear: int, adjust: int) -> list[float]:
        """Give what a move leads to once its corners are paid, or not.

        Returns:
            The turns left after it, by the engine before corners are checked.
        """
        if end == progress:
            return [STANDING_TURNS + value for value in self._after(progress + 1)[gear - 1]]
        owed = 0
        spun: list[float] = []
        for line, limit, surcharge in self._road.lines_crossed(progress, end):
            limit = max(0, limit + adjust)
            if speed > limit:
                owed += speed - limit + surcharge
                if owed > len(spun):
                    spun += [self.spun_out(progress, line, gear)] * (owed - len(spun))
        ahead = self._after(end)[gear - 1]
        if not owed:
            return ahead
        spun = spun[: len(ahead)]
        return spun + ahead[: len(ahead) - len(spun)]

    def spun_out(self, progress: int, line: int, gear: int) -> float:
        """Give the turns left after a spin-out at a line, by the gear of the turn."""
        turns = _STRESS_TURNS * (1 if gear <= 2 else 2)
        if self._key.spin_out_ends_race:
            turns += _OUT_OF_RACE_TURNS
        if line > progress:
            return turns + self._after(line)[0][0]
        return turns + STANDING_TURNS + self._after(line + 1)[0][0]


def _flipped(values: Sequence[float]) -> list[float]:
    """Give the mean over a flip of 1 to 4, for every speed that has all four."""
    return [
        (one + two + three + four) / 4
        for one, two, three, four in zip(values[1:], values[2:], values[3:], values[4:], strict=False)
    ]
