"""The interpreter of symbols: what each may do now, and what it does. RULES, Symbols.

Gear cooldown, boost and adrenaline are symbols like those of cards: a turn has one list of them, and the
tables at the end of this file are the only places that know what a kind means in phase 5. Flips resolve at
the reveal and are no part of that list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from heat_core import events as e
from heat_core.cards import HEAT, REACT_SYMBOLS, SymbolKind
from heat_core.events import Part, Symbol
from heat_core.race import Race, Seat, Turn
from heat_core.rules.movement import end_of_move
from heat_core.rules.piles import can_flip, flip
from heat_core.rules.recorder import Recorder

GEAR_COOLDOWN: Final = {1: 3, 2: 1}
"""Gear -> Heat that it cools (TURN-11)."""

BOOST_HEAT: Final = 1

ADRENALINE: Final = (Symbol("speed", 1, "adrenaline"), Symbol("cooldown", 1, "adrenaline"))
"""What the last cars get (TURN-9)."""


class SymbolUse(NamedTuple):
    """A symbol of the turn and what may be done with it now.

    Attributes:
        least: Smallest amount that it can be used with.
        most: Greatest amount; 0: it cannot be used now.
        heat: What using it costs.
        reason: Why it cannot be used, "" if it can.
    """

    symbol: Symbol
    is_used: bool
    least: int
    most: int
    heat: int
    reason: str


def reveal_symbols(race: Race, seat: Seat) -> tuple[Symbol, ...]:
    """List the symbols that gear and played cards bring to the turn."""
    symbols = []
    if seat.gear in GEAR_COOLDOWN:
        symbols.append(Symbol("cooldown", GEAR_COOLDOWN[seat.gear], "gear"))
    for card in seat.played:
        for kind, number in REACT_SYMBOLS[card]:
            symbols.append(Symbol(kind, number, card))
    if seat.gear in race.rules.boost_gears:
        symbols.append(Symbol("boost", 1, "gear"))
    return tuple(symbols)


def usable_symbols(race: Race, seat: Seat) -> tuple[SymbolUse, ...]:
    """Say for each symbol of the active seat's turn what may be done with it now."""
    turn = race.turn
    assert turn is not None
    uses = []
    for number, symbol in enumerate(turn.symbols):
        if turn.used >> number & 1:
            uses.append(SymbolUse(symbol, True, 0, 0, 0, "It is used."))
        else:
            uses.append(_USES[symbol.kind](seat, symbol))
    return tuple(uses)


def use_symbol(recorder: Recorder, number: int, place: int, amount: int) -> None:
    """Resolve one symbol that `usable_symbols` allows.

    Args:
        number: The active seat.
        place: The symbol's place in the turn's list.
        amount: Within its limits.
    """
    turn = recorder.race.turn
    assert turn is not None
    symbol = turn.symbols[place]
    recorder.record(e.SymbolUsed(number, place, amount))
    _EFFECTS[symbol.kind](recorder, number, turn, symbol, amount)


def gain_speed(recorder: Recorder, number: int, reason: e.MoveReason, spaces: int) -> None:
    """Add to the speed of the turn and move the car as far (RULES, phase 5)."""
    turn = recorder.race.turn
    assert turn is not None
    speed = (turn.speed or 0) + spaces
    recorder.record(e.SpeedSet(number, speed, (*turn.parts, Part(reason, spaces))))
    move_car(recorder, number, reason, spaces)


def move_car(recorder: Recorder, number: int, reason: e.MoveReason, spaces: int) -> None:
    """Move a car forward as one move of its own, to where the end-space rule puts it."""
    race = recorder.race
    car = race.cars[number]
    end, spot = end_of_move(race.track, race.rules, race.occupied(number), car.progress, car.spot, spaces)
    lines = race.track.lines_crossed(car.progress, end, race.finish_line)
    recorder.record(e.CarMoved(number, reason, spaces, car.progress, end, spot, lines))


def _cooldown_use(seat: Seat, symbol: Symbol) -> SymbolUse:
    most = min(symbol.number, seat.hand.count(HEAT))
    return SymbolUse(symbol, False, 1, most, 0, "" if most else "There is no Heat in the hand.")


def _boost_use(seat: Seat, symbol: Symbol) -> SymbolUse:
    if seat.engine < BOOST_HEAT:
        return SymbolUse(symbol, False, 1, 0, BOOST_HEAT, "The engine has no Heat to pay the boost.")
    if not can_flip(seat):
        return SymbolUse(symbol, False, 1, 0, BOOST_HEAT, "No Speed card is left to flip.")
    return SymbolUse(symbol, False, 1, 1, BOOST_HEAT, "")


def _speed_use(seat: Seat, symbol: Symbol) -> SymbolUse:
    return SymbolUse(symbol, False, symbol.number, symbol.number, 0, "")


def _flip_use(seat: Seat, symbol: Symbol) -> SymbolUse:
    return SymbolUse(symbol, False, 0, 0, 0, "Flips are resolved at the reveal.")


def _cool(recorder: Recorder, number: int, turn: Turn, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatCooled(number, amount))


def _boost(recorder: Recorder, number: int, turn: Turn, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatPaid(number, BOOST_HEAT, "boost", (Part("boost", BOOST_HEAT),)))
    gain_speed(recorder, number, "boost", flip(recorder, number, "boost"))


def _speed(recorder: Recorder, number: int, turn: Turn, symbol: Symbol, amount: int) -> None:
    gain_speed(recorder, number, "adrenaline", symbol.number)


def _flip(recorder: Recorder, number: int, turn: Turn, symbol: Symbol, amount: int) -> None:
    raise AssertionError("flips are resolved at the reveal")


_USES: Final[dict[SymbolKind, Callable[[Seat, Symbol], SymbolUse]]] = {
    "cooldown": _cooldown_use,
    "boost": _boost_use,
    "speed": _speed_use,
    "flip": _flip_use,
}

_EFFECTS: Final[dict[SymbolKind, Callable[[Recorder, int, Turn, Symbol, int], None]]] = {
    "cooldown": _cool,
    "boost": _boost,
    "speed": _speed,
    "flip": _flip,
}
