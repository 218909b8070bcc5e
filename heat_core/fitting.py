"""Whether an event that somebody else wrote down can follow where a race stands: asked before it is applied.

`folding` trusts decided events; those of a record come from a file, where anything may stand. Their types
bound single values (`heat_core.event_parts`), and here each is held against the race: cars and seats that
race, cards in the pile that they leave, places on the board, counts that are there. What fits may still be
against the rules; that is found by dealing the race anew (`heat_core.replay.verify_record`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import CATALOGUE, HEAT, SPEED_VALUES, SPONSORSHIP_CARDS
from heat_core.choices import verify
from heat_core.data.legends import LEGEND_CARDS
from heat_core.fitting_parts import after_set_up, lacking, not_this_turn, unlike
from heat_core.module_fitting import MODULE_CHECKS
from heat_core.race import ON_TRACK, Legend, Phase, Race, Seat
from heat_core.refusal import Refused
from heat_core.rules.order import standings, turn_order
from heat_core.track import RACE_LINE_SPOT

_STRESS_OF_A_SPIN_OUT: Final = (1, 2)
_MOST_POSITION_ROUNDS: Final = 1_000


def misfit(race: Race, event: e.Event) -> str | None:
    """Say why an event cannot happen in a race as it stands; None where it can."""
    for field in ("car", "seat"):
        number = getattr(event, field, None)
        if number is not None and not 0 <= number < len(race.cars):
            return f"{field} {number} of {len(race.cars)} cars"
        if number is not None and field == "seat" and type(race.cars[number]) is not Seat:
            return f"car {number} is a Legend"
    if (race.event_number == 0) != isinstance(event, e.RaceSetUp):
        return "a race begins with RaceSetUp, once"
    if race.phase is Phase.ENDED:
        return "the race is over"
    return CHECKS[type(event)](race, event)


def _race_set_up(race: Race, event: e.RaceSetUp) -> str | None:
    season = race.setup.season
    if event.told_after != ("season" if season else "race"):
        return f"the seed is told after the {event.told_after}"
    if season is not None and season.commitment != event.seed_commitment:
        return "its hash is not the season's"
    return None


def _grid_drawn(race: Race, event: e.GridDrawn) -> str | None:
    if _is_lined_up(race) or race.setup.position is not None:
        return "the cars have their places already"
    if sorted(event.order) != list(range(len(race.cars))):
        return f"the grid {event.order} does not name each car once"
    carried = race.setup.carried.grid
    return None if carried in (None, event.order) else f"the grid is {carried}, and none is drawn"


def _is_lined_up(race: Race) -> bool:
    return race.event_number > 1


def _position_placed(race: Race, event: e.PositionPlaced) -> str | None:
    if _is_lined_up(race):
        return "the cars have their places already"
    if len(event.cars) != len(race.cars):
        return f"{len(event.cars)} cars are placed, {len(race.cars)} race"
    if event.round > _MOST_POSITION_ROUNDS:
        return f"round {event.round}"
    if unknown := [card for card in event.spent if card not in SPONSORSHIP_CARDS]:
        return f"{unknown[0]!r} is no Sponsorship"
    taken = set()
    for number, car in enumerate(event.cars):
        if fault := _place_fault(race, number, car):
            return f"car {number}: {fault}"
        spot = (race.track.space(car.progress), car.spot)
        if car.status == "racing" and spot in taken:
            return f"car {number}: its spot in space {spot[0]} is taken"
        taken |= {spot} if car.status == "racing" else set()
    return None


def _place_fault(race: Race, number: int, car: e.PlacedCar) -> str | None:
    """Say what is wrong with where a position puts a car, by itself."""
    is_seat = type(race.cars[number]) is Seat
    if unknown := [card for card in car.played if card not in CATALOGUE]:
        return f"there is no card {unknown[0]!r}"
    if not is_seat and (car.gear != 1 or car.played):
        return "a Legend has neither gear nor cards"
    if is_seat and car.speed is not None:
        return "only a Legend has a speed"
    if (car.status == "racing") != (car.place is None):
        return f"{car.status} with place {car.place}"
    if car.progress < 1 or (car.status == "racing" and car.progress > race.finish_line):
        return f"it stands at {car.progress}"
    return _spot_fault(race, car.progress, car.spot)


def _spot_fault(race: Race, progress: int, spot: int) -> str | None:
    if spot != RACE_LINE_SPOT and spot >= race.track.spots[race.track.space(progress)]:
        return f"space {race.track.space(progress)} has no spot {spot}"
    return None


def _piles_made(race: Race, event: e.PilesMade) -> str | None:
    if event.draw_pile is None:
        return "the draw pile is hidden"
    if event.cards != len(event.draw_pile):
        return f"{event.cards} cards, and the pile has {len(event.draw_pile)}"
    if unknown := [card for card in (*event.draw_pile, *event.discard_pile) if card not in CATALOGUE]:
        return f"there is no card {unknown[0]!r}"
    seat = race.seat(event.seat)
    if seat.draw_pile or seat.discard_pile or seat.hand:
        return "the seat has its cards already"
    return after_set_up(race)


def _legend_cards_shuffled(race: Race, event: e.LegendCardsShuffled) -> str | None:
    if event.order is None:
        return "the order of the Legend cards is hidden"
    if len(set(event.order)) < len(event.order) or not set(event.order) <= set(range(len(LEGEND_CARDS))):
        return f"Legend cards {event.order}"
    if race.legend_deck:
        return "there is a Legend deck already"
    return None if any(type(car) is Legend for car in race.cars) else "no Legend races"


def _round_started(race: Race, event: e.RoundStarted) -> str | None:
    if event.round != race.round + 1:
        return f"round {event.round} after {race.round}"
    return _nobody_is_asked(race)


def _phase_entered(race: Race, event: e.PhaseEntered) -> str | None:
    if race.phase not in _PHASES_BEFORE.get(event.phase, ()):
        return f"phase {event.phase} after {race.phase.value}"
    if Phase.ADRENALINE <= event.phase <= Phase.CHECK_CORNERS and race.turn is None:
        return "it is no car's turn"
    return _nobody_is_asked(race)


_PHASES_BEFORE: Final = {2: (1,), 4: (3,), 5: (4,), 6: (5,), 7: (6,), 8: range(2, 8), 9: range(2, 9)}
"""What leads to a phase. A turn may be cut short, or nobody have one; events of their own begin 1 and 3."""


def _nobody_is_asked(race: Race) -> str | None:
    return "a choice is still open" if race.open else None


def _decisions_opened(race: Race, event: e.DecisionsOpened) -> str | None:
    if not event.seats or len(set(event.seats)) < len(event.seats):
        return f"it asks the seats {event.seats}"
    if not set(event.seats) <= set(race.racing_seats()):
        return f"of the seats {event.seats} not all race"
    if race.phase != _ASKED_IN[event.kind]:
        return f"{event.kind} is not asked in phase {race.phase.value}"
    if event.kind in _OF_THE_ACTIVE_CAR and (race.turn is None or event.seats != (race.turn.car,)):
        return "it asks another than the active car"
    return _nobody_is_asked(race)


_ASKED_IN: Final[dict[e.DecisionKind, Phase]] = {
    "pick": Phase.SET_UP,
    "swap": Phase.SET_UP,
    "gear": Phase.SHIFT_GEARS,
    "cards": Phase.PLAY_CARDS,
    "value": Phase.REVEAL_AND_MOVE,
    "react": Phase.REACT,
    "unpaid": Phase.REACT,
    "slipstream": Phase.SLIPSTREAM,
    "discard": Phase.DISCARD,
}
_OF_THE_ACTIVE_CAR: Final[frozenset[e.DecisionKind]] = frozenset({"value", "react", "unpaid", "slipstream"})


def _choice_made(race: Race, event: e.ChoiceMade) -> str | None:
    if event.command is None:
        return "the choice is hidden"
    if c.normalised(event.command) != event.command:
        return "its cards do not stand in hand order"
    try:
        decision = verify(race, event.seat, event.command)
    except Refused as refused:
        return refused.text
    return None if decision == event.decision else f"decision {event.decision} is not open"


def _choices_turned_up(race: Race, event: e.ChoicesTurnedUp) -> str | None:
    if {decision.kind for decision in race.open.values()} != {event.kind}:
        return f"no {event.kind} is chosen now"
    if event.kind not in _TURNED_UP_FOR_ALL:
        return f"{event.kind}: that does not turn up for all at once"
    return "not all have chosen" if race.owing else None


_TURNED_UP_FOR_ALL: Final[frozenset[e.DecisionKind]] = frozenset({"gear", "discard"})


def _gear_shifted(race: Race, event: e.GearShifted) -> str | None:
    gear = race.seat(event.seat).gear
    if event.before != gear or not 1 <= event.gear <= 4:
        return f"gears {event.before} and {event.gear}, and the seat is in {gear}"
    return None


def _turn_order_fixed(race: Race, event: e.TurnOrderFixed) -> str | None:
    if race.phase is not Phase.PLAY_CARDS or race.turn_order:
        return "the order is fixed once a round, when all have chosen their cards"
    if race.owing:
        return "not all have chosen"
    if event.order != turn_order(race):
        return f"the order {event.order} is not that of the cars"
    if len(set(event.adrenaline)) < len(event.adrenaline) or not set(event.adrenaline) <= set(event.order):
        return f"adrenaline of the cars {event.adrenaline}"
    return None


def _cards_revealed(race: Race, event: e.CardsRevealed) -> str | None:
    if event.cards != race.seat(event.seat).face_down:
        return "those are not the cards that it chose"
    return not_this_turn(race, event.seat)


def _turn_started(race: Race, event: e.TurnStarted) -> str | None:
    if event.car not in race.turn_order[race.turns_taken :]:
        return f"car {event.car} has no turn left in this round"
    if race.cars[event.car].status != "racing":
        return f"car {event.car} does not race any more"
    return _nobody_is_asked(race)


def _hand_cluttered(race: Race, event: e.HandCluttered) -> str | None:
    seat = race.seat(event.seat)
    if event.gear != seat.gear:
        return f"gear {event.gear}, and the seat is in {seat.gear}"
    if fault := not_this_turn(race, event.seat):
        return fault
    return unlike(event.hand, seat.hand, "the hand") or lacking(event.discarded, seat.hand, "the hand")


def _card_flipped(race: Race, event: e.CardFlipped) -> str | None:
    if event.value != SPEED_VALUES.get(event.card, 0):
        return f"{event.card!r} does not give {event.value}"
    return not_this_turn(race, event.seat) or lacking(
        (event.card,), race.seat(event.seat).draw_pile[-1:], "the top of the draw pile"
    )


def _flip_failed(race: Race, event: e.FlipFailed) -> str | None:
    return not_this_turn(race, event.seat)


def _speed_set(race: Race, event: e.SpeedSet) -> str | None:
    if event.speed != e.total(event.parts):
        return f"speed {event.speed}, and its parts make {e.total(event.parts)}"
    return not_this_turn(race, event.seat)


def _car_moved(race: Race, event: e.CarMoved) -> str | None:
    if fault := not_this_turn(race, event.car):
        return fault
    assert race.turn is not None
    start = race.turn.start if event.reason == "unpaid" else race.cars[event.car].progress
    if event.start != start:
        return f"it starts at {event.start}, and the car stands at {start}"
    if not start <= event.end <= start + event.spaces + len(race.cars):
        return f"{event.spaces} spaces from {start} to {event.end}"
    if event.lines != race.track.lines_crossed(start, event.end, race.finish_line):
        return f"from {start} to {event.end} it does not cross the lines {event.lines}"
    return _end_fault(race, event.car, event.end, event.spot)


def _end_fault(race: Race, number: int, end: int, spot: int) -> str | None:
    """Say why a car cannot stand on a spot."""
    if race.track.space(end) * 2 + spot in race.occupied(number):
        return f"spot {spot} of space {race.track.space(end)} is taken"
    return _spot_fault(race, end, spot)


def _symbols_gained(race: Race, event: e.SymbolsGained) -> str | None:
    for symbol in event.symbols:
        if symbol.card and symbol.source not in CATALOGUE:
            return f"there is no card {symbol.source!r}"
    return not_this_turn(race, event.seat)


def _symbol_used(race: Race, event: e.SymbolUsed) -> str | None:
    if fault := not_this_turn(race, event.seat):
        return fault
    assert race.turn is not None
    if not 0 <= event.number < len(race.turn.symbols):
        return f"symbol {event.number} of {len(race.turn.symbols)}"
    return f"symbol {event.number} is used" if race.turn.used >> event.number & 1 else None


def _heat_paid(race: Race, event: e.HeatPaid) -> str | None:
    engine = race.seat(event.seat).engine
    if not 0 <= event.amount <= engine:
        return f"{event.amount} Heat, and the engine has {engine}"
    return None


def _heat_cooled(race: Race, event: e.HeatCooled) -> str | None:
    heat = race.seat(event.seat).hand.count(HEAT)
    return None if 0 <= event.amount <= heat else f"{event.amount} Heat, and the hand has {heat}"


def _corner_checked(race: Race, event: e.CornerChecked) -> str | None:
    if fault := not_this_turn(race, event.seat):
        return fault
    assert race.turn is not None
    if event.line not in race.turn.lines or event.corner != race.track.corner_at(event.line):
        return f"the line {event.line} of corner {event.corner + 1} was not crossed"
    return None if 0 <= event.paid <= event.owed else f"{event.paid} Heat paid of {event.owed}"


def _spun_out(race: Race, event: e.SpunOut) -> str | None:
    if fault := not_this_turn(race, event.seat):
        return fault
    assert race.turn is not None
    at = race.cars[event.seat].progress
    if event.line not in race.turn.lines:
        return f"the line {event.line} was not crossed"
    if event.start != at or not event.line - len(race.cars) < event.end <= event.line:
        return f"back from {event.start} to {event.end}, and the car stands at {at}"
    if event.stress not in _STRESS_OF_A_SPIN_OUT:
        return f"{event.stress} Stress"
    return _end_fault(race, event.seat, event.end, event.spot)


def _legend_card_turned(race: Race, event: e.LegendCardTurned) -> str | None:
    if race.legend_deck[-1:] != [event.card]:
        return f"Legend card {event.card} does not lie on top"
    return None


def _legend_moved(race: Race, event: e.LegendMoved) -> str | None:
    if type(race.cars[event.car]) is not Legend:
        return f"car {event.car} is no Legend"
    return not_this_turn(race, event.car)


def _car_finished(race: Race, event: e.CarFinished) -> str | None:
    car = race.cars[event.car]
    if car.status != "racing" or car.progress <= race.finish_line:
        return f"car {event.car} is not beyond the finish line, or was already"
    return None


def _car_left(race: Race, event: e.CarLeft) -> str | None:
    if race.cars[event.car].status != "finished" or event.place != len(race.left) + 1:
        return f"car {event.car} has not finished, or not in place {event.place}"
    return None


def _car_out(race: Race, event: e.CarOut) -> str | None:
    car = race.cars[event.car]
    if car.status not in ON_TRACK or type(car) is not Seat:
        return f"car {event.car} is out of the race already, or is a Legend"
    if event.reason == "spun_out" and not race.event_card.spin_out_ends_race:
        return "no spin-out ends a car's race here"
    return None


def _cards_discarded(race: Race, event: e.CardsDiscarded) -> str | None:
    seat = race.seat(event.seat)
    return unlike(event.played, seat.played, "the table") or lacking(event.hand, seat.hand, "the hand")


def _pile_reshuffled(race: Race, event: e.PileReshuffled) -> str | None:
    seat = race.seat(event.seat)
    if event.order is None:
        return "the order of the pile is hidden"
    if seat.draw_pile or event.cards != len(event.order):
        return f"{event.cards} cards, and {len(seat.draw_pile)} are left in the draw pile"
    return unlike(event.order, seat.discard_pile, "the discard pile")


def _cards_drawn(race: Race, event: e.CardsDrawn) -> str | None:
    pile = race.seat(event.seat).draw_pile
    if event.cards is None:
        return "the cards are hidden"
    if event.count != len(event.cards) or not event.cards:
        return f"{event.count} cards, and {len(event.cards)} are named"
    if tuple(reversed(pile[-event.count :])) != event.cards:
        return "the cards do not lie on top of the draw pile"
    return None


def _race_ended(race: Race, event: e.RaceEnded) -> str | None:
    if event.standings != standings(race):
        return "its standings are not those of the cars"
    return None


CHECKS: Final[dict[type[Any], Callable[[Race, Any], str | None]]] = {
    e.RaceSetUp: _race_set_up,
    e.GridDrawn: _grid_drawn,
    e.PositionPlaced: _position_placed,
    e.PilesMade: _piles_made,
    e.LegendCardsShuffled: _legend_cards_shuffled,
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
    **MODULE_CHECKS,
}
"""By type of event, what it must fit; `folding.APPLIERS` has the same keys, in the same order.

The type follows from the key; Any, for a dict cannot say so.
"""
