"""What each symbol of the active turn may do now, and what it would cost. docs/rules.md: Symbols.

The table at the end is the only place that knows when a kind of symbol can be used in phase 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from heat_core.cards import CATALOGUE, DIRECT_CARDS, HEAT, REACT_SYMBOLS, STRESS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.data.weather import SectorEffect
from heat_core.race.cars import Seat
from heat_core.race.commands import UseSymbol
from heat_core.race.events import Symbol
from heat_core.race.state import ON_TRACK, Race, Turn
from heat_core.rules.offers import DirectUse, SymbolUse
from heat_core.rules.piles import can_flip
from heat_core.rules.sectors import sector_effect

BOOST_HEAT: Final = 1

_WORK_UNPAID: Final[frozenset[SymbolKind]] = frozenset({"heat", "cooldown", "super_cool", "draft"})
"""Symbols of a card that work before its Heat is paid. docs/rules.md: Heat that cannot be paid."""


def effect_here(race: Race, seat: Seat) -> SectorEffect | None:
    """Give what the sector does in which a car stands."""
    return sector_effect(race.track, race.roads, race.weather, race.rules.weather_sectors, seat.progress)


def symbol_use(race: Race, turn: Turn, seat: Seat, place: int) -> SymbolUse:
    """Say what may be done now with one symbol of the active seat's turn."""
    symbol = turn.symbols[place]
    if turn.used >> place & 1:
        return SymbolUse(symbol, True, 0, 0, 0, "Already used.")
    if symbol.line is not None and race.track.line_behind(seat.progress) != symbol.line:
        return _not_now(symbol, "Your car has left the sector that it belongs to.")
    if symbol.card and symbol.kind not in _WORK_UNPAID and symbol.card in unpaid_heat(turn):
        return _not_now(symbol, "Pay the Heat of its card first.")
    return _USES[symbol.kind](race, seat, symbol)


def usable_symbols(race: Race, seat: Seat) -> tuple[SymbolUse, ...]:
    """Say for each symbol of the active seat's turn what may be done with it now."""
    turn = race.turn
    assert turn is not None
    uses = []
    for place, symbol in enumerate(turn.symbols):
        if turn.used >> place & 1 or symbol.card or symbol.line is not None:
            uses.append(symbol_use(race, turn, seat, place))
        else:
            uses.append(_USES[symbol.kind](race, seat, symbol))
    return tuple(uses)


def unpaid_heat(turn: Turn) -> dict[int, tuple[CardName, int]]:
    """List the cards of a turn whose Heat is not paid yet.

    Returns:
        Number of the card -> its name and the Heat.
    """
    unpaid = {}
    for place, symbol in enumerate(turn.symbols):
        if symbol.kind == "heat" and not turn.used >> place & 1:
            unpaid[symbol.card] = (symbol.source, symbol.number)
    return unpaid


def plays_directly(turn: Turn, command: UseSymbol) -> bool:
    """Tell whether a command plays a card of the hand: it names one, behind the turn's last symbol."""
    return command.number == len(turn.symbols) and bool(command.cards)


def direct_uses(race: Race, seat: Seat) -> tuple[DirectUse, ...]:
    """Say which cards of the active seat's hand may be played in phase 5, each kind once."""
    if DIRECT_CARDS.isdisjoint(seat.hand):
        return ()
    playable = [card for card in dict.fromkeys(seat.hand) if card in DIRECT_CARDS]
    return tuple([_direct_use(race, seat, card, dict(REACT_SYMBOLS[card])) for card in playable])


def _direct_use(race: Race, seat: Seat, card: CardName, symbols: dict[SymbolKind, int]) -> DirectUse:
    heat = symbols.get("heat", 0)
    cooled = 0
    if heat > seat.engine and effect_here(race, seat) != "no_cooldown":
        cooled = min(symbols.get("cooldown", 0), seat.hand.count(HEAT))
    if heat > seat.engine + cooled:
        reason = f"It costs {heat} Heat; your engine has {seat.engine}."
        return DirectUse(card, CATALOGUE[card].speeds, heat, 0, reason)
    return DirectUse(card, CATALOGUE[card].speeds, heat, cooled, "")


def _not_now(symbol: Symbol, reason: str, heat: int = 0) -> SymbolUse:
    return SymbolUse(symbol, False, 1, 0, heat, reason)


