"""Commands that are thought up: of any kind, mostly around what could be right; some are."""

from __future__ import annotations

from heat_core.cards import CATALOGUE, HEAT, STRESS, UPGRADES, CardName
from heat_core.race import commands as c
from heat_core.race.state import Race
from heat_core.rng import Stream

NUMBERS = (-(10**18), -1, 0, 1, 2, 3, 4, 5, 99, 10**18)


def near_miss(race: Race, seat: int, stream: Stream) -> c.Command:
    """Think up a command of any kind, mostly around what could be right; some are."""
    hand = race.seat(seat).hand
    if race.open[seat].kind in ("pick", "swap", "value", "unpaid") and stream.below(2):
        return near_miss_of_modules(race, seat, stream)
    match stream.below(12):
        case 0:
            return c.ShiftGear(stream.choose(NUMBERS))
        case 1:
            return c.Slipstream(stream.choose(NUMBERS))
        case 2:
            return c.UseSymbol(stream.choose(NUMBERS), stream.choose(NUMBERS))
        case 3:
            return c.UseSymbol(stream.below(4), 1 + stream.below(3), (HEAT,) * stream.below(2))
        case 10:
            symbols = len(race.turn.symbols) if race.turn else 0
            pile = race.seat(seat).discard_pile if stream.below(2) else hand
            number = symbols if stream.below(2) else stream.below(symbols + 2)
            return c.UseSymbol(number, stream.below(9), cards_like(pile, 1 + stream.below(3), stream))
        case 11:
            return near_miss_of_modules(race, seat, stream)
        case 4:
            return c.EndReact()
        case 5 | 6:
            return c.PlayCards(cards_like(hand, race.seat(seat).gear, stream))
        case 7 | 8:
            return c.Discard(cards_like(hand, 1 + stream.below(7), stream))
        case _:
            return c.Discard(cards_like(hand, 2, stream), tuple(race.seat(seat).played[:1]) or ("1",))


def near_miss_of_modules(race: Race, seat: int, stream: Stream) -> c.Command:
    """Think up a command of garage and weather, mostly around what could be right; some are."""
    car = race.seat(seat)
    upgrades = [*race.offered, *car.upgrades, stream.choose(list(UPGRADES)), "no-such-card"]
    match stream.below(4):
        case 0:
            return c.PickUpgrade(stream.choose(upgrades))
        case 1:
            given, taken = stream.choose(upgrades), stream.choose(upgrades)
            return c.SwapUpgrade(given if stream.below(4) else None, taken if stream.below(4) else None)
        case 2:
            return c.ChooseValue(tuple(stream.choose(NUMBERS) for _ in range(stream.below(4))))
        case _:
            return c.DropUnpaid(cards_like(car.played, 1 + stream.below(3), stream))


def cards_like(hand: list[CardName], count: int, stream: Stream) -> tuple[CardName, ...]:
    """Think up cards to name: of the hand, one too many or few, one that is not held, one unknown."""
    some = stream.sample(hand, min(count, len(hand)))
    match stream.below(6):
        case 0:
            return tuple(some)
        case 1:
            return tuple(some[1:])
        case 2:
            return (*some, *hand[:1])
        case 3:
            return (*some[1:], stream.choose(list(CATALOGUE)))
        case 4:
            return (*some[1:], stream.choose((HEAT, STRESS)))
        case _:
            return (*some[1:], "no-such-card")
