"""The value table: the expected turns to the finish from any place, gear and engine, for one car alone.

Theory of operation. Every move goes forward, so one sweep from the finish line back solves the race: a turn
leads to places whose values are known already. The hand is no part of the state. Instead a few hands are
dealt once for each engine, from the car's deck with the Heat that is not in the engine (a car's Heat is
constant in sum, so the engine tells how much of it circulates), and each is played as well as the table
knows: every gear within reach, every different way to play the cards, boost, flips, corners with their
tokens, spin-outs, what sectors do. A slipstream is offered with a constant chance.

What it leaves out: other cars but for that chance, discards, adrenaline, and the symbols draft, salvage,
refresh, reduce_stress and scrap. Two cases would lead to the place where they began, a move of 0 spaces and
a cluttered hand; they are valued from the next space, with something added.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from heat_core.cards import HAND_ORDER, HEAT, CardName
from heat_core.planner.road import Road
from heat_core.planner.table_key import TableKey
from heat_core.planner.turn_rows import (
    SPACES_A_TURN,
    STANDING_TURNS,
    Group,
    HandGroups,
    Kind,
    Row,
    TurnRows,
    Values,
)
from heat_core.rng import seed_key, shuffled
from heat_core.rules.effects import GEAR_COOLDOWN
from heat_core.rules.shifting import GEARS, shift_bill

_HANDS: Final = 8
"""Dealt for each engine. More take longer and drive no better."""

_MOST_HANDS: Final = 1_500
"""Remembered at once; about 1.5 KB each."""
_KEPT_BYTES: Final = 1_500_000
"""Of what is remembered besides the packed values, about."""


class PackedRows(NamedTuple):
    """The rows of a gear and kind, for all places and engines, one after another.

    Attributes:
        flips: The most that they know.
        width: Values of each.
    """

    flips: int
    width: int
    values: array[float]


_Packed: TypeAlias = dict[tuple[int, Kind], PackedRows]
"""By gear and kind."""


class ValueTable:
    """The expected turns that a car has left at the beginning of a turn.

    Attributes:
        key: What it was made from.
        finish_line: The progress behind which the car has finished.
        road: The lines and sectors of the race.
        turn: What a turn leads to.
    """

    def __init__(self, key: TableKey, values: array[float], rows: _Packed) -> None:
        """Take what `build_table` makes.

        Args:
            values: By progress from the last grid place, by gear, by engine.
            rows: What a turn leads to, for the hands that the table was made with.
        """
        self.key = key
        self.road = Road(key)
        self.finish_line = self.road.finish_line
        self.turn = TurnRows(key, self.road, self.values)
        self._packed = values
        self._packed_rows = rows
        self._places: dict[int, Values] = {}
        self._groups: dict[tuple[CardName, ...], HandGroups] = {}

    def values(self, progress: int) -> Values:
        """Give the expected turns at a place by gear from 1 and engine; below 0 behind the finish line."""
        found = self._places.get(progress)
        if found is None:
            width = self.key.heat + 1
            if progress > self.finish_line:
                found = behind_finish(progress - self.finish_line, width)
            else:
                place = max(0, progress - self.road.first) * len(GEARS)
                found = [
                    self._packed[start * width : (start + 1) * width].tolist()
                    for start in range(place, place + len(GEARS))
                ]
            self._places[progress] = found
        return found

    def turns(self, progress: int, gear: int, engine: int) -> float:
        """Give the expected turns to the finish.

        Args:
            progress: Behind the finish line it is below 0: by how many turns the car is past it.
            gear: In [1, 5).
            engine: Heat in it, at least 0; more than there can be counts as all.
        """
        return self.values(progress)[gear - 1][min(engine, self.key.heat)]

    @property
    def size(self) -> int:
        """About how much memory it takes, in bytes, with all that it may keep."""
        packed = [self._packed, *(rows.values for rows in self._packed_rows.values())]
        # Values are kept as plain numbers too, once they are asked for.
        return sum(len(each) * each.itemsize for each in packed) + 8 * len(self._packed) + _KEPT_BYTES

    def turns_a_lap(self) -> float:
        """Give the turns that a lap takes, the last one, from third gear with half of the engine."""
        return self.turns(self.finish_line - self.key.track.spaces, 3, self.key.heat // 2)

    def best_turn(
        self, progress: int, gear: int, engine: int, pool: tuple[CardName, ...], heat_in_hand: int
    ) -> float:
        """Give the expected turns to the finish with a known hand.

        Args:
            pool: Its playable cards, in hand order.
            heat_in_hand: The rest of it.
        """
        if progress > self.finish_line:
            return (self.finish_line - progress) / SPACES_A_TURN
        best = STANDING_TURNS + self.values(progress + 1)[0][min(engine, self.key.heat)]
        groups = self.groups(pool)
        place = max(0, progress - self.road.first) * (self.key.heat + 1)
        for other, heat in BILLS[self.road.is_flooded(progress)][gear - 1]:
            if heat > engine or other >= len(pool):
                continue
            for group in groups.of_gear(other + 1):
                cooled, left = self.cooled(group, other + 1, engine - heat, heat_in_hand)
                if left >= 0:
                    kind = (group.adjust, cooled if self.road.forbids_cooling else 0)
                    packed = self._packed_rows.get((other + 1, kind))
                    # What no hand that the table was made with can do is too rare to matter.
                    if packed is not None and group.flips <= packed.flips:
                        start = (place + left) * packed.width
                        row = packed.values[start : start + packed.width]
                        best = min(best, *group.places(row))
        return 1.0 + best

    def groups(self, pool: tuple[CardName, ...]) -> HandGroups:
        """Put the ways to play a hand together; they are remembered."""
        found = self._groups.get(pool)
        if found is None:
            if len(self._groups) >= _MOST_HANDS:
                self._groups.clear()
            found = self._groups[pool] = HandGroups(pool, self.turn.shapes)
        return found

    def cooled(self, group: Group, gear: int, engine: int, heat_in_hand: int) -> tuple[int, int]:
        """Say how much is cooled from the hand, and what the engine then has; below 0 it cannot pay."""
        cooled = min(heat_in_hand, GEAR_COOLDOWN.get(gear, 0) + group.cooldown)
        # Some of the Heat that circulates lies in the draw pile, where nothing reaches it.
        circulating = max(0, self.key.heat - engine - heat_in_hand)
        cooled_above = min(group.super_cool, circulating // 2)
        return cooled, min(engine + cooled + cooled_above, self.key.heat) - group.heat

    def __reduce__(self) -> tuple[object, ...]:
        """Make it from the same parts again, in another process."""
        return (ValueTable, (self.key, self._packed, self._packed_rows))


def behind_finish(spaces: int, width: int) -> Values:
    """Give the values of a place so many spaces behind the finish line, for engines in [0, width)."""
    return [[-spaces / SPACES_A_TURN] * width for _ in GEARS]


def build_table(key: TableKey) -> ValueTable:
    """Solve a race for one car: the same key gives the same table everywhere. It takes about 0.2 s."""
    return _Builder(key).build()


class _Probe(NamedTuple):
    """What a hand looks up in a gear: the kind of row, its engine, and which places in it."""

    kind: Kind
    engine: int
    group: Group


_Probes: TypeAlias = list[list[list[_Probe]]]
"""Of one hand: by gear from 1, by the Heat that the shift cost."""


class _Builder:
    def __init__(self, key: TableKey) -> None:
        self.key = key
        self.values: dict[int, Values] = {}
        # Its places are filled in from behind; `values` is asked for those only that are.
        self.table = ValueTable(key, array("f"), {})
        self.turn = TurnRows(key, self.table.road, self._after)
        # By gear: the kinds of row that any hand looks up, with the most flips.
        self.kinds: dict[int, dict[Kind, int]] = {gear: {} for gear in GEARS}
        self.rows: dict[tuple[int, Kind], list[list[Row]]] = {}
        self.probes = [self._hands(engine) for engine in range(key.heat + 1)]

    def _hands(self, engine: int) -> list[_Probes]:
        """Deal hands for an engine.

        The same order of the deck serves all engines: a Heat more in the engine takes one out of it. So
        engines differ by what Heat is worth, not by luck.
        """
        key = seed_key("hands")
        deck = [*self.key.deck, *[HEAT] * self.key.heat]
        hands = []
        for number in range(_HANDS):
            order = list(shuffled(key, number, deck))
            for _ in range(engine):
                order.remove(HEAT)
            hands.append(self._probes(order[: self.key.hand_size], engine))
        return hands

    def _probes(self, hand: Sequence[CardName], engine: int) -> _Probes:
        pool = tuple(sorted([card for card in hand if card != HEAT], key=HAND_ORDER.__getitem__))
        heat_in_hand = len(hand) - len(pool)
        return [
            [
                self._gear_probes(gear, pool, engine - cost, heat_in_hand) if cost <= engine else []
                for cost in range(_SHIFT_PRICES)
            ]
            for gear in GEARS
        ]

    def _gear_probes(
        self, gear: int, pool: tuple[CardName, ...], engine: int, heat_in_hand: int
    ) -> list[_Probe]:
        kinds = self.kinds[gear]
        probes = []
        for group in self.table.groups(pool).of_gear(gear):
            cooled, left = self.table.cooled(group, gear, engine, heat_in_hand)
            if left >= 0:
                kind = (group.adjust, cooled if self.table.road.forbids_cooling else 0)
                kinds[kind] = max(group.flips, kinds.get(kind, 0))
                probes.append(_Probe(kind, left, group))
        return probes

    def build(self) -> ValueTable:
        road = self.table.road
        for progress in range(road.finish_line, road.first - 1, -1):
            self._add(progress)
        places = [self.values[progress] for progress in range(road.first, road.finish_line + 1)]
        values = array("f", chain.from_iterable(chain.from_iterable(gears) for gears in places))
        packed = {}
        for (gear, kind), by_place in self.rows.items():
            rows = array("f")
            for place in reversed(by_place):
                for row in place:
                    rows.extend(row)
            packed[gear, kind] = PackedRows(self.kinds[gear][kind], len(by_place[0][0]), rows)
        return ValueTable(self.key, values, packed)

    def _after(self, progress: int) -> Values:
        found = self.values.get(progress)
        if found is None:
            past = progress - self.table.finish_line
            found = self.values[progress] = behind_finish(past, self.key.heat + 1)
        return found

    def _add(self, progress: int) -> None:
        """Solve a place, all those ahead being solved."""
        rows = [
            {kind: self.turn.rows(progress, gear, kind, flips) for kind, flips in kinds.items()}
            for gear, kinds in self.kinds.items()
        ]
        for gear, kinds_rows in zip(GEARS, rows, strict=True):
            for kind, of_engines in kinds_rows.items():
                self.rows.setdefault((gear, kind), []).append(of_engines)
        bills = BILLS[self.table.road.is_flooded(progress)]
        stuck = self._after(progress + 1)[0]
        values: Values = [[] for _ in GEARS]
        for engine, hands in enumerate(self.probes):
            standing = STANDING_TURNS + stuck[engine]
            sums = [0.0] * len(GEARS)
            for hand in hands:
                best = [
                    [_best(probes, gear_rows, standing) for probes in prices]
                    for prices, gear_rows in zip(hand, rows, strict=True)
                ]
                for gear, reach in enumerate(bills):
                    sums[gear] += min([best[other][heat] for other, heat in reach])
            for gear, total in enumerate(sums):
                values[gear].append(1.0 + total / _HANDS)
        self.values[progress] = values


def _best(probes: list[_Probe], rows: dict[Kind, list[Row]], standing: float) -> float:
    best = standing
    for kind, engine, group in probes:
        value = min(group.places(rows[kind][engine]))
        if value < best:
            best = value
    return best


_Bills: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]


def _bills(*, is_flooded: bool) -> _Bills:
    return tuple(
        tuple(
            (other - 1, sum(part.amount for part in shift_bill(gear, other, is_flooded=is_flooded)))
            for other in GEARS
            if abs(other - gear) <= 2
        )
        for gear in GEARS
    )


BILLS: Final[dict[bool, _Bills]] = {is_flooded: _bills(is_flooded=is_flooded) for is_flooded in (False, True)}
"""By whether the space is flooded, by gear from 0: the gears within reach, from 0 too, and their costs."""

_SHIFT_PRICES: Final = 1 + max(heat for bills in BILLS.values() for reach in bills for _, heat in reach)
