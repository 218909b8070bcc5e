"""The umpire over phase 7: corners, spin-outs, Sponsorships, laps, the finish; and over Legends' turns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial

from heat_core.race import events as e
from tests.core.umpire_knowledge import Due, Dues, Then, due
from tests.core.umpire_symbols import Symbols

PRESSED_BY = 2


class Corners(Symbols, ABC):
    """Follows what a turn costs and gains."""

    # What comes next.

    @abstractmethod
    def after_turn(self) -> Dues: ...

    @abstractmethod
    def next_turn(self) -> Dues: ...

    @abstractmethod
    def move_due(self, number: int, reason: str, spaces: int, start: int, end: int, spot: int) -> Due: ...

    def corner_phase(self) -> Dues:
        turn, _ = self.active()
        lines = list(turn.lines)
        return [due(e.PhaseEntered, phase=7), Then(partial(self.corners, lines))]

    def corners(self, lines: list[int]) -> Dues:
        """Check the first of these lines, then the others."""
        if not lines:
            return self.rewards()
        turn, car = self.active()
        line, *rest = lines
        number = self.road.number(line)
        owed = self.tokens.owed(number, turn.speed, turn.adjust())
        paid = min(owed, car.engine)
        limit = self.tokens.limit(number, turn.adjust())
        told = {"seat": turn.car, "line": line, "corner": number, "speed": turn.speed, "limit": limit}
        dues: Dues = [due(e.CornerChecked, **told, owed=owed, paid=paid)]
        if paid:
            dues.append(due(e.HeatPaid, seat=turn.car, amount=paid, reason="corner"))
        return [*dues, Then(partial(self.spin_out, line) if paid < owed else partial(self.corners, rest))]

    def spin_out(self, line: int) -> Dues:
        turn, car = self.active()
        place = line
        while (spot := self.road.free_spot(self.taken(turn.car), place)) is None:
            place -= 1
        stress = 1 if car.gear in (1, 2) else 2
        told = {"seat": turn.car, "line": line, "start": car.place, "end": place, "spot": spot}
        spun = due(e.SpunOut, **told, stress=stress)
        if not self.event.spin_out_ends_race:
            return [spun, Then(partial(self.laps, is_rewarded=False)), Then(self.finish)]
        return [spun, due(e.CarOut, car=turn.car, reason="spun_out"), Then(self.after_spin_out)]

    def after_spin_out(self) -> Dues:
        if self.nobody_drives():
            return [due(e.RaceEnded, reason=self.reason_nobody_drives())]
        return self.after_turn()

    def rewards(self) -> Dues:
        """Give what a turn without a spin-out has gained."""
        turn, _ = self.active()
        if not self.setup.modules.sponsorships:
            return [Then(partial(self.laps, is_rewarded=True)), Then(self.finish)]
        gains: list[tuple[e.SponsorReason, int | None]] = []
        for line in turn.lines:
            number = self.road.number(line)
            pressed = self.press_reason(line)
            if pressed is not None and number not in [corner for _, corner in gains]:
                gains += [(pressed, number)] * self.event.press_cards
        if self.event.trigger == "speed_of_15" and turn.speed >= 15:
            gains.append(("event", None))
        if self.event.trigger == "passing_three_cars" and self.cars_passed() >= 3:
            gains.append(("event", None))
        dues = [Then(partial(self.gained, turn.car, reason, corner)) for reason, corner in gains]
        return [*dues, Then(partial(self.laps, is_rewarded=True)), Then(self.finish)]

    def press_reason(self, line: int) -> e.SponsorReason | None:
        turn, _ = self.active()
        number = self.road.number(line)
        limit = self.tokens.limit(number)
        if number not in self.tokens.press_corners():
            return None
        if self.event.presses_by_slowness:
            return "press" if turn.speed < limit else None
        if line in turn.slipstream_lines:
            return "slipstream"
        return "press" if turn.speed >= limit + PRESSED_BY else None

    def cars_passed(self) -> int:
        turn, car = self.active()
        between = {self.road.space(place) for place in range(turn.start + 1, car.place)}
        return sum(space in between for space, _ in self.taken(turn.car))

    def gained(self, number: int, reason: e.SponsorReason, corner: int | None) -> Dues:
        if not self.sponsorships:
            return []
        return [due(e.SponsorshipGained, seat=number, reason=reason, corner=corner)]

    def laps(self, *, is_rewarded: bool) -> Dues:
        """Note the laps that the turn has completed, where the event asks for them."""
        turn, car = self.active()
        is_first = self.event.trigger == "first_three_of_lap_1"
        dues: Dues = []
        if not is_first and not self.event.laps_cost_heat:
            return []
        for lap in range(1, self.road.lap(car.place)):
            if lap <= car.laps:
                continue
            dues.append(due(e.LapCompleted, car=turn.car, lap=lap))
            is_early = is_first and lap == 1 and self.of_lap_1 < 3
            if is_early and is_rewarded and self.setup.modules.sponsorships:
                dues.append(Then(partial(self.gained, turn.car, "event", None)))
        return dues

    def finish(self) -> Dues:
        turn, car = self.active()
        finished: Dues = []
        if car.place > self.road.finish:
            finished = [due(e.CarFinished, car=turn.car)]
        return [*finished, Then(self.next_turn if car.is_legend else self.after_turn)]

    def legend_turn(self) -> Dues:
        if self.legend_card is not None:
            return self.legend_move()
        shuffled = [] if self.legend_deck else [due(e.LegendCardsShuffled)]
        return [*shuffled, due(e.LegendCardTurned), Then(self.legend_move)]

    def legend_move(self) -> Dues:
        turn, car = self.active()
        end, spot, speed = self.legend_end(turn.car)
        return [
            due(e.LegendMoved, car=turn.car, speed=speed),
            self.move_due(turn.car, "legend", speed, car.place, end, spot),
            Then(partial(self.laps, is_rewarded=False)),
            Then(self.finish),
        ]

    # What happens.

    def see_paid(self, event: e.HeatPaid) -> None:
        car = self.cars[event.seat]
        assert 0 < event.amount <= car.engine
        assert event.amount <= sum(part.amount for part in event.parts)
        car.engine -= event.amount
        car.discard += ["heat"] * event.amount

    def see_checked(self, event: e.CornerChecked) -> None:
        assert max(0, sum(part.amount for part in event.limit_parts)) == event.limit

    def see_spun_out(self, event: e.SpunOut) -> None:
        _, car = self.active()
        assert car.engine == 0
        car.place, car.spot, car.gear = event.end, event.spot, 1
        car.hand["stress"] += event.stress

    def see_gained(self, event: e.SponsorshipGained) -> None:
        assert event.card is not None
        assert self.sponsorships[event.card] > 0
        self.sponsorships[event.card] -= 1
        self.sponsorships = +self.sponsorships
        self.cars[event.seat].hand[event.card] += 1

    def see_lap(self, event: e.LapCompleted) -> None:
        car = self.cars[event.car]
        car.laps = event.lap
        self.of_lap_1 += event.lap == 1
        car.heat_to_lose += self.event.laps_cost_heat and not car.is_legend and event.lap < self.setup.laps

    def see_finished(self, event: e.CarFinished) -> None:
        car = self.cars[event.car]
        assert car.status == "racing"
        car.status = "finished"

    def see_legend_card(self, event: e.LegendCardTurned) -> None:
        assert self.legend_deck.pop(0) == event.card
        self.legend_card = event.card
