"""An umpire: reads a race's events and holds each against docs/rules.md, with nothing of the engine's rules.

It shares the types of events and commands with the engine, and the facts of boards, cards and tokens, but no
code that knows a rule: lines are found by walking space by space, places by trying spots, hands by counting.

Theory of operation. `due` says what must come next: events with what is known of them, flips, and more that
is only found out when all before it has happened. It is empty while decisions are open; what a seat says then
is checked and tells what is due after it. What the umpire does not expect is an AssertionError that names the
event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from heat_core.race import commands as c
from heat_core.race import events as e
from tests.core.umpire_knowledge import Due, Dues, Flip, Then, due
from tests.core.umpire_prepare import Prepares

SECRET = ("gear", "cards", "discard")


class Umpire(Prepares):
    """Follows one race from its set-up."""

    def watch(self, events: Sequence[e.Event], *, to_the_end: bool = True) -> None:
        for number, event in enumerate(events, start=1):
            try:
                self.see(event)
            except AssertionError as wrong:
                raise AssertionError(f"event {number}, {event}: {wrong}") from wrong
        assert self.is_over or not to_the_end

    def see(self, event: e.Event) -> None:
        assert not self.is_over, "the race is over"
        next_due = self.next_due()
        if isinstance(event, e.ChoiceMade):
            assert next_due is None, f"{next_due} is due"
            self.see_choice(event)
            return
        assert next_due is not None, "nothing is due"
        if isinstance(next_due, Flip):
            self.check_flip(next_due, event)
        else:
            assert isinstance(event, next_due.kind), f"{next_due} is due"
            told = {name: getattr(event, name) for name in next_due.fields}
            assert told == next_due.fields, f"{next_due} is due"
            self.due.pop(0)
        if type(event) in SEERS:
            SEERS[type(event)](self, event)

    def next_due(self) -> Due | Flip | None:
        while self.due and isinstance(self.due[0], Then):
            self.due[:1] = self.due[0].find()
        first = self.due[0] if self.due else None
        assert not isinstance(first, Then)
        return first

    def check_flip(self, flip: Flip, event: e.Event) -> None:
        """See that a flip goes on, and end it with a value or where there is none."""
        car = self.cars[flip.seat]
        match event:
            case e.PileReshuffled():
                assert event.seat == flip.seat
                assert not car.draw
                assert car.can_flip()
            case e.CardFlipped() | e.FlipFailed():
                assert (event.seat, event.reason, event.source) == (flip.seat, flip.reason, flip.source)
                if isinstance(event, e.FlipFailed) or event.value:
                    self.due.pop(0)
            case _:
                raise AssertionError(f"{flip} is due")

    def see_opened(self, event: e.DecisionsOpened) -> None:
        self.asked = dict.fromkeys(event.seats, event.kind)

    def see_choice(self, event: e.ChoiceMade) -> None:
        assert event.command is not None
        number, command = event.seat, event.command
        if isinstance(command, c.GiveUp):
            assert event.decision is None
            self.see_giving_up(number)
        elif (kind := self.asked[number]) in SECRET:
            self.check_secret(number, command)
            self.chosen[number] = command
            if self.asked.keys() <= self.chosen.keys():
                self.due = [Then(self.turned_up)]
        else:
            self.asked = {}
            self.due = self.answered(kind, number, command)

    def see_giving_up(self, number: int) -> None:
        is_too_early = all(car.status not in ("finished", "left") for car in self.cars)
        assert self.rules.giving_up == "any_time" or not is_too_early
        out = due(e.CarOut, car=number, reason="gave_up")
        self.picking = [seat for seat in self.picking if seat != number]
        was_active = self.turn is not None and self.turn.car == number
        self.due = [out, Then(partial(self.after_out, self.asked.get(number), was_active=was_active))]

    def answered(self, kind: str, number: int, command: c.Command) -> Dues:
        """Say what comes of an answer that all see at once."""
        match command:
            case c.PickUpgrade(card) if kind == "pick":
                assert card in self.offered
                return [due(e.UpgradePicked, seat=number, card=card), Then(self.preparing)]
            case c.SwapUpgrade(None, None) if kind == "swap":
                return [due(e.GarageClosed), Then(self.preparing)]
            case c.SwapUpgrade(give, take) if kind == "swap":
                assert give in self.cars[number].upgrades
                assert take in self.offered
                swapped = due(e.UpgradeSwapped, seat=number, give=give, take=take)
                return [swapped, due(e.GarageClosed), Then(self.preparing)]
            case c.ChooseValue(values) if kind == "value":
                return self.chosen_values(values)
            case c.UseSymbol() if kind == "react":
                return self.symbol_used(command)
            case c.EndReact() if kind == "react":
                return self.end_of_react()
            case c.DropUnpaid(cards) if kind == "unpaid":
                return self.dropped(cards)
            case c.Slipstream(spaces) if kind == "slipstream":
                return self.slipstreamed(spaces)
            case _:
                raise AssertionError(f"{kind} is asked")


SEERS: Final[dict[type[Any], Callable[[Umpire, Any], None]]] = {
    e.GridDrawn: Umpire.see_grid,
    e.UpgradesDealt: Umpire.see_dealt,
    e.UpgradePicked: Umpire.see_picked,
    e.UpgradeSwapped: Umpire.see_swapped,
    e.GarageClosed: Umpire.see_closed,
    e.WeatherDrawn: Umpire.see_weather,
    e.RoadsDrawn: Umpire.see_roads,
    e.PositionPlaced: Umpire.see_placed,
    e.PilesMade: Umpire.see_piles_made,
    e.LegendCardsShuffled: Umpire.see_legends_shuffled,
    e.RoundStarted: Umpire.see_round,
    e.PhaseEntered: Umpire.see_phase,
    e.DecisionsOpened: Umpire.see_opened,
    e.ChoicesTurnedUp: Umpire.see_turned_up,
    e.GearShifted: Umpire.see_gear,
    e.TurnOrderFixed: Umpire.see_order,
    e.CardsRevealed: Umpire.see_revealed,
    e.CardsRefreshed: Umpire.see_refreshed,
    e.SponsorshipsSpent: Umpire.see_spent,
    e.CardsDiscarded: Umpire.see_discarded,
    e.HeatLost: Umpire.see_heat_lost,
    e.CardsDrawn: Umpire.see_drawn,
    e.PileReshuffled: Umpire.see_reshuffled,
    e.TurnStarted: Umpire.see_turn,
    e.HandCluttered: Umpire.see_cluttered,
    e.CardFlipped: Umpire.see_flipped,
    e.FlipFailed: Umpire.see_flip_failed,
    e.SpeedSet: Umpire.see_speed,
    e.CarMoved: Umpire.see_moved,
    e.SymbolsGained: Umpire.see_symbols,
    e.SymbolUsed: Umpire.see_symbol_used,
    e.HeatCooled: Umpire.see_cooled,
    e.HeatSuperCooled: Umpire.see_super_cooled,
    e.StressReduced: Umpire.see_stress_reduced,
    e.CardScrapped: Umpire.see_scrapped,
    e.CardsSalvaged: Umpire.see_salvaged,
    e.CardPlayedDirectly: Umpire.see_direct,
    e.CardsDropped: Umpire.see_dropped,
    e.HeatPaid: Umpire.see_paid,
    e.CornerChecked: Umpire.see_checked,
    e.SpunOut: Umpire.see_spun_out,
    e.SponsorshipGained: Umpire.see_gained,
    e.LapCompleted: Umpire.see_lap,
    e.CarFinished: Umpire.see_finished,
    e.LegendCardTurned: Umpire.see_legend_card,
    e.CarOut: Umpire.see_out,
    e.CarLeft: Umpire.see_left,
    e.RaceEnded: Umpire.see_race_ended,
}
"""By type of event, what changes with it; the others only tell."""
