"""An umpire: reads a race's events and holds each against RULES.md, with nothing of the engine's rules.

It shares the types of events and commands with the engine, and the facts of boards and cards, but no code
that knows a rule: lines are found by walking space by space, places by trying spots, hands by counting. What
it does not expect is an AssertionError that names the event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heat_core import commands as c
from heat_core import events as e
from heat_core.setup import CarPosition
from tests.core.umpire_knowledge import Driver, Knowledge, Turn

VALUES = {"1": 1, "2": 2, "3": 3, "4": 4, "start-0": 0, "start-5": 5}
BASIC = frozenset("1234")


class Umpire(Knowledge):
    """Follows one race from its set-up."""

    def watch(self, events: Sequence[e.Event], *, to_the_end: bool = True) -> None:
        for number, event in enumerate(events, start=1):
            try:
                self.see(event)
            except AssertionError as wrong:
                raise AssertionError(f"event {number}, {event}: {wrong}") from wrong
        assert self.is_over or not to_the_end

    # What happens.

    def see(self, event: e.Event) -> None:
        assert not self.is_over, "the race is over"
        assert self.out_due is None or isinstance(event, e.CarOut), "a car is out"
        if self.heat_due and self.heat_due[0][1]:
            assert isinstance(event, e.HeatPaid), f"Heat is due: {self.heat_due}"
        if self.turn is not None and self.turn.spin_due is not None and not self.heat_due:
            assert isinstance(event, e.SpunOut), "a spin-out is due"
        match event:
            case e.GridDrawn() | e.PilesMade() | e.LegendCardsShuffled() | e.RaceSetUp() | e.PositionPlaced():
                self.see_set_up(event)
            case e.CardsDrawn() | e.PileReshuffled() | e.CardFlipped() | e.FlipFailed():
                self.see_piles(event)
            case e.RoundStarted() | e.PhaseEntered():
                self.see_phase(event)
            case e.DecisionsOpened() | e.ChoiceMade() | e.ChoicesTurnedUp():
                self.see_choices(event)
            case e.GearShifted() | e.TurnOrderFixed() | e.CardsRevealed() | e.CardsDiscarded():
                self.see_common(event)
            case e.TurnStarted() | e.HandCluttered() | e.LegendCardTurned() | e.LegendMoved():
                self.see_turn(event)
            case e.SpeedSet() | e.CarMoved() | e.SymbolsGained() | e.SymbolUsed() | e.HeatCooled():
                self.see_moving(event)
            case e.HeatPaid() | e.CornerChecked() | e.SpunOut():
                self.see_bills(event)
            case e.CarFinished() | e.CarLeft() | e.CarOut() | e.RaceEnded():
                self.see_end(event)
            case _:
                raise AssertionError("not in a race of this kind")

    def see_set_up(
        self, event: e.GridDrawn | e.PilesMade | e.LegendCardsShuffled | e.RaceSetUp | e.PositionPlaced
    ) -> None:
        facts = self.setup.track
        match event:
            case e.GridDrawn():
                assert sorted(event.order) == list(range(len(self.cars)))
                for (space, side), number in zip(facts.grid, event.order, strict=False):
                    self.cars[number].place = space
                    self.cars[number].spot = self.road.spot(space, side)
            case e.PositionPlaced():
                position = self.setup.position
                assert position is not None
                assert event.round == position.round
                self.round = position.round - 1
                for number, (said, placed) in enumerate(zip(position.cars, event.cars, strict=True)):
                    self.see_placed(number, said, placed)
                assert len(self.taken(-1)) == sum(car.status == "racing" for car in self.cars)
                self.left.sort(key=lambda number: position.cars[number].finished or 0)
                self.out.sort(key=lambda number: position.cars[number].gave_up or 0)
            case e.PilesMade():
                self.see_piles_made(event)
            case e.LegendCardsShuffled():
                assert event.order is not None
                assert not self.legend_deck
                placing = self.setup.position if self.phase == 0 else None
                named = placing.legend_cards if placing else ()
                assert event.order[: len(named)] == named
                if placing and placing.are_others_turned:
                    assert event.order == named
                else:
                    assert sorted(event.order) == list(range(10))
                self.legend_deck = list(event.order)
            case e.RaceSetUp():
                assert self.round == 0

    def see_placed(self, number: int, said: CarPosition, placed: e.PlacedCar) -> None:
        car = self.cars[number]
        assert said.spot in (None, placed.spot)
        assert placed.progress == said.lap * self.setup.track.spaces + said.space
        assert (placed.gear, placed.speed, placed.played) == (said.gear, said.speed, said.played)
        assert placed.place == (said.finished or said.gave_up)
        assert placed.status == ("left" if said.finished else "gave_up" if said.gave_up else "racing")
        car.place, car.spot, car.gear, car.status = placed.progress, placed.spot, placed.gear, placed.status
        car.played = list(placed.played)
        if placed.status == "left":
            self.left.append(number)
        elif placed.status == "gave_up":
            self.out.append(number)

    def see_piles_made(self, event: e.PilesMade) -> None:
        assert event.draw_pile is not None
        assert event.cards == len(event.draw_pile)
        facts, position = self.setup.track, self.setup.position
        car = self.cars[event.seat]
        cards = Counter({"1": 3, "2": 3, "3": 3, "4": 3, "start-0": 1, "start-5": 1, "heat": 1})
        cards += Counter({"stress": facts.stress})
        if position is None:
            assert Counter(event.draw_pile) == cards
            assert (event.engine, event.discard_pile) == (facts.heat, ())
        else:
            placed = position.cars[event.seat]
            assert event.discard_pile == placed.discard_pile
            hand = placed.hand or ()
            assert event.draw_pile[: len(hand)] == hand
            below = event.draw_pile[len(hand) :]
            rest = cards - Counter((*hand, *placed.discard_pile, *placed.played))
            assert below == placed.draw_pile or Counter(below) == rest
            assert placed.engine is None or event.engine == placed.engine
        car.draw, car.discard = list(event.draw_pile), list(event.discard_pile)
        car.engine = event.engine

    def see_piles(self, event: e.CardsDrawn | e.PileReshuffled | e.CardFlipped | e.FlipFailed) -> None:
        car = self.cars[event.seat]
        match event:
            case e.CardsDrawn():
                assert self.phase in (0, 9)
                assert event.cards is not None
                missing = self.rules.hand_size - car.hand.total()
                if self.phase == 0 and self.setup.position is not None:
                    hand = self.setup.position.cars[event.seat].hand
                    assert hand in (None, event.cards)
                    missing = missing if hand is None else len(hand)
                assert 0 < event.count == len(event.cards) == min(missing, len(car.draw))
                assert list(event.cards) == car.draw[: event.count]
                del car.draw[: event.count]
                car.hand.update(event.cards)
            case e.PileReshuffled():
                assert event.order is not None
                assert not car.draw
                assert car.discard
                assert Counter(event.order) == Counter(car.discard)
                assert event.cards == len(car.discard)
                car.draw, car.discard = list(event.order), []
            case e.CardFlipped():
                assert self.turn is not None
                assert self.turn.flips_due[:1] == [event.reason]
                assert event.card == car.draw.pop(0)
                assert event.value == (int(event.card) if event.card in BASIC else 0)
                if event.value:
                    self.turn.flips_due.pop(0)
                    self.turn.speed += event.value
                    if event.reason == "boost":
                        self.turn.move_due = ("boost", event.value)
                (car.played if event.value else car.discard).append(event.card)
            case e.FlipFailed():
                assert self.turn is not None
                assert self.turn.flips_due.pop(0) == event.reason == "stress"
                assert not BASIC & {*car.draw, *car.discard}

    def see_phase(self, event: e.RoundStarted | e.PhaseEntered) -> None:
        if isinstance(event, e.RoundStarted):
            assert event.round == self.round + 1
            assert not self.is_last_round(), "this was the last round"
            assert self.phase in (0, 9) or self.rules.discards == "each"
            self.check_turns_done()
            for number in self.racing(seats_only=True):
                car = self.cars[number]
                assert not car.played
                is_full = car.hand.total() >= self.rules.hand_size or not (car.draw or car.discard)
                assert is_full or (self.phase == 0 and self.setup.position is not None)
                car.is_cluttered = False
            self.round, self.phase, self.turn, self.turns = event.round, 1, None, 0
            self.order, self.legend_card = (), None
            return
        before, self.phase = self.phase, event.phase
        if event.phase in (2, 8) and (event.phase == 2 or self.rules.discards == "together"):
            self.check_turns_done()
            assert not self.is_last_round(), "the last round has no phases 8 and 9"
            assert before == 1 or event.phase == 8
            assert event.phase == 8 or not self.chosen, "a gear has not turned up"
            self.turn = None
        elif event.phase == 9 and self.turn is None:
            assert before == 8
        else:
            assert self.turn is not None
            self.enter_phase_of_turn(self.turn, event.phase)

    def enter_phase_of_turn(self, turn: Turn, phase: int) -> None:
        car = self.cars[turn.car]
        assert turn.move_due is None
        assert not turn.flips_due
        if phase == 9 and car.is_cluttered:
            turn.phase = 9
            return
        assert phase == turn.phase + 1
        if phase == 5:
            assert turn.symbols == self.symbols_of(turn.car)
        if phase == 6:
            turn.slipstream_due = self.can_slipstream(turn.car)
        if phase == 7:
            assert not turn.slipstream_due
        if phase == 8:
            self.check_corners_done(turn)
        turn.phase = phase

    def check_corners_done(self, turn: Turn) -> None:
        assert not turn.lines, f"lines {turn.lines} were not checked"
        car = self.cars[turn.car]
        assert (car.status in ("finished", "left")) == (car.place > self.road.finish)

    def check_turns_done(self) -> None:
        if self.turn is not None:
            self.check_corners_done(self.turn)
        late = [number for number in self.order[self.turns :] if self.cars[number].status == "racing"]
        assert not late, "a car has not had its turn"

    def see_choices(self, event: e.DecisionsOpened | e.ChoiceMade | e.ChoicesTurnedUp) -> None:
        match event:
            case e.DecisionsOpened():
                assert not self.asked
                alone = () if self.turn is None else (self.turn.car,)
                everybody = tuple(self.racing(seats_only=True))
                awake = tuple(n for n in everybody if not self.cars[n].is_cluttered)
                expected = {
                    "gear": (1, everybody),
                    "cards": (2, everybody),
                    "react": (5, alone),
                    "slipstream": (6, alone),
                    "discard": (8, awake if self.rules.discards == "together" else alone),
                }[event.kind]
                assert (self.phase, event.seats) == expected
                self.asked = dict.fromkeys(event.seats, event.kind)
                if event.kind == "slipstream":
                    assert self.turn is not None
                    assert self.turn.slipstream_due
            case e.ChoiceMade():
                assert event.command is not None
                if isinstance(event.command, c.GiveUp):
                    assert event.decision is None
                    self.out_due = event.seat
                elif self.asked[event.seat] in ("react", "slipstream"):
                    self.asked = {}
                else:
                    self.chosen[event.seat] = event.command
                if isinstance(event.command, c.Slipstream):
                    assert self.turn is not None
                    assert event.command.spaces in (0, 2)
                    self.turn.slipstream_due = False
                    if event.command.spaces:
                        self.turn.move_due = ("slipstream", 2)
            case e.ChoicesTurnedUp():
                assert self.asked.keys() <= self.chosen.keys()
                assert set(self.asked.values()) == {event.kind}
                self.asked = {}

    def see_common(
        self, event: e.GearShifted | e.TurnOrderFixed | e.CardsRevealed | e.CardsDiscarded
    ) -> None:
        match event:
            case e.GearShifted():
                self.see_gear(event)
            case e.TurnOrderFixed():
                assert list(event.order) == self.ranked(self.racing())
                two = len(self.cars) >= 5
                assert event.adrenaline == event.order[-2 if two else -1 :]
                self.order, self.adrenaline = event.order, event.adrenaline
            case e.CardsRevealed():
                car = self.cars[event.seat]
                said = self.chosen.pop(event.seat)
                assert isinstance(said, c.PlayCards)
                assert Counter(said.cards) == Counter(event.cards) <= car.hand
                assert len(event.cards) == car.gear
                assert "heat" not in event.cards
                car.hand -= Counter(event.cards)
                car.played = list(event.cards)
            case e.CardsDiscarded():
                car = self.cars[event.seat]
                said = self.chosen.pop(event.seat)
                assert isinstance(said, c.Discard)
                assert Counter(said.cards) == Counter(event.hand) <= car.hand
                assert not {"heat", "stress"} & set(event.hand)
                assert not event.hand or not self.road.is_within(self.setup.track.tunnel, car.place)
                assert Counter(event.played) == Counter(car.played)
                car.hand -= Counter(event.hand)
                car.discard += [*event.played, *event.hand]
                car.played = []

    def see_gear(self, event: e.GearShifted) -> None:
        car = self.cars[event.seat]
        said = self.chosen.pop(event.seat)
        assert (said, event.before) == (c.ShiftGear(event.gear), car.gear)
        heat = self.shift_heat(car, event.gear)
        assert heat is not None
        if self.rules.unfillable_gears == "withheld" and car.playable() < event.gear:
            within_reach = [gear for gear in (1, 2, 3, 4) if self.shift_heat(car, gear) is not None]
            assert min(within_reach) > car.playable(), "a gear that the hand can fill was within reach"
        car.gear = event.gear
        self.heat_due = [(event.seat, heat, "shift")] if heat else []

    def see_turn(self, event: e.TurnStarted | e.HandCluttered | e.LegendCardTurned | e.LegendMoved) -> None:
        match event:
            case e.TurnStarted():
                if self.turn is not None:
                    self.check_corners_done(self.turn)
                while self.cars[self.order[self.turns]].status == "gave_up":
                    self.turns += 1
                assert self.order[self.turns] == event.car
                self.turns += 1
                self.turn = Turn(event.car)
                car = self.cars[event.car]
                self.turn.speed = sum(VALUES.get(card, 0) for card in car.played)
                self.turn.flips_due = [card for card in car.played if card == "stress"]
                self.turn.speed_due = not car.is_legend
                if not car.is_legend and not car.played:
                    assert self.chosen.pop(event.car) == c.PlayCards(())
            case e.HandCluttered():
                car = self.cars[event.seat]
                assert (Counter(event.hand), event.gear) == (car.hand, car.gear)
                assert car.playable() < car.gear
                thrown = Counter(event.discarded)
                fill = min(car.gear - car.playable(), car.hand["heat"])
                assert thrown["heat"] == fill
                assert thrown.total() == car.playable() + fill
                car.hand -= thrown
                assert not car.playable()
                car.discard += event.discarded
                car.gear, car.is_cluttered = 1, True
                assert self.turn is not None
                self.turn.speed_due = False
            case e.LegendCardTurned():
                assert self.legend_card is None
                assert self.legend_deck.pop(0) == event.card
                self.legend_card = event.card
            case e.LegendMoved():
                assert self.turn is not None
                assert self.turn.car == event.car
                assert self.cars[event.car].is_legend
                self.turn.move_due = ("legend", event.speed)
                assert event.speed == self.legend_end(event.car)[2]

    def see_moving(
        self, event: e.SpeedSet | e.CarMoved | e.SymbolsGained | e.SymbolUsed | e.HeatCooled
    ) -> None:
        turn = self.turn
        assert turn is not None
        car = self.cars[turn.car]
        match event:
            case e.SpeedSet():
                assert not turn.flips_due
                assert event.speed == turn.speed == sum(part.amount for part in event.parts)
                if turn.phase == 3:
                    assert turn.speed_due
                    turn.move_due = ("cards", turn.speed)
                turn.speed_due = False
            case e.CarMoved():
                assert not turn.speed_due
                assert (event.reason, event.spaces) == turn.move_due
                turn.move_due = None
                legend = event.reason == "legend"
                end = self.legend_end(turn.car)[:2] if legend else self.end(turn.car, event.spaces)
                assert (event.car, event.start) == (turn.car, car.place)
                assert (event.end, event.spot) == end
                lines = self.road.lines(event.start, event.end)
                assert list(event.lines) == lines
                turn.lines += [] if legend else lines
                car.place, car.spot = end
            case e.SymbolsGained():
                assert turn.phase == 4
                assert event.symbols
                turn.symbols += event.symbols
            case e.SymbolUsed():
                self.see_symbol(turn, car, event)
            case e.HeatCooled():
                assert self.cool_due == (event.seat, event.amount)
                self.cool_due = None
                car.hand["heat"] -= event.amount
                car.engine += event.amount

    def see_symbol(self, turn: Turn, car: Driver, event: e.SymbolUsed) -> None:
        assert (event.seat, turn.phase) == (turn.car, 5)
        assert event.number not in turn.used
        turn.used.add(event.number)
        symbol = turn.symbols[event.number]
        match symbol.kind:
            case "cooldown":
                assert 1 <= event.amount <= min(symbol.number, car.hand["heat"])
                self.cool_due = (event.seat, event.amount)
            case "speed":
                turn.speed += 1
                turn.speed_due = True
                turn.move_due = ("adrenaline", 1)
            case "boost":
                assert BASIC & {*car.draw, *car.discard}
                self.heat_due = [(event.seat, 1, "boost")]
                turn.flips_due = ["boost"]
                turn.speed_due = True
            case "flip":
                raise AssertionError("flips are resolved at the reveal")

    def see_bills(self, event: e.HeatPaid | e.CornerChecked | e.SpunOut) -> None:
        car = self.cars[event.seat]
        match event:
            case e.HeatPaid():
                assert self.heat_due.pop(0) == (event.seat, event.amount, event.reason)
                assert 0 < event.amount <= car.engine
                car.engine -= event.amount
                car.discard += ["heat"] * event.amount
            case e.CornerChecked():
                turn = self.turn
                assert turn is not None
                assert (turn.car, turn.phase) == (event.seat, 7)
                assert event.line == turn.lines.pop(0), "corners are checked in the order crossed"
                limit = self.setup.track.corners[event.corner].limit
                assert self.setup.track.corners[event.corner].after_space == self.road.space(event.line)
                assert (event.limit, event.speed) == (limit, turn.speed)
                assert event.owed == max(0, turn.speed - limit)
                assert event.paid == min(event.owed, car.engine)
                self.heat_due = [(event.seat, event.paid, "corner")] if event.paid else []
                if event.paid < event.owed:
                    turn.spin_due = event.line
                    turn.lines = []
            case e.SpunOut():
                turn = self.turn
                assert turn is not None
                assert turn.spin_due == event.line
                turn.spin_due = None
                assert car.engine == 0
                place = event.line
                while (spot := self.road.free_spot(self.taken(event.seat), place)) is None:
                    place -= 1
                assert (event.start, event.end, event.spot) == (car.place, place, spot)
                assert event.stress == (1 if car.gear in (1, 2) else 2)
                car.place, car.spot, car.gear = place, spot, 1
                car.hand["stress"] += event.stress

    def see_out(self, event: e.CarOut) -> None:
        assert self.out_due == event.car
        self.out_due = None
        gone = any(car.status in ("finished", "left") for car in self.cars)
        assert gone or self.rules.giving_up == "any_time"
        assert self.cars[event.car].status == "racing"
        self.cars[event.car].status = "gave_up"
        self.out.append(event.car)
        self.asked.pop(event.car, None)
        self.chosen.pop(event.car, None)
        if self.turn is not None and self.turn.car == event.car:
            self.turn = None

    def see_end(self, event: e.CarFinished | e.CarLeft | e.CarOut | e.RaceEnded) -> None:
        match event:
            case e.CarOut():
                self.see_out(event)
            case e.CarFinished():
                assert self.turn is not None
                assert self.turn.car == event.car
                assert not self.turn.lines
                car = self.cars[event.car]
                assert car.status == "racing"
                assert car.place > self.road.finish
                car.status = "finished"
            case e.CarLeft():
                assert self.rules.race_end == "all_finished"
                self.check_turns_done()
                done = [n for n, car in enumerate(self.cars) if car.status == "finished"]
                assert self.ranked(done)[0] == event.car
                self.left.append(event.car)
                assert event.place == len(self.left)
                self.cars[event.car].status = "left"
            case e.RaceEnded():
                self.see_race_ended(event)

    def see_race_ended(self, event: e.RaceEnded) -> None:
        self.is_over = True
        over = [n for n, car in enumerate(self.cars) if car.status in ("finished", "left")]
        drivers = [n for n, car in enumerate(self.cars) if not car.is_legend and n not in self.out]
        if event.reason == "gave_up":
            assert not drivers
        else:
            self.check_turns_done()
            assert event.reason == "finished"
            assert over
            if self.rules.race_end == "all_finished":
                assert not self.racing()
        rest = [n for n in range(len(self.cars)) if n not in self.left + self.out]
        ranking = [*self.left, *self.ranked(rest), *reversed(self.out)]
        assert [(s.place, s.car) for s in event.standings] == list(enumerate(ranking, start=1))
        for standing in event.standings:
            assert (standing.status == "finished") == (standing.car in over)
            assert (standing.status == "gave_up") == (standing.car in self.out)
        assert event.seed == self.setup.seed
