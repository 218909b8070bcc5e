"""When a symbol may be used, by docs/rules.md: what an umpire allows in phase 5."""

from __future__ import annotations

from itertools import combinations

from heat_core.cards import CATALOGUE, HAND_ORDER
from heat_core.race import events as e
from tests.core.umpire_knowledge import COOLDOWN, Driver, Knowledge, Turn, symbols_on

WORK_UNPAID = ("heat", "cooldown", "super_cool", "draft")


class Symbols(Knowledge):
    """Answers what the active car may do with the symbols of its turn."""

    def numbered_symbols(self, card: str, number: int) -> list[e.Symbol]:
        """List what a card brings to phase 5: all its symbols but flips."""
        return [
            e.Symbol(kind, amount, card, number) for kind, amount in CATALOGUE[card].symbols if kind != "flip"
        ]

    def symbols_of_turn(self) -> list[e.Symbol]:
        """List what phase 4 brings: of the gear, the cards and adrenaline."""
        turn, car = self.active()
        symbols = []
        if car.gear in COOLDOWN:
            symbols.append(e.Symbol("cooldown", COOLDOWN[car.gear], "gear"))
        number = 0
        for card in car.played:
            if brought := self.numbered_symbols(card, number + 1):
                number += 1
                symbols += brought
        if car.gear in self.rules.boost_gears:
            symbols.append(e.Symbol("boost", 1, "gear"))
        if turn.car in self.adrenaline:
            symbols += [e.Symbol("speed", 1, "adrenaline"), e.Symbol("cooldown", 1, "adrenaline")]
        return symbols

    def symbol_of_sector(self) -> list[e.Symbol]:
        """List the cooldown of the sector in which the car stands, if the turn does not have it yet."""
        turn, car = self.active()
        line = self.road.sector(car.place)
        has_it = any(symbol.source == "sector" and symbol.line == line for symbol in turn.symbols)
        if has_it or self.tokens.effect(car.place) != "cooldown+1":
            return []
        return [e.Symbol("cooldown", 1, "sector", 0, line)]

    def amounts(self, number: int) -> range:
        """Give the amounts that a symbol may be used with now; none: it may not be used."""
        turn, car = self.active()
        symbol = turn.symbols[number]
        if number in turn.used:
            return range(0)
        if symbol.card in turn.unpaid() and symbol.kind not in WORK_UNPAID:
            return range(0)
        if symbol.source == "sector" and self.road.sector(car.place) != symbol.line:
            return range(0)
        return self.amounts_by_kind(turn, car, symbol)

    def amounts_by_kind(self, turn: Turn, car: Driver, symbol: e.Symbol) -> range:
        effect = self.tokens.effect(car.place)
        match symbol.kind:
            case "cooldown":
                return up_to(0 if effect == "no_cooldown" else min(symbol.number, car.hand["heat"]))
            case "super_cool":
                return up_to(min(symbol.number, car.discard.count("heat")))
            case "reduce_stress":
                return up_to(0 if self.is_in_tunnel(car) else min(symbol.number, car.hand["stress"]))
            case "salvage":
                return up_to(min(symbol.number, len(car.discard)))
            case "boost" if any(turn.symbols[n].kind == "boost" for n in turn.used):
                return range(0)
            case "boost" if car.can_flip() and (car.engine or effect == "free-boost"):
                return exactly(1)
            case "speed" | "scrap":
                return exactly(symbol.number)
            case "heat" if car.engine >= symbol.number:
                return exactly(symbol.number)
            case "accelerate" if turn.flips:
                return exactly(symbol.number)
            case "draft":
                spaces = self.spaces_to_a_car()
                reach = sum(turn.symbols[n].number for n in turn.unused("draft"))
                return exactly(spaces) if 1 <= spaces <= reach else range(0)
            case _:
                return range(0)

    def spaces_to_a_car(self) -> int:
        """Count the empty spaces ahead of the active car, up to the first with another car on it."""
        turn, car = self.active()
        full = {space for space, _ in self.taken(turn.car)}
        spaces = 0
        while full and self.road.space(car.place + spaces + 1) not in full:
            spaces += 1
        return spaces

    def direct_plays(self) -> dict[str, tuple[tuple[int, ...], int]]:
        """Give the cards that may be played now: name -> speeds, Heat that must be cooled first."""
        _, car = self.active()
        plays = {}
        for card in +car.hand:
            symbols = symbols_on(card)
            if "direct" not in symbols:
                continue
            heat, cooled = symbols.get("heat", 0), 0
            if heat > car.engine and self.tokens.effect(car.place) != "no_cooldown":
                cooled = min(symbols.get("cooldown", 0), car.hand["heat"])
            if heat <= car.engine + cooled:
                plays[card] = (CATALOGUE[card].speeds, cooled)
        return plays

    def must_react(self) -> bool:
        """Tell whether something mandatory can and must be used before phase 5 is left."""
        turn, car = self.active()
        owed = sum(heat for _, heat in turn.unpaid().values())
        return any(self.amounts(n) for n in turn.unused("scrap")) or 0 < owed <= car.engine

    def ways_to_drop(self) -> set[tuple[str, ...]]:
        """Give the fewest cards whose Heat the engine cannot pay, each way in hand order."""
        turn, car = self.active()
        unpaid = turn.unpaid().values()
        ways: set[tuple[str, ...]] = set()
        for count in range(len(unpaid) + 1):
            for kept in combinations(unpaid, len(unpaid) - count):
                if sum(heat for _, heat in kept) <= car.engine:
                    rest = sorted(card for card, _ in unpaid)
                    for card, _ in kept:
                        rest.remove(card)
                    ways.add(tuple(sorted(rest, key=HAND_ORDER.__getitem__)))
            if ways:
                break
        return ways - {()}


def up_to(most: int) -> range:
    return range(1, most + 1)


def exactly(amount: int) -> range:
    return range(amount, amount + 1)
