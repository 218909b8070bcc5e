"""The umpire over a round as a whole: phases 1, 2, 8 and 9, whose turn it is, and the end of a race."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from functools import partial

from heat_core.cards import CATALOGUE
from heat_core.race import commands as c
from heat_core.race import events as e
from tests.core.umpire_knowledge import Driver, Due, Dues, Then, due, is_sponsorship, symbols_on
from tests.core.umpire_turns import Turns


class Rounds(Turns):
    """Follows what all seats do at once, and the order of the turns."""

    # What comes next.

    def next_round(self) -> Dues:
        return [due(e.RoundStarted, round=self.round + 1), Then(self.gears)]

    def gears(self) -> Dues:
        seats = self.racing(seats_only=True)
        return [self.opened("gear", *seats)] if seats else self.enter_cards()

    def enter_cards(self) -> Dues:
        seats = self.racing(seats_only=True)
        asked: Due | Then = self.opened("cards", *seats) if seats else Then(self.movement)
        return [due(e.PhaseEntered, phase=2), asked]

    def movement(self) -> Dues:
        order = tuple(self.ranked(self.racing()))
        last = order[-2:] if len(self.cars) >= 5 else order[-1:]
        adrenaline = last if self.event.has_adrenaline else ()
        return [due(e.TurnOrderFixed, order=order, adrenaline=adrenaline), Then(self.next_turn)]

    def next_turn(self) -> Dues:
        for number in self.order[self.turns :]:
            if self.cars[number].status == "racing":
                return [due(e.TurnStarted, car=number), Then(self.turn_of_next)]
        if self.is_last_round():
            return [due(e.RaceEnded, reason="finished")]
        if self.rules.discards == "each":
            return self.end_of_round()
        awake = [n for n in self.racing(seats_only=True) if not self.cars[n].is_cluttered]
        asked: Due | Then = self.opened("discard", *awake) if awake else Then(self.replenish)
        return [due(e.PhaseEntered, phase=8), asked]

    def after_turn(self) -> Dues:
        """Go on after phase 7 of a seat."""
        turn, car = self.active()
        if self.rules.discards == "together" or car.status != "racing":
            return self.next_turn()
        if car.is_cluttered:
            return self.replenish()
        return [due(e.PhaseEntered, phase=8), self.opened("discard", turn.car)]

    def replenish(self) -> Dues:
        seats = self.racing(seats_only=True) if self.rules.discards == "together" else [self.active()[0].car]
        draws = [Then(partial(self.drawn, number, self.hand_size)) for number in seats]
        then = self.end_of_round if self.rules.discards == "together" else self.next_turn
        return [due(e.PhaseEntered, phase=9), *draws, Then(then)]

    def end_of_round(self) -> Dues:
        done = self.ranked([n for n, car in enumerate(self.cars) if car.status == "finished"])
        places = enumerate(done, start=len(self.left) + 1)
        leaving = [due(e.CarLeft, car=car, place=place) for place, car in places]
        return [*leaving, *(self.next_round() if self.racing() else [due(e.RaceEnded, reason="finished")])]

    def drawn(self, number: int, size: int) -> Dues:
        car = self.cars[number]
        missing = size - car.hand.total()
        again = Then(partial(self.drawn, number, size))
        if missing <= 0 or not (car.draw or car.discard):
            return []
        if not car.draw:
            return [due(e.PileReshuffled, seat=number), again]
        cards = tuple(car.draw[:missing])
        return [due(e.CardsDrawn, seat=number, count=len(cards), cards=cards), again]

    def turned_up(self) -> Dues:
        """Say what secret choices lead to, once all are made."""
        kind = next(iter(self.asked.values()))
        chosen = sorted(self.chosen.items())
        if kind == "cards":
            return self.movement()
        dues: Dues = [due(e.ChoicesTurnedUp, kind=kind)]
        for number, command in chosen:
            car = self.cars[number]
            match command:
                case c.ShiftGear(gear):
                    dues.append(due(e.GearShifted, seat=number, before=car.gear, gear=gear))
                    if heat := self.shift_heat(car, gear):
                        dues.append(due(e.HeatPaid, seat=number, amount=heat, reason="shift"))
                case c.Discard():
                    dues += self.discarded(number, command)
                case _:
                    pass
        return [*dues, Then(self.enter_cards if kind == "gear" else self.replenish)]

    def discarded(self, number: int, command: c.Discard) -> Dues:
        car = self.cars[number]
        dues: Dues = []
        if command.refresh:
            dues.append(due(e.CardsRefreshed, seat=number, cards=command.refresh))
        if spent := tuple(card for card in car.played if is_sponsorship(card)):
            dues.append(due(e.SponsorshipsSpent, seat=number, cards=spent))
        dues.append(due(e.CardsDiscarded, seat=number, hand=command.cards))
        return [*dues, *[Then(partial(self.heat_lost, number)) for _ in range(car.heat_to_lose)]]

    def heat_lost(self, number: int) -> Dues:
        car = self.cars[number]
        piles = {"engine": car.engine, "hand": car.hand["heat"]}
        piles |= {"discard_pile": car.discard.count("heat"), "draw_pile": car.draw.count("heat")}
        places = [place for place, heat in piles.items() if heat]
        return [due(e.HeatLost, seat=number, place=places[0])] if places else []

    def after_out(self, kind: str | None, *, was_active: bool) -> Dues:
        """Go on after a seat has given up, by what it was asked for."""
        if self.nobody_drives():
            return [due(e.RaceEnded, reason=self.reason_nobody_drives())]
        if was_active:
            return self.next_turn()
        if self.asked and self.asked.keys() <= self.chosen.keys():
            return self.turned_up()
        if kind is None or self.asked:
            return []
        then = {"gear": self.enter_cards, "cards": self.movement, "discard": self.replenish}
        return then.get(kind, self.preparing)()

    @abstractmethod
    def preparing(self) -> Dues: ...

    # What happens.

    def check_secret(self, number: int, command: c.Command) -> None:
        """See that a secret choice may be made."""
        car = self.cars[number]
        match command:
            case c.ShiftGear(gear):
                assert 1 <= gear <= 4
                assert self.shift_heat(car, gear) is not None
                if self.rules.unfillable_gears == "withheld" and car.playable() < gear:
                    within_reach = [g for g in (1, 2, 3, 4) if self.shift_heat(car, g) is not None]
                    assert min(within_reach) > car.playable(), "a gear that can be filled was within reach"
            case c.PlayCards(cards):
                assert Counter(cards) <= car.hand
                assert "heat" not in cards
                assert len(cards) == (car.gear if car.playable() >= car.gear else 0)
            case c.Discard(cards, refresh):
                loose = {"heat", "stress"} - {self.event.discardable}
                assert Counter(cards) <= car.hand
                assert loose.isdisjoint(cards)
                assert not cards or not self.is_in_tunnel(car)
                assert self.event.most_discards is None or len(cards) <= self.event.most_discards
                assert Counter(refresh) <= Counter(car.played)
                assert all("refresh" in symbols_on(card) for card in refresh)
            case _:
                raise AssertionError("no secret choice")

    def see_round(self, event: e.RoundStarted) -> None:
        self.round, self.phase, self.turn, self.turns = event.round, 1, None, 0
        self.order, self.adrenaline, self.legend_card = (), (), None
        for number in self.racing(seats_only=True):
            car = self.cars[number]
            assert not car.played
            car.is_cluttered = False
            car.heat_to_lose = 0

    def see_phase(self, event: e.PhaseEntered) -> None:
        self.phase = event.phase
        if event.phase == 8 and self.rules.discards == "together":
            self.turn = None

    def see_turned_up(self, event: e.ChoicesTurnedUp) -> None:
        self.asked, self.chosen = {}, {}

    def see_gear(self, event: e.GearShifted) -> None:
        self.cars[event.seat].gear = event.gear

    def see_order(self, event: e.TurnOrderFixed) -> None:
        self.order, self.adrenaline = event.order, event.adrenaline
        for number, command in self.chosen.items():
            assert isinstance(command, c.PlayCards)
            self.face_down[number] = command.cards
        self.asked, self.chosen = {}, {}

    def see_revealed(self, event: e.CardsRevealed) -> None:
        car = self.cars[event.seat]
        assert Counter(event.cards) <= car.hand
        car.hand -= Counter(event.cards)
        car.played = list(self.face_down.pop(event.seat))

    def see_refreshed(self, event: e.CardsRefreshed) -> None:
        car = self.cars[event.seat]
        take_away(car.played, event.cards)
        car.draw = [*event.cards, *car.draw]

    def see_spent(self, event: e.SponsorshipsSpent) -> None:
        take_away(self.cars[event.seat].played, event.cards)

    def see_discarded(self, event: e.CardsDiscarded) -> None:
        car = self.cars[event.seat]
        assert Counter(event.played) == Counter(car.played)
        car.hand -= Counter(event.hand)
        car.discard += [*event.played, *event.hand]
        car.played = []

    def see_heat_lost(self, event: e.HeatLost) -> None:
        car = self.cars[event.seat]
        car.heat_to_lose -= 1
        match event.place:
            case "engine":
                car.engine -= 1
            case "hand":
                car.hand["heat"] -= 1
            case "discard_pile":
                car.discard.remove("heat")
            case "draw_pile":
                # The lowest one; the rules do not say which, and nobody knows how they lie.
                del car.draw[len(car.draw) - 1 - car.draw[::-1].index("heat")]

    def see_drawn(self, event: e.CardsDrawn) -> None:
        car = self.cars[event.seat]
        del car.draw[: event.count]
        car.hand.update(event.cards or ())

    def see_out(self, event: e.CarOut) -> None:
        car = self.cars[event.car]
        assert car.status == "racing"
        car.status = event.reason
        self.out.append(event.car)
        self.asked.pop(event.car, None)
        self.chosen.pop(event.car, None)
        self.face_down.pop(event.car, None)

    def see_left(self, event: e.CarLeft) -> None:
        assert self.rules.race_end == "all_finished"
        self.left.append(event.car)
        self.cars[event.car].status = "left"

    def see_race_ended(self, event: e.RaceEnded) -> None:
        self.is_over = True
        self.asked = {}
        over = [n for n, car in enumerate(self.cars) if car.status in ("finished", "left")]
        rest = [n for n in range(len(self.cars)) if n not in self.left + self.out]
        ranking = [*self.left, *self.ranked(rest), *reversed(self.out)]
        assert [(s.place, s.car) for s in event.standings] == list(enumerate(ranking, start=1))
        for standing in event.standings:
            status = self.cars[standing.car].status
            assert standing.status == ("finished" if standing.car in over else status)
        assert event.seed == self.setup.seed


def take_away(pile: list[str], cards: tuple[str, ...]) -> None:
    for card in cards:
        pile.remove(card)


def in_order(car: Driver, *without: str) -> list[str]:
    """List a hand in the order of commands: Speed by value, upgrades, Sponsorships, Stress, Heat."""
    return [card for card in CATALOGUE if card not in without for _ in range(car.hand[card])]
