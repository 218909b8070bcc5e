"""The umpire over one car's phases 3 to 6: flips, values, moves, symbols, slipstream."""

from __future__ import annotations

from collections import Counter
from functools import partial

from heat_core.cards import CATALOGUE
from heat_core.race import commands as c
from heat_core.race import events as e
from tests.core.umpire_corners import Corners
from tests.core.umpire_knowledge import BASIC, Due, Dues, Flip, Then, Turn, due, is_sponsorship, symbols_on


class Turns(Corners):
    """Follows a car from the reveal to the slipstream."""

    # What comes next.

    def opened(self, kind: str, *seats: int) -> Due:
        return due(e.DecisionsOpened, kind=kind, seats=seats)

    def turn_of_next(self) -> Dues:
        turn, car = self.active()
        if car.is_legend:
            return self.legend_turn()
        cards = self.face_down[turn.car]
        if not cards:
            del self.face_down[turn.car]
            filled = min(car.gear - car.playable(), car.hand["heat"])
            thrown = +Counter({**car.hand, "heat": filled})
            cluttered = due(e.HandCluttered, seat=turn.car, gear=car.gear)
            assert car.playable() < car.gear
            return [cluttered, Then(partial(self.after_cluttered, thrown))]
        return [due(e.CardsRevealed, seat=turn.car, cards=cards), Then(self.flips_of_cards)]

    def flips_of_cards(self) -> Dues:
        turn, car = self.active()
        flips: Dues = []
        for card in car.played:
            flips += [Flip(turn.car, "card", card)] * symbols_on(card).get("flip", 0)
        fixed = [CATALOGUE[card].speeds for card in car.played]
        turn.speed = sum(speeds[0] for speeds in fixed if len(speeds) == 1)
        return [*flips, Then(self.values)]

    def after_cluttered(self, thrown: Counter[str]) -> Dues:
        """Check what a cluttered hand threw away: it is told in the event that has been seen."""
        assert self.thrown == thrown
        return self.after_turn()

    def values(self) -> Dues:
        """Ask for the values that are to be chosen, or move."""
        turn, car = self.active()
        has_choice = any(len(CATALOGUE[card].speeds) > 1 for card in car.played)
        speed = due(e.SpeedSet, seat=turn.car, speed=turn.speed)
        if not has_choice:
            self.number_cards(())
        return [speed, self.opened("value", turn.car) if has_choice else Then(self.reveal)]

    def chosen_values(self, values: tuple[int, ...]) -> Dues:
        turn, car = self.active()
        cards = [card for card in car.played if len(CATALOGUE[card].speeds) > 1]
        for card, value in zip(cards, values, strict=True):
            assert value in CATALOGUE[card].speeds
        turn.speed += sum(values)
        self.number_cards(values)
        return [due(e.SpeedSet, seat=turn.car, speed=turn.speed), Then(self.reveal)]

    def number_cards(self, values: tuple[int, ...]) -> None:
        """Remember what each numbered card of the turn added."""
        turn, car = self.active()
        chosen = list(values)
        for card in car.played:
            speeds = CATALOGUE[card].speeds
            value = chosen.pop(0) if len(speeds) > 1 else sum(speeds)
            if self.numbered_symbols(card, 0):
                turn.values[len(turn.values) + 1] = value

    def reveal(self) -> Dues:
        """Move in phase 3, and give the symbols of phase 4."""
        turn, _ = self.active()
        return [self.moved("cards", turn.speed), due(e.PhaseEntered, phase=4), Then(self.adrenaline_symbols)]

    def adrenaline_symbols(self) -> Dues:
        turn, _ = self.active()
        symbols = tuple(self.symbols_of_turn())
        gained: Dues = [due(e.SymbolsGained, seat=turn.car, symbols=symbols)] if symbols else []
        return [*gained, due(e.PhaseEntered, phase=5), Then(self.react_again)]

    def react_again(self) -> Dues:
        turn, _ = self.active()
        symbols = tuple(self.symbol_of_sector())
        gained: Dues = [due(e.SymbolsGained, seat=turn.car, symbols=symbols)] if symbols else []
        return [*gained, self.opened("react", turn.car)]

    def moved(self, reason: str, spaces: int) -> Due:
        turn, car = self.active()
        start, spot = (turn.start, turn.start_spot) if reason == "unpaid" else (car.place, car.spot)
        end, end_spot = self.end_from(turn.car, start, spot, spaces)
        return self.move_due(turn.car, reason, spaces, start, end, end_spot)

    def move_due(self, number: int, reason: str, spaces: int, start: int, end: int, spot: int) -> Due:
        lines = tuple(self.road.lines(start, end))
        fields = {"car": number, "reason": reason, "spaces": spaces, "start": start}
        return due(e.CarMoved, **fields, end=end, spot=spot, lines=lines)

    def sped_up(self, reason: str, spaces: int) -> Dues:
        """Add to the speed and move as far."""
        turn, _ = self.active()
        turn.speed += spaces
        return [due(e.SpeedSet, seat=turn.car, speed=turn.speed), self.moved(reason, spaces)]

    def symbol_used(self, command: c.UseSymbol) -> Dues:
        turn, _ = self.active()
        if command.number == len(turn.symbols):
            return [*self.played_directly(command), Then(self.react_again)]
        assert command.amount in self.amounts(command.number)
        symbol = turn.symbols[command.number]
        assert (symbol.kind == "salvage") == bool(command.cards)
        # Of a draft only its own spaces; the others that are added up follow.
        part = min(command.amount, symbol.number) if symbol.kind == "draft" else command.amount
        used = due(e.SymbolUsed, seat=turn.car, number=command.number, amount=part)
        return [used, *self.effect(symbol, command), Then(self.react_again)]

    def effect(self, symbol: e.Symbol, command: c.UseSymbol) -> Dues:
        turn, car = self.active()
        number, amount = turn.car, command.amount
        match symbol.kind:
            case "cooldown":
                return [due(e.HeatCooled, seat=number, amount=amount)]
            case "super_cool":
                return [due(e.HeatSuperCooled, seat=number, amount=amount)]
            case "reduce_stress":
                return [due(e.StressReduced, seat=number, amount=amount)]
            case "heat":
                return [due(e.HeatPaid, seat=number, amount=amount, reason="card")]
            case "scrap":
                return [Then(self.scrapped) for _ in range(amount)]
            case "salvage":
                assert len(command.cards) == amount
                assert Counter(command.cards) <= Counter(car.discard)
                return [due(e.CardsSalvaged, seat=number, cards=command.cards)]
            case "speed":
                return self.sped_up("adrenaline", amount)
            case "accelerate":
                return self.sped_up("accelerate", amount * turn.flips)
            case "boost":
                free = self.tokens.effect(car.place) == "free-boost"
                paid: Dues = [] if free else [due(e.HeatPaid, seat=number, amount=1, reason="boost")]
                boosted = Then(lambda: self.sped_up("boost", turn.last_flip))
                return [*paid, Flip(number, "boost", symbol.source), boosted]
            case "draft":
                return [*self.further_drafts(command), self.moved("draft", amount)]
            case _:
                raise AssertionError(f"{symbol.kind} is not used in phase 5")

    def further_drafts(self, command: c.UseSymbol) -> Dues:
        """Add up as many more draft symbols as the spaces need."""
        turn, _ = self.active()
        missing = command.amount - turn.symbols[command.number].number
        dues: Dues = []
        for other in turn.unused("draft"):
            if other != command.number and missing > 0:
                amount = min(missing, turn.symbols[other].number)
                dues.append(due(e.SymbolUsed, seat=turn.car, number=other, amount=amount))
                missing -= amount
        return dues

    def scrapped(self) -> Dues:
        turn, car = self.active()
        if car.draw:
            return [due(e.CardScrapped, seat=turn.car, card=car.draw[0])]
        reshuffled = due(e.PileReshuffled, seat=turn.car)
        return [reshuffled, Then(self.scrapped)] if car.discard else []

    def played_directly(self, command: c.UseSymbol) -> Dues:
        turn, _ = self.active()
        (card,) = command.cards
        speeds, cooled = self.direct_plays()[card]
        assert command.amount in speeds
        number = turn.cards + 1
        symbols = self.numbered_symbols(card, number)
        dues: Dues = [
            due(e.CardPlayedDirectly, seat=turn.car, card=card, number=number),
            due(e.SymbolsGained, seat=turn.car, symbols=tuple(symbols)),
        ]
        place = {symbol.kind: len(turn.symbols) + n for n, symbol in enumerate(symbols)}
        if cooled:
            dues.append(due(e.SymbolUsed, seat=turn.car, number=place["cooldown"], amount=cooled))
            dues.append(due(e.HeatCooled, seat=turn.car, amount=cooled))
        if heat := symbols_on(card).get("heat"):
            dues.append(due(e.SymbolUsed, seat=turn.car, number=place["heat"], amount=heat))
            dues.append(due(e.HeatPaid, seat=turn.car, amount=heat, reason="card"))
        turn.values[number] = command.amount
        flips = symbols_on(card).get("flip", 0)
        dues += [Flip(turn.car, "card", card)] * flips
        before = turn.speed
        turn.speed += command.amount
        # What was flipped has been added by then.
        return [*dues, Then(partial(self.sped_up_since, before))]

    def sped_up_since(self, before: int) -> Dues:
        turn, _ = self.active()
        speed, turn.speed = turn.speed, before
        return self.sped_up("direct", speed - before)

    def end_of_react(self) -> Dues:
        turn, _ = self.active()
        assert not self.must_react(), "something must be used before"
        if self.ways_to_drop():
            return [self.opened("unpaid", turn.car)]
        return [due(e.PhaseEntered, phase=6), Then(self.slipstream)]

    def dropped(self, cards: tuple[str, ...]) -> Dues:
        turn, _ = self.active()
        assert cards in self.ways_to_drop()
        flips = [Flip(turn.car, "unpaid", card) for card in cards]
        return [
            due(e.CardsDropped, seat=turn.car, cards=cards),
            *flips,
            Then(lambda: [due(e.SpeedSet, seat=turn.car, speed=turn.speed)]),
            Then(lambda: [self.moved("unpaid", turn.speed)]),
            Then(self.react_again),
        ]

    def slipstream(self) -> Dues:
        turn, _ = self.active()
        if self.slipstreams(turn.car):
            return [self.opened("slipstream", turn.car)]
        return self.corner_phase()

    def slipstreamed(self, spaces: int) -> Dues:
        turn, _ = self.active()
        if not spaces:
            return self.corner_phase()
        assert spaces in self.slipstreams(turn.car)
        return [self.moved("slipstream", spaces), Then(self.corner_phase)]

    # What happens.

    def see_turn(self, event: e.TurnStarted) -> None:
        self.turns = self.order.index(event.car) + 1
        car = self.cars[event.car]
        self.phase = 3
        self.turn = Turn(event.car, car.place, car.spot)

    def see_cluttered(self, event: e.HandCluttered) -> None:
        car = self.cars[event.seat]
        assert Counter(event.hand) == car.hand
        self.thrown = Counter(event.discarded)
        car.hand -= self.thrown
        car.discard += [card for card in event.discarded if not is_sponsorship(card)]
        car.gear, car.is_cluttered = 1, True

    def see_reshuffled(self, event: e.PileReshuffled) -> None:
        car = self.cars[event.seat]
        assert event.order is not None
        assert not car.draw
        assert Counter(event.order) == Counter(car.discard)
        assert event.cards == len(car.discard) > 0
        car.draw, car.discard = list(event.order), []

    def see_flipped(self, event: e.CardFlipped) -> None:
        turn, car = self.active()
        assert event.seat == turn.car
        assert event.card == car.draw.pop(0)
        assert event.value == (int(event.card) if event.card in BASIC else 0)
        (car.played if event.value else car.discard).append(event.card)
        turn.last_flip = event.value
        if event.value:
            turn.flips += event.reason != "unpaid"
            if event.reason != "boost":
                turn.speed += event.value

    def see_flip_failed(self, event: e.FlipFailed) -> None:
        assert event.reason != "boost"
        assert not self.cars[event.seat].can_flip()

    def see_speed(self, event: e.SpeedSet) -> None:
        assert event.speed == sum(part.amount for part in event.parts)

    def see_moved(self, event: e.CarMoved) -> None:
        turn, car = self.active()
        car.place, car.spot = event.end, event.spot
        if event.reason == "unpaid":
            turn.lines = []
        if event.reason == "slipstream":
            turn.slipstream_lines = list(event.lines)
        turn.lines += event.lines

    def see_symbols(self, event: e.SymbolsGained) -> None:
        turn, _ = self.active()
        turn.symbols += event.symbols
        turn.cards = max(turn.cards, *(symbol.card for symbol in event.symbols))

    def see_symbol_used(self, event: e.SymbolUsed) -> None:
        turn, _ = self.active()
        assert event.number not in turn.used
        turn.used.add(event.number)

    def see_cooled(self, event: e.HeatCooled) -> None:
        car = self.cars[event.seat]
        car.hand["heat"] -= event.amount
        assert car.hand["heat"] >= 0
        car.engine += event.amount

    def see_super_cooled(self, event: e.HeatSuperCooled) -> None:
        car = self.cars[event.seat]
        for _ in range(event.amount):
            car.discard.remove("heat")
        car.engine += event.amount

    def see_stress_reduced(self, event: e.StressReduced) -> None:
        car = self.cars[event.seat]
        car.hand["stress"] -= event.amount
        car.discard += ["stress"] * event.amount

    def see_scrapped(self, event: e.CardScrapped) -> None:
        car = self.cars[event.seat]
        car.discard.append(car.draw.pop(0))

    def see_salvaged(self, event: e.CardsSalvaged) -> None:
        car = self.cars[event.seat]
        assert event.order is not None
        assert Counter(event.order) == Counter(car.draw) + Counter(event.cards)
        assert event.count == len(event.order)
        for card in event.cards:
            car.discard.remove(card)
        car.draw = list(event.order)

    def see_direct(self, event: e.CardPlayedDirectly) -> None:
        car = self.cars[event.seat]
        car.hand -= Counter([event.card])
        car.played.append(event.card)

    def see_dropped(self, event: e.CardsDropped) -> None:
        turn, car = self.active()
        unpaid = turn.unpaid()
        assert sorted(unpaid[number][0] for number in event.numbers) == sorted(event.cards)
        assert len(set(event.numbers)) == len(event.cards)
        for card in event.cards:
            car.played.remove(card)
            car.discard.append(card)
        for number in event.numbers:
            turn.speed -= turn.values[number]
        turn.used |= {n for n, symbol in enumerate(turn.symbols) if symbol.card in event.numbers}
