"""The interpreter of symbols: what the active turn has, and what using one does. docs/rules.md: Symbols.

Gear cooldown, boost, adrenaline and sectors are symbols like those of cards: a turn has one list of them. The
table of effects is the only place that knows what a kind does in phase 5; `uses` knows when it may. Flips
resolve at the reveal; adjust, slipstream and refresh act in the phases that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from heat_core.cards import CARD_FLIPS, HAND_ORDER, REACT_SYMBOLS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.data.weather import SectorEffect
from heat_core.race import events as e
from heat_core.race.bills import total
from heat_core.race.cars import Seat
from heat_core.race.events import Part, Symbol
from heat_core.race.state import Race, Turn
from heat_core.rng import shuffled
from heat_core.rules.movement import end_of_move
from heat_core.rules.piles import flip, reshuffle
from heat_core.rules.recorder import Recorder
from heat_core.rules.shifting import GEARS
from heat_core.rules.uses import boost_heat, direct_uses, effect_here, unpaid_heat

GEAR_COOLDOWN: Final = {1: 3, 2: 1}
"""Gear -> Heat that it cools (TURN-11)."""

_GEAR_SYMBOLS: Final[dict[int, tuple[Symbol, ...]]] = {
    gear: (Symbol("cooldown", GEAR_COOLDOWN[gear], "gear"),) if gear in GEAR_COOLDOWN else ()
    for gear in GEARS
}

_GEAR_BOOST_SYMBOL: Final = (Symbol("boost", 1, "gear"),)

_WITH_SYMBOLS: Final = frozenset(card for card, symbols in REACT_SYMBOLS.items() if symbols)

ADRENALINE: Final = (Symbol("speed", 1, "adrenaline"), Symbol("cooldown", 1, "adrenaline"))
"""What the last cars get (TURN-9)."""


def reveal_symbols(race: Race, seat: Seat) -> tuple[Symbol, ...]:
    """List the symbols that gear, played cards and adrenaline bring (phases 3 and 4)."""
    symbols = _GEAR_SYMBOLS[seat.gear]
    if not _WITH_SYMBOLS.isdisjoint(seat.played):
        for card, number in number_cards(seat.played):
            if number:
                symbols += card_symbols(card, number)
    if seat.gear in race.rules.boost_gears:
        symbols += _GEAR_BOOST_SYMBOL
    if seat.number in race.adrenaline:
        symbols += ADRENALINE
    return symbols


def number_cards(played: Sequence[CardName]) -> list[tuple[CardName, int]]:
    """Number the played cards that have symbols, from 1 as they lie; see `Symbol.card`.

    Returns:
        All the cards in their order, each with its number, 0 for those without symbols.
    """
    numbered = []
    last = 0
    for card in played:
        if REACT_SYMBOLS[card]:
            last += 1
            numbered.append((card, last))
        else:
            numbered.append((card, 0))
    return numbered


def card_symbols(card: CardName, number: int) -> tuple[Symbol, ...]:
    """List what a card brings to the turn.

    Args:
        number: Which card of the turn it is; see `Symbol.card`.
    """
    return tuple([Symbol(kind, amount, card, number) for kind, amount in REACT_SYMBOLS[card]])


def sector_symbols(race: Race, seat: Seat) -> tuple[Symbol, ...]:
    """List what the sector brings in which a car stands, unless the turn has it already."""
    if effect_here(race, seat) != "cooldown+1":
        return ()
    line = race.track.line_behind(seat.progress)
    turn = race.turn
    if turn is not None and any(symbol.line == line for symbol in turn.symbols):
        return ()
    return (Symbol("cooldown", 1, "sector", 0, line),)


def use_symbol(recorder: Recorder, seat: Seat, place: int, amount: int, cards: tuple[CardName, ...]) -> None:
    """Resolve one symbol that `uses.usable_symbols` allows.

    Args:
        seat: The active one.
        place: The symbol's place in the turn's list.
        amount: Within its limits.
        cards: What salvage takes.
    """
    turn = recorder.race.turn
    assert turn is not None
    symbol = turn.symbols[place]
    # A draft symbol is used for its own spaces only; the others that are added to it follow.
    part = min(amount, symbol.number) if symbol.kind == "draft" else amount
    recorder.record(e.SymbolUsed(seat.number, place, part))
    if symbol.kind == "salvage":
        _salvage(recorder, seat, cards)
    else:
        _EFFECTS[symbol.kind](recorder, seat, symbol, amount)


def gain_speed(recorder: Recorder, seat: Seat, reason: e.MoveReason, parts: Sequence[Part]) -> None:
    """Add to the speed of the turn and move the car as far (docs/rules.md: React)."""
    turn = recorder.race.turn
    assert turn is not None
    spaces = total(parts)
    recorder.record(e.SpeedSet(seat.number, (turn.speed or 0) + spaces, (*turn.parts, *parts)))
    move_car(recorder, seat, reason, spaces)


def move_car(recorder: Recorder, seat: Seat, reason: e.MoveReason, spaces: int) -> None:
    """Move a car forward as one move of its own, to where the end-space rule puts it."""
    race = recorder.race
    track = race.track
    start = seat.progress
    end, spot = end_of_move(track, race.rules, race.occupied(seat.number), start, seat.spot, spaces)
    lines = track.lines_crossed(start, end, race.finish_line)
    recorder.record(e.CarMoved(seat.number, reason, spaces, start, end, spot, lines))


def _cool(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatCooled(seat.number, amount))


def _boost(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    heat = boost_heat(recorder.race, seat)
    if heat:
        recorder.record(e.HeatPaid(seat.number, heat, "boost", (Part("boost", heat),)))
    gain_speed(recorder, seat, "boost", (Part("boost", flip(recorder, seat, "boost", symbol.source)),))


def _speed(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    gain_speed(recorder, seat, "adrenaline", (Part("adrenaline", symbol.number),))


def _reduce_stress(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.StressReduced(seat.number, amount))


def _pay_heat(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatPaid(seat.number, amount, "card", (Part(symbol.source, amount),)))


def _scrap(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    for _ in range(amount):
        if not seat.draw_pile:
            if not seat.discard_pile:
                return
            reshuffle(recorder, seat)
        recorder.record(e.CardScrapped(seat.number, seat.draw_pile[-1]))


def _salvage(recorder: Recorder, seat: Seat, cards: tuple[CardName, ...]) -> None:
    race = recorder.race
    order = shuffled(race.seed_key, race.draws, [*reversed(seat.draw_pile), *cards])
    recorder.record(e.CardsSalvaged(seat.number, cards, order, len(order)))


def _super_cool(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    recorder.record(e.HeatSuperCooled(seat.number, amount))


def _accelerate(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    turn = recorder.race.turn
    assert turn is not None
    gain_speed(recorder, seat, "accelerate", (Part("accelerate", amount * turn.flips),))


def _draft(recorder: Recorder, seat: Seat, symbol: Symbol, amount: int) -> None:
    """Use as many more draft symbols as the spaces need, and move; it adds no speed."""
    turn = recorder.race.turn
    assert turn is not None
    missing = amount - symbol.number
    for place, other in enumerate(turn.symbols):
        if missing > 0 and other.kind == "draft" and not turn.used >> place & 1:
            recorder.record(e.SymbolUsed(seat.number, place, min(missing, other.number)))
            missing -= other.number
    move_car(recorder, seat, "draft", amount)


_EFFECTS: Final[dict[SymbolKind, Callable[[Recorder, Seat, Symbol, int], None]]] = {
    "cooldown": _cool,
    "boost": _boost,
    "speed": _speed,
    "reduce_stress": _reduce_stress,
    "heat": _pay_heat,
    "scrap": _scrap,
    "super_cool": _super_cool,
    "accelerate": _accelerate,
    "draft": _draft,
}


def play_directly(recorder: Recorder, seat: Seat, card: CardName, speed: int) -> None:
    """Play a card of the hand in phase 5; its Heat is paid at once, its cooldown first if that is needed.

    Args:
        card: One that `uses.direct_uses` allows.
        speed: One of its values.
    """
    turn = recorder.race.turn
    assert turn is not None
    (use,) = [use for use in direct_uses(recorder.race, seat) if use.card == card]
    number = turn.cards + 1
    recorder.record(e.CardPlayedDirectly(seat.number, card, number))
    first = len(turn.symbols)
    symbols = card_symbols(card, number)
    recorder.record(e.SymbolsGained(seat.number, symbols))
    places = {symbol.kind: first + place for place, symbol in enumerate(symbols)}
    if use.cooled:
        recorder.record(e.SymbolUsed(seat.number, places["cooldown"], use.cooled))
        recorder.record(e.HeatCooled(seat.number, use.cooled))
    if use.heat:
        recorder.record(e.SymbolUsed(seat.number, places["heat"], use.heat))
        recorder.record(e.HeatPaid(seat.number, use.heat, "card", (Part(card, use.heat),)))
    parts = [Part(card, speed, number)]
    for _ in range(CARD_FLIPS[card]):
        parts.append(Part(card, flip(recorder, seat, "card", card)))
    gain_speed(recorder, seat, "direct", parts)


def drop_unpaid(recorder: Recorder, seat: Seat, cards: tuple[CardName, ...]) -> None:
    """Replace played cards whose Heat cannot be paid by flips, and drive the turn again (Unpaid heat)."""
    race = recorder.race
    turn = race.turn
    assert turn is not None
    unpaid = unpaid_heat(turn)
    values = {part.card: part.amount for part in turn.parts if part.card}
    numbers = []
    for card in cards:
        # Of two equal cards the slower goes; who wants to keep that one pays for it first.
        same = [number for number, (name, _) in unpaid.items() if name == card]
        numbers.append(min(same, key=lambda number: (values[number], number)))
        del unpaid[numbers[-1]]
    parts = [part for part in turn.parts if part.card not in numbers]
    recorder.record(e.CardsDropped(seat.number, cards, tuple(numbers)))
    for card in cards:
        parts.append(Part("unpaid", flip(recorder, seat, "unpaid", card)))
    speed = total(parts)
    recorder.record(e.SpeedSet(seat.number, speed, tuple(parts)))
    track = race.track
    start = turn.start
    end, spot = end_of_move(track, race.rules, race.occupied(seat.number), start, turn.start_spot, speed)
    lines = track.lines_crossed(start, end, race.finish_line)
    recorder.record(e.CarMoved(seat.number, "unpaid", speed, start, end, spot, lines))


def ways_to_drop(race: Race, seat: Seat) -> tuple[tuple[CardName, ...], ...]:
    """List the fewest cards that must go so that the engine can pay the Heat of the others.

    Returns:
        Each way as cards in hand order, each once; empty where all can be paid.
    """
    turn = race.turn
    assert turn is not None
    if not turn.cards:
        return ()
    unpaid = list(unpaid_heat(turn).values())
    owed = sum(heat for _, heat in unpaid)
    if owed <= seat.engine:
        return ()
    for count in range(1, len(unpaid) + 1):
        ways = [
            tuple(sorted((card for card, _ in dropped), key=HAND_ORDER.__getitem__))
            for dropped in combinations(unpaid, count)
            if owed - sum(heat for _, heat in dropped) <= seat.engine
        ]
        if ways:
            return tuple(sorted(dict.fromkeys(ways)))
    raise AssertionError("without cards nothing is owed")


def adjust_of(turn: Turn) -> int:
    """Add up the adjust symbols of a turn's cards (phase 7)."""
    return sum(
        symbol.number
        for place, symbol in enumerate(turn.symbols)
        if symbol.kind == "adjust" and not turn.used >> place & 1
    )


_SLIPSTREAM_SECTORS: Final[dict[SectorEffect | None, int]] = {"slipstream+1": 1, "slipstream+2": 2}


def slipstream_symbols(turn: Turn) -> list[int]:
    """List the numbers of a turn's slipstream symbols (phase 6)."""
    if not turn.cards:
        return []
    return [
        symbol.number
        for place, symbol in enumerate(turn.symbols)
        if symbol.kind == "slipstream" and not turn.used >> place & 1
    ]


def slipstream_changes(numbers: list[int], effect: SectorEffect | None) -> tuple[int, ...]:
    """List how many spaces further a slipstream may go: the sums of slipstream symbols, each optional.

    Args:
        numbers: Of the symbols.
        effect: Of the sector in which it starts; one may be a further symbol.
    """
    if effect in _SLIPSTREAM_SECTORS:
        numbers = [*numbers, _SLIPSTREAM_SECTORS[effect]]
    if not numbers:
        return (0,)
    sums = {0}
    for number in numbers:
        sums |= {further + number for further in sums}
    return tuple(sorted(sums))