def _up_to(symbol: Symbol, there: int, reason: str) -> SymbolUse:
    if not there:
        return SymbolUse(symbol, False, 1, 0, 0, reason)
    return SymbolUse(symbol, False, 1, min(symbol.number, there), 0, "")


def _whole(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    return SymbolUse(symbol, False, symbol.number, symbol.number, 0, "")


def _cooldown_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    if race.weather is not None and effect_here(race, seat) == "no_cooldown":
        return _not_now(symbol, "There is no cooldown in this sector.")
    return _up_to(symbol, seat.hand.count(HEAT), "You have no Heat in your hand.")


def boost_heat(race: Race, seat: Seat) -> int:
    """Give what a boost costs where the car stands."""
    return 0 if effect_here(race, seat) == "free-boost" else BOOST_HEAT


def _boost_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    heat = boost_heat(race, seat)
    assert race.turn is not None
    if any(part.rule == "boost" for part in race.turn.parts):
        return _not_now(symbol, "Only one boost is allowed each turn.", heat)
    if seat.engine < heat:
        return _not_now(symbol, "Your engine has no Heat.", heat)
    if not can_flip(seat):
        return _not_now(symbol, "You have no Speed card left to flip.", heat)
    return SymbolUse(symbol, False, 1, 1, heat, "")


def _reduce_stress_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    track = race.track
    if track.is_tunnel[(seat.progress - 1) % track.spaces + 1]:
        return _not_now(symbol, "Stress cannot be discarded in a tunnel.")
    return _up_to(symbol, seat.hand.count(STRESS), "You have no Stress in your hand.")


def _heat_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    heat = symbol.number
    if seat.engine < heat:
        return _not_now(symbol, f"It costs {heat} Heat; your engine has {seat.engine}.", heat)
    return SymbolUse(symbol, False, heat, heat, heat, "")


def _salvage_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    return _up_to(symbol, len(seat.discard_pile), "Your discard pile is empty.")


def _super_cool_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    return _up_to(symbol, seat.discard_pile.count(HEAT), "Your discard pile has no Heat.")


def _accelerate_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    assert race.turn is not None
    if not race.turn.flips:
        return _not_now(symbol, "You have flipped no card this turn.")
    return _whole(race, seat, symbol)


def _draft_use(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    spaces = _spaces_to_next_car(race, seat)
    if not 0 < spaces <= _draft_reach(race):
        return _not_now(symbol, "No car is within reach to draft.")
    return SymbolUse(symbol, False, spaces, spaces, 0, "")


def _spaces_to_next_car(race: Race, seat: Seat) -> int:
    """Count the empty spaces between a car and the next one ahead on the board."""
    spaces = race.track.spaces
    ahead = [
        (car.progress - seat.progress) % spaces or spaces
        for car in race.cars
        if car is not seat and car.status in ON_TRACK
    ]
    return min(ahead, default=0) - 1


def _draft_reach(race: Race) -> int:
    """Add up the spaces of all unused draft symbols: they may be added up into one move."""
    turn = race.turn
    assert turn is not None
    return sum(
        other.number
        for place, other in enumerate(turn.symbols)
        if other.kind == "draft" and not turn.used >> place & 1
    )


def _by_itself(race: Race, seat: Seat, symbol: Symbol) -> SymbolUse:
    return _not_now(symbol, _BY_THEMSELVES[symbol.kind])


_BY_THEMSELVES: Final[dict[SymbolKind, str]] = {
    "flip": "Its card was flipped when you revealed your cards.",
    "slipstream": "It works in phase 6.",
    "adjust": "It changes corner limits in phase 7.",
    "refresh": "It works in phase 8.",
    "direct": "This card has been played.",
}

_USES: Final[dict[SymbolKind, Callable[[Race, Seat, Symbol], SymbolUse]]] = {
    "cooldown": _cooldown_use,
    "boost": _boost_use,
    "speed": _whole,
    "reduce_stress": _reduce_stress_use,
    "heat": _heat_use,
    "scrap": _whole,
    "salvage": _salvage_use,
    "super_cool": _super_cool_use,
    "accelerate": _accelerate_use,
    "draft": _draft_use,
    **dict.fromkeys(_BY_THEMSELVES, _by_itself),
}
