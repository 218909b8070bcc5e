"""Applying events: the only way in which a race changes.

`apply` neither fails on a decided event nor draws random numbers. Applying a race's events from its set-up
gives the same state again, byte for byte (CORE-12).
"""

# Decided events name seats where they say `seat`, and come within a turn where they change it; neither is
# asked again here.
# mypy: disable-error-code="union-attr"

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from heat_core.cards import HAND_ORDER, HEAT, SPONSORSHIP_CARDS, STRESS
from heat_core.race import events as e
from heat_core.race.apply_modules import MODULE_APPLIERS
from heat_core.race.apply_start import START_APPLIERS, put_car
from heat_core.race.cars import Legend, Seat
from heat_core.race.commands import SECRET_KINDS
from heat_core.race.phase import Phase
from heat_core.race.setup import RaceSetup
from heat_core.race.state import OFF_TRACK, OpenDecision, Race, Turn, new_race

_PHASES: Final = tuple(Phase)
# Names of their own, because looking a member up in its enum takes longer than most of what is done here.
_SHIFT_GEARS: Final = Phase.SHIFT_GEARS
_REVEAL_AND_MOVE: Final = Phase.REVEAL_AND_MOVE
_DISCARD: Final = Phase.DISCARD


def apply(race: Race, event: e.Event) -> None:
    """Change the race by one event that was decided for it."""
    race.event_number += 1
    APPLIERS[type(event)](race, event)


def fold(setup: RaceSetup, events: Iterable[e.Event]) -> Race:
    """Make the state that a list of events leads to."""
    race = new_race(setup)
    for event in events:
        apply(race, event)
    return race


def _round_started(race: Race, event: e.RoundStarted) -> None:
    race.round = event.round
    race.phase = _SHIFT_GEARS
    race.turn_order = ()
    race.adrenaline = ()
    race.turns_taken = 0
    race.turn = None
    race.legend_card = None
    for car in race.cars:
        if type(car) is Seat:
            car.is_cluttered = False
            car.heat_to_lose = 0


def _phase_entered(race: Race, event: e.PhaseEntered) -> None:
    race.phase = phase = _PHASES[event.phase]
    if phase is _DISCARD and race.rules.discards == "together":
        race.turn = None


def _decisions_opened(race: Race, event: e.DecisionsOpened) -> None:
    decision = race.next_decision
    for seat in event.seats:
        race.open[seat] = OpenDecision(decision, event.kind)
        decision += 1
    race.next_decision = decision
    race.owing.extend(event.seats)


def _choice_made(race: Race, event: e.ChoiceMade) -> None:
    if event.decision is None:
        return
    seat = event.seat
    decision = race.open[seat]
    if decision.chosen is None:
        race.owing.remove(seat)
    if decision.kind in SECRET_KINDS:
        decision.id = race.next_decision
        race.next_decision += 1
        decision.chosen = event.command
    else:
        del race.open[seat]


def _choices_turned_up(race: Race, event: e.ChoicesTurnedUp) -> None:
    race.open = {}


def _gear_shifted(race: Race, event: e.GearShifted) -> None:
    race.cars[event.seat].gear = event.gear


def _turn_order_fixed(race: Race, event: e.TurnOrderFixed) -> None:
    for number, decision in race.open.items():
        race.cars[number].face_down = decision.chosen.cards
    race.open = {}
    race.turn_order = event.order
    race.adrenaline = event.adrenaline


def _cards_revealed(race: Race, event: e.CardsRevealed) -> None:
    seat = race.cars[event.seat]
    hand = seat.hand
    for card in event.cards:
        hand.remove(card)
    seat.played.extend(event.cards)
    seat.face_down = ()


def _turn_started(race: Race, event: e.TurnStarted) -> None:
    race.phase = _REVEAL_AND_MOVE
    race.turns_taken = race.turn_order.index(event.car) + 1
    car = race.cars[event.car]
    race.turn = Turn(event.car, car.progress, car.spot)


def _hand_cluttered(race: Race, event: e.HandCluttered) -> None:
    seat = race.cars[event.seat]
    for card in event.discarded:
        seat.hand.remove(card)
    seat.discard_pile.extend([card for card in event.discarded if card not in SPONSORSHIP_CARDS])
    seat.gear = 1
    seat.is_cluttered = True


def _card_flipped(race: Race, event: e.CardFlipped) -> None:
    seat = race.cars[event.seat]
    card = seat.draw_pile.pop()
    if event.value:
        seat.played.append(card)
        # What replaces a card that could not be paid is no flip to accelerate by.
        race.turn.flips += event.reason != "unpaid"
    else:
        seat.discard_pile.append(card)


def _flip_failed(race: Race, event: e.FlipFailed) -> None:
    pass


def _speed_set(race: Race, event: e.SpeedSet) -> None:
    turn = race.turn
    turn.speed = event.speed
    turn.parts = event.parts


def _car_moved(race: Race, event: e.CarMoved) -> None:
    put_car(race, event.car, event.end, event.spot)
    turn = race.turn
    if event.reason == "unpaid":
        turn.lines = event.lines
    else:
        turn.lines += event.lines
    if event.reason == "slipstream":
        turn.slipstream_lines = event.lines


