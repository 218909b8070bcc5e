"""How a choice may turn out: the own car moved, and all corners of its turn checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from heat_core.cards import REACT_SYMBOLS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.rules.corners import settle_corners
from heat_core.rules.effects import slipstream_changes
from heat_core.rules.movement import slipstream_spaces
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Outcome
from heat_core.view.traffic import Stop, Traffic


class Way(NamedTuple):
    """What does not depend on the flips of a choice.

    Attributes:
        engine: Heat in the engine when corners are checked.
        cards: Those not played yet, whose symbols count besides those of the turn.
        is_slipstream: Whether this is one already.
        dropped: Numbers of the turn's cards that go, for which it is driven again from where it began.
        start: Progress before the move.
        spot: Spot before the move.
        lines: Corner lines that the turn has crossed before it.
        adjust: Sum of the adjust symbols.
    """

    engine: int
    cards: Sequence[CardName]
    is_slipstream: bool
    dropped: frozenset[int]
    start: int
    spot: int
    lines: tuple[int, ...]
    adjust: int


def way_of(
    observation: Observation,
    engine: int,
    cards: Sequence[CardName],
    dropped: frozenset[int],
    *,
    is_slipstream: bool,
) -> Way:
    """Put together what all outcomes of a choice share; the arguments are fields of `Way`."""
    car, turn = observation.own_car, observation.turn
    start, spot = car.progress, car.spot
    lines: tuple[int, ...] = ()
    if turn is not None and turn.car == car.number:
        lines = turn.lines
        if dropped:
            start, spot, lines = turn.start, turn.start_spot, ()
    adjust = sum(_numbers(observation, "adjust", cards, dropped))
    return Way(engine, cards, is_slipstream, dropped, start, spot, lines, adjust)


def outcome_of(
    observation: Observation, traffic: Traffic, way: Way, probability: float, speed: int, spaces: int
) -> Outcome:
    """Move the own car from where it stands, and check all corners of the turn."""
    first, *others = traffic.stops(way.start, way.spot, way.start + spaces)
    instead = tuple([_ending(observation, traffic, way, probability, speed, spaces, stop) for stop in others])
    return _ending(observation, traffic, way, probability, speed, spaces, first, instead)


def _ending(
    observation: Observation,
    traffic: Traffic,
    way: Way,
    probability: float,
    speed: int,
    spaces: int,
    stop: Stop,
    instead: tuple[Outcome, ...] = (),
) -> Outcome:
    """Say what comes of a move that ends on a stop."""
    end, spot, full = stop
    settlement = settle_corners(
        observation.track,
        way.lines + observation.track.lines_crossed(way.start, end, observation.finish_line),
        speed=speed,
        engine=way.engine,
        gear=observation.own_car.gear,
        roads=observation.roads,
        adjust=way.adjust,
    )
    spin_ends: tuple[int, ...] = ()
    if settlement.spin_line is not None:
        back = traffic.stops(way.start, way.spot, settlement.spin_line, full, is_back=True)
        spin_ends = tuple([each.progress for each in back])
    slipstream_end, may_slipstream = None, False
    if not way.is_slipstream and may_slipstream_from(observation, end):
        slipstream_end, may_slipstream = _slipstream(observation, traffic, way, stop)
    return Outcome(
        probability=probability,
        speed=speed,
        aim=way.start + spaces,
        end=end,
        spot=spot,
        bills=settlement.bills,
        owed=sum([bill.owed for bill in settlement.bills]),
        engine_left=settlement.engine_left,
        spin_ends=spin_ends,
        stress=settlement.stress,
        slipstream_end=slipstream_end,
        may_slipstream=may_slipstream,
        finishes=not spin_ends and end > observation.finish_line,
        full=full,
        instead=instead,
    )


def _slipstream(observation: Observation, traffic: Traffic, way: Way, stop: Stop) -> tuple[int | None, bool]:
    """Say where the shortest slipstream from a place leads, if one is sure, and whether there may be one."""
    end, spot, full = stop
    is_sure, may_be = traffic.has_partner(end, full), False
    if not is_sure and not traffic.may_get_partner(end):
        return None, False
    symbols = _numbers(observation, "slipstream", way.cards, way.dropped)
    for further in slipstream_changes(symbols, observation.sector_effect(end)):
        spaces = slipstream_spaces(observation.setup.rules, end, observation.finish_line, further)
        stops = traffic.stops(end, spot, end + spaces, full)
        # The first stop is the nearest to the aim, the last the farthest from it.
        may_be = may_be or stops[0].progress > end
        if is_sure and stops[-1].progress > end:
            return stops[0].progress, True
    return None, may_be


def _numbers(
    observation: Observation, kind: SymbolKind, cards: Sequence[CardName], dropped: frozenset[int]
) -> list[int]:
    """List the numbers of a kind of symbol: the turn's that are not used, and those of cards to be played."""
    numbers = [number for card in cards for other, number in REACT_SYMBOLS[card] if other == kind]
    turn = observation.turn
    if turn and turn.car == observation.own_car.number:
        for symbol, used in zip(turn.symbols, turn.used, strict=True):
            if symbol.kind == kind and not used and symbol.card not in dropped:
                numbers.append(symbol.number)
    return numbers


def may_slipstream_from(observation: Observation, progress: int) -> bool:
    """Tell whether event and weather let the own car slipstream from a place, if there is a car to follow."""
    gears = observation.setup.event_card.slipstream_gears
    return (gears is None or observation.own_car.gear in gears) and observation.sector_effect(
        progress
    ) != "no_slipstream"
