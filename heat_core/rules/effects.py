"""The interpreter of symbols: what each may do now, and what it does. RULES, Symbols.

Gear cooldown, boost and adrenaline are symbols like those of cards: a turn has one list of them, and the
tables at the end of this file are the only places that know what a kind means in phase 5. Flips resolve at
the reveal and are no part of that list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from heat_core import events as e
from heat_core.cards import HEAT, REACT_SYMBOLS
from heat_core.data.facts import SymbolKind
from heat_core.events import Part, Symbol
from heat_core.race import Race, Seat, Turn
from heat_core.rules.movement import end_of_move
from heat_core.rules.piles import can_flip, flip
from heat_core.rules.recorder import Recorder
from heat_core.rules.shifting import GEARS

GEAR_COOLDOWN: Final = {1: 3, 2: 1}
"""Gear -> Heat that it cools (TURN-11)."""

_GEAR_SYMBOLS: Final[dict[int, tuple[Symbol, ...]]] = {
    gear: (Symbol("cooldown", GEAR_COOLDOWN[gear], "gear"),) if gear in GEAR_COOLDOWN else ()
    for gear in GEARS
}

_CARD_SYMBOLS: Final = {
    card: tuple(Symbol(kind, number, card) for kind, number in symbols)
    for card, symbols in REACT_SYMBOLS.items()
}

_GEAR_BOOST_SYMBOL: Final = (Symbol("boost", 1, "gear"),)

BOOST_HEAT: Final = 1

ADRENALINE: Final = (Symbol("speed", 1, "adrenaline"), Symbol("cooldown", 1, "adrenaline"))
"""What the last cars get (TURN-9)."""


class SymbolUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
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
    """List the symbols that gear, played cards and adrenaline bring to the turn (phases 3 and 4)."""
    symbols = _GEAR_SYMBOLS[seat.gear]
    for card in seat.played:
        symbols += _CARD_SYMBOLS[card]
    if seat.gear in race.rules.boost_gears:
        symbols += _GEAR_BOOST_SYMBOL
    if seat.number in race.adrenaline:
        symbols += ADRENALINE
    return symbols


def usable_symbols(race: Race, seat: Seat) -> tuple[SymbolUse, ...]:
    """Say for each symbol of the active seat's turn what may be done with it now."""
    turn = race.turn
    assert turn is not None
    return tuple([symbol_use(turn, seat, number) for number in range(len(turn.symbols))])


def symbol_use(turn: Turn, seat: Seat, number: int) -> SymbolUse:
    """Say what may be done now with one symbol of the active seat's turn, by its place in the list."""
    symbol = turn.symbols[number]
    if turn.used >> number & 1:
        return SymbolUse(symbol, True, 0, 0, 0, "It is used.")
    return _USES[symbol.kind](seat, symbol)


def use_symbol(recorder: Recorder, seat: Seat, place: int, amount: int) -> None:
    """Resolve one symbol that `usable_symbols` allows.

    Args:
        seat: The active one.
        place: The symbol's place in the turn's list.
        amount: Within its limits.
    """
    turn = recorder.race.turn
    assert turn is not None
    symbol = turn.symbols[place]
    recorder.record(e.SymbolUsed(seat.number, place, amount))
    _EFFECTS[symbol.kind](recorder, seat, symbol, amount)


def gain_speed(recorder: Recorder, seat: Seat, reason: e.MoveReason, spaces: int) -> None:
    """Add to the speed of the turn and move the car as far (RULES, phase 5)."""
    turn = recorder.race.turn
    assert turn is not None
    speed = (turn.speed or 0) + spaces
    recorder.record(e.SpeedSet(seat.number, speed, (*turn.parts, Part(reason, spaces))))
    move_car(recorder, seat, reason, spaces)


def move_car(recorder: Recorder, seat: Seat, reason: e.MoveReason, spaces: int) -> None:
    """Move a car forward as one move of its own, to where the end-space rule puts it."""
    race = recorder.race
    track = race.track
    start = seat.progress
    end, spot = end_of_move(track, race.rules, race.occupied(seat.number), start, seat.spot, spaces)
    lines = track.lines_crossed(start, end, race.finish_line)
    recorder.record(e.CarMoved(seat.number, reason, spaces, start, end, spot, lines))


def _cooldown_use(seat: Seat, symbol: Symbol) -> SymbolUse:
    heat = seat.hand.count(HEAT)
    if not heat:
        return SymbolUse(symbol, False, 1, 0, 0, "There is no Heat in the hand.")
    return SymbolUse(symbol, False, 1, min(symbol.number, heat), 0, "")


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


def _cool(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatCooled(seat.number, amount))


def _boost(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatPaid(seat.number, BOOST_HEAT, "boost", (Part("boost", BOOST_HEAT),)))
    gain_speed(recorder, seat, "boost", flip(recorder, seat, "boost"))


def _speed(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    gain_speed(recorder, seat, "adrenaline", symbol.number)


def _flip(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    raise AssertionError("flips are resolved at the reveal")


_USES: Final[dict[SymbolKind, Callable[[Seat, Symbol], SymbolUse]]] = {
    "cooldown": _cooldown_use,
    "boost": _boost_use,
    "speed": _speed_use,
    "flip": _flip_use,
}

_EFFECTS: Final[dict[SymbolKind, Callable[[Recorder, Seat, Symbol, int], None]]] = {
    "cooldown": _cool,
    "boost": _boost,
    "speed": _speed,
    "flip": _flip,
}