def _symbols_gained(race: Race, event: e.SymbolsGained) -> None:
    turn = race.turn
    turn.symbols += event.symbols
    for symbol in event.symbols:
        if symbol.card > turn.cards:
            turn.cards = symbol.card


def _symbol_used(race: Race, event: e.SymbolUsed) -> None:
    race.turn.used |= 1 << event.number


def _heat_paid(race: Race, event: e.HeatPaid) -> None:
    seat = race.cars[event.seat]
    seat.engine -= event.amount
    seat.discard_pile.extend([HEAT] * event.amount)


def _heat_cooled(race: Race, event: e.HeatCooled) -> None:
    seat = race.cars[event.seat]
    seat.engine += event.amount
    for _ in range(event.amount):
        seat.hand.remove(HEAT)


def _corner_checked(race: Race, event: e.CornerChecked) -> None:
    pass


def _spun_out(race: Race, event: e.SpunOut) -> None:
    put_car(race, event.seat, event.end, event.spot)
    seat = race.cars[event.seat]
    seat.gear = 1
    seat.hand.extend([STRESS] * event.stress)
    seat.hand.sort(key=HAND_ORDER.__getitem__)
    turn = race.turn
    turn.lines = tuple(line for line in turn.lines if line < event.line)


def _legend_card_turned(race: Race, event: e.LegendCardTurned) -> None:
    race.legend_deck.pop()
    race.legend_card = event.card


def _legend_moved(race: Race, event: e.LegendMoved) -> None:
    legend = race.cars[event.car]
    assert type(legend) is Legend
    legend.speed = event.speed


def _car_finished(race: Race, event: e.CarFinished) -> None:
    race.cars[event.car].status = "finished"
    race.is_last_round = race.is_last_round or race.rules.race_end == "first_finisher"


def _car_left(race: Race, event: e.CarLeft) -> None:
    race.cars[event.car].status = "left"
    race.places[event.car] = OFF_TRACK
    race.left.append(event.car)


def _car_out(race: Race, event: e.CarOut) -> None:
    race.cars[event.car].status = event.reason
    race.places[event.car] = OFF_TRACK
    race.out.append(event.car)
    race.picking = tuple([seat for seat in race.picking if seat != event.car])
    race.cars[event.car].face_down = ()
    race.open.pop(event.car, None)
    if event.car in race.owing:
        race.owing.remove(event.car)
    if race.turn is not None and race.turn.car == event.car:
        race.turn = None


def _cards_discarded(race: Race, event: e.CardsDiscarded) -> None:
    seat = race.cars[event.seat]
    for card in event.hand:
        seat.hand.remove(card)
    seat.discard_pile.extend(event.played)
    seat.discard_pile.extend(event.hand)
    seat.played = []


def _pile_reshuffled(race: Race, event: e.PileReshuffled) -> None:
    race.draws += 1
    seat = race.cars[event.seat]
    seat.draw_pile = list(reversed(event.order or ()))
    seat.discard_pile = []


def _cards_drawn(race: Race, event: e.CardsDrawn) -> None:
    seat = race.cars[event.seat]
    del seat.draw_pile[len(seat.draw_pile) - event.count :]
    seat.hand.extend(event.cards or ())
    seat.hand.sort(key=HAND_ORDER.__getitem__)


def _race_ended(race: Race, event: e.RaceEnded) -> None:
    race.phase = Phase.ENDED
    race.end = event.reason
    race.standings = event.standings
    race.open = {}
    race.owing = []
    race.turn = None


APPLIERS: Final[dict[type[Any], Callable[[Race, Any], None]]] = {
    **START_APPLIERS,
    **MODULE_APPLIERS,
    e.RoundStarted: _round_started,
    e.PhaseEntered: _phase_entered,
    e.DecisionsOpened: _decisions_opened,
    e.ChoiceMade: _choice_made,
    e.ChoicesTurnedUp: _choices_turned_up,
    e.GearShifted: _gear_shifted,
    e.TurnOrderFixed: _turn_order_fixed,
    e.CardsRevealed: _cards_revealed,
    e.TurnStarted: _turn_started,
    e.HandCluttered: _hand_cluttered,
    e.CardFlipped: _card_flipped,
    e.FlipFailed: _flip_failed,
    e.SpeedSet: _speed_set,
    e.CarMoved: _car_moved,
    e.SymbolsGained: _symbols_gained,
    e.SymbolUsed: _symbol_used,
    e.HeatPaid: _heat_paid,
    e.HeatCooled: _heat_cooled,
    e.CornerChecked: _corner_checked,
    e.SpunOut: _spun_out,
    e.LegendCardTurned: _legend_card_turned,
    e.LegendMoved: _legend_moved,
    e.CarFinished: _car_finished,
    e.CarLeft: _car_left,
    e.CarOut: _car_out,
    e.CardsDiscarded: _cards_discarded,
    e.PileReshuffled: _pile_reshuffled,
    e.CardsDrawn: _cards_drawn,
    e.RaceEnded: _race_ended,
}
"""By type of event, what it does to a race. The type follows from the key; Any, for a dict cannot say so."""
