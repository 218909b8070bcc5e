"""The nine phases of a round, and how one leads to the next. RULES, A round (TURN-1).

Theory of operation. The state machine is `race.phase` with the open decisions. When a decision has been
answered, `answered` resolves it and runs on until a decision is open or the race has ended: it calls the
handler of the phase that the race stands in, which either opens decisions or decides the events that lead on.
Phases 1, 2 and 8 are asked of all seats at once: their answers
wait, secret, until the last has come. Phases 3 to 7 belong to the active car, `race.turn.car`; one leads
straight on to the next, and the race can stand still in 5 and 6 only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, HEAT, playable_cards
from heat_core.data.legends import LEGEND_CARDS
from heat_core.events import Part, total
from heat_core.race import Car, Legend, Phase, Seat, Turn
from heat_core.rng import shuffled
from heat_core.rules import effects
from heat_core.rules.corners import settle_corners
from heat_core.rules.legends import legend_move
from heat_core.rules.movement import end_of_slipstream, first_free_behind
from heat_core.rules.order import adrenaline_cars, by_place, standings, turn_order
from heat_core.rules.piles import draw, flip
from heat_core.rules.recorder import Recorder
from heat_core.rules.shifting import shift_bill

_PLAY_CARDS: Final = e.PhaseEntered(Phase.PLAY_CARDS)
_ADRENALINE: Final = e.PhaseEntered(Phase.ADRENALINE)
_REACT: Final = e.PhaseEntered(Phase.REACT)
_SLIPSTREAM: Final = e.PhaseEntered(Phase.SLIPSTREAM)
_CHECK_CORNERS: Final = e.PhaseEntered(Phase.CHECK_CORNERS)
_DISCARD: Final = e.PhaseEntered(Phase.DISCARD)
_REPLENISH: Final = e.PhaseEntered(Phase.REPLENISH)


def answered(recorder: Recorder, seat_number: int, command: c.Command) -> None:
    """Go on after a seat's decision was recorded, until the race waits for a seat or has ended."""
    race = recorder.race
    _RESOLVERS[type(command)](recorder, race.cars[seat_number], command)
    while not race.open and race.end is None:
        _HANDLERS[race.phase](recorder)


def _secret_choice(recorder: Recorder, seat: Seat, command: c.ShiftGear | c.PlayCards | c.Discard) -> None:
    if not recorder.race.owing:
        _turn_choices_up(recorder)


def _use_symbol(recorder: Recorder, seat: Seat, command: c.UseSymbol) -> None:
    effects.use_symbol(recorder, seat, command.number, command.amount)


def _end_react(recorder: Recorder, seat: Seat, command: c.EndReact) -> None:
    _slipstream(recorder, seat)


def _take_slipstream(recorder: Recorder, seat: Seat, command: c.Slipstream) -> None:
    if command.spaces:
        effects.move_car(recorder, seat, "slipstream", command.spaces)
    _check_corners(recorder, seat)


def _give_up(recorder: Recorder, seat: Seat, command: c.GiveUp) -> None:
    """Take a seat out of the race at once (RACE-9)."""
    race = recorder.race
    is_active = race.turn is not None and race.turn.car == seat.number
    recorder.record(e.CarOut(seat.number, "gave_up"))
    if not race.racing_seats() and not any(
        car.status in ("finished", "left") for car in race.cars if type(car) is Seat
    ):
        _end_race(recorder, "gave_up")
    elif is_active:
        next_turn(recorder)
    elif race.open and not race.owing:
        _turn_choices_up(recorder)


# By type of command, which is that of the resolver's last argument, and it comes from a seat; Any, because a
# dict cannot say so.
_RESOLVERS: Final[dict[type[Any], Callable[[Recorder, Any, Any], None]]] = {
    c.ShiftGear: _secret_choice,
    c.PlayCards: _secret_choice,
    c.Discard: _secret_choice,
    c.UseSymbol: _use_symbol,
    c.EndReact: _end_react,
    c.Slipstream: _take_slipstream,
    c.GiveUp: _give_up,
}


def _turn_choices_up(recorder: Recorder) -> None:
    """Let secret choices take effect when the last seat has chosen (TURN-2)."""
    race = recorder.race
    answers = sorted(race.open.items(), key=itemgetter(0))
    kind = answers[0][1].kind
    turn_up, go_on = _SECRETS[kind]
    recorder.record(e.ChoicesTurnedUp(kind))
    for number, decision in answers:
        turn_up(recorder, race.cars[number], decision.chosen)
    go_on(recorder)


def _turn_up_gear(recorder: Recorder, seat: Seat, command: c.ShiftGear) -> None:
    track = recorder.race.track
    is_flooded = track.is_flooded[(seat.progress - 1) % track.spaces + 1]
    parts = shift_bill(seat.gear, command.gear, is_flooded=is_flooded)
    recorder.record(e.GearShifted(seat.number, seat.gear, command.gear))
    if parts:
        recorder.record(e.HeatPaid(seat.number, total(parts), "shift", parts))


def _turn_up_cards(recorder: Recorder, seat: Seat, command: c.PlayCards) -> None:
    if command.cards:
        recorder.record(e.CardsRevealed(seat.number, command.cards))


def _turn_up_discard(recorder: Recorder, seat: Seat, command: c.Discard) -> None:
    recorder.record(e.CardsDiscarded(seat.number, tuple(seat.played), command.cards))


def shift_gears(recorder: Recorder) -> None:
    """Ask phase 1 of all seats."""
    seats = tuple(recorder.race.racing_seats())
    if seats:
        recorder.record(e.DecisionsOpened("gear", seats))
    else:
        enter_play_cards(recorder)


def enter_play_cards(recorder: Recorder) -> None:
    """Ask phase 2 of all seats; without one the Legends race on alone."""
    recorder.record(_PLAY_CARDS)
    _play_cards(recorder)


def _play_cards(recorder: Recorder) -> None:
    seats = tuple(recorder.race.racing_seats())
    if seats:
        recorder.record(e.DecisionsOpened("cards", seats))
    else:
        _start_movement(recorder)


def _start_movement(recorder: Recorder) -> None:
    order = turn_order(recorder.race)
    recorder.record(e.TurnOrderFixed(order, adrenaline_cars(order, len(recorder.race.cars))))
    next_turn(recorder)


def next_turn(recorder: Recorder) -> None:
    """Start the turn of the next car in order, or the end of the round after the last."""
    race = recorder.race
    for number in race.turn_order[race.turns_taken :]:
        if race.cars[number].status == "racing":
            recorder.record(e.TurnStarted(number))
            return
    if race.is_last_round:
        _end_race(recorder, "finished")
    elif race.rules.discards == "together":
        recorder.record(_DISCARD)
        _discard(recorder, race.racing_seats())
    else:
        _end_round(recorder)


def _reveal_and_move(recorder: Recorder) -> None:
    race = recorder.race
    assert race.turn is not None
    car = race.cars[race.turn.car]
    if type(car) is Legend:
        _drive_legend(recorder, car)
    elif car.played:
        _turn_cards_up(recorder, car)
    else:
        _show_cluttered_hand(recorder, car)


def _turn_cards_up(recorder: Recorder, seat: Seat) -> None:
    """Resolve phases 3 and 4 of a seat, up to what it is asked in phase 5."""
    parts = []
    flipping = []
    for card in seat.played:
        if CARD_FLIPS[card]:
            flipping.append(card)
        else:
            parts.append(_CARD_PARTS[card])
    for card in flipping:
        for _ in range(CARD_FLIPS[card]):
            parts.append(Part(card, CARD_SPEEDS[card] + flip(recorder, seat, card)))
    speed = total(parts)
    recorder.record(e.SpeedSet(seat.number, speed, tuple(parts)))
    effects.move_car(recorder, seat, "cards", speed)
    recorder.record(_ADRENALINE)
    symbols = effects.reveal_symbols(recorder.race, seat)
    if symbols:
        recorder.record(e.SymbolsGained(seat.number, symbols))
    recorder.record(_REACT)
    recorder.record(e.DecisionsOpened("react", (seat.number,)))


_CARD_PARTS: Final = {card: Part(card, speed) for card, speed in CARD_SPEEDS.items()}


def _show_cluttered_hand(recorder: Recorder, seat: Seat) -> None:
    playable = playable_cards(seat.hand)
    heat = [HEAT] * min(seat.gear - len(playable), seat.hand.count(HEAT))
    recorder.record(e.HandCluttered(seat.number, tuple(seat.hand), (*playable, *heat), seat.gear))
    _end_turn(recorder, seat)


def _drive_legend(recorder: Recorder, legend: Legend) -> None:
    race = recorder.race
    if race.legend_card is None:
        if not race.legend_deck:
            shuffle_legend_cards(recorder)
        recorder.record(e.LegendCardTurned(race.legend_deck[-1]))
    assert race.legend_card is not None
    drives = legend.drives
    assert drives.helmet is not None
    diamond, top_speed = LEGEND_CARDS[race.legend_card][drives.helmet]
    move = legend_move(
        race.track,
        race.rules,
        race.occupied(legend.number),
        legend.progress,
        legend.spot,
        race.finish_line,
        diamond=diamond,
        top_speed=top_speed + drives.bonus,
        chevrons=drives.chevrons,
    )
    lines = race.track.lines_crossed(legend.progress, move.end, race.finish_line)
    recorder.record(e.LegendMoved(legend.number, move.case, move.speed))
    recorder.record(
        e.CarMoved(legend.number, "legend", move.speed, legend.progress, move.end, move.spot, lines)
    )
    _finish_if_beyond_the_line(recorder, legend)
    next_turn(recorder)


def shuffle_legend_cards(recorder: Recorder) -> None:
    """Make a new Legend deck of all cards (LEGEND-1)."""
    race = recorder.race
    order = shuffled(race.seed_key, race.draws, range(len(LEGEND_CARDS)))
    recorder.record(e.LegendCardsShuffled(order))


def _react(recorder: Recorder) -> None:
    turn = recorder.race.turn
    assert turn is not None
    recorder.record(e.DecisionsOpened("react", (turn.car,)))


def _slipstream(recorder: Recorder, seat: Seat) -> None:
    race = recorder.race
    recorder.record(_SLIPSTREAM)
    possible = end_of_slipstream(
        race.track, race.rules, race.occupied(seat.number), seat.progress, seat.spot, race.finish_line
    )
    if possible:
        recorder.record(e.DecisionsOpened("slipstream", (seat.number,)))
    else:
        _check_corners(recorder, seat)


def _check_corners(recorder: Recorder, seat: Seat) -> None:
    race = recorder.race
    turn = race.turn
    assert turn is not None
    recorder.record(_CHECK_CORNERS)
    if turn.lines:
        _settle(recorder, turn, seat)
    _finish_if_beyond_the_line(recorder, seat)
    _end_turn(recorder, seat)


def _settle(recorder: Recorder, turn: Turn, seat: Seat) -> None:
    race = recorder.race
    number, speed = seat.number, turn.speed or 0
    settlement = settle_corners(
        race.track,
        turn.lines,
        speed=speed,
        engine=seat.engine,
        gear=seat.gear,
    )
    for bill in settlement.bills:
        recorder.record(
            e.CornerChecked(
                number, bill.line, bill.corner, speed, bill.limit, bill.limit_parts, bill.owed, bill.paid
            )
        )
        if bill.paid:
            recorder.record(e.HeatPaid(number, bill.paid, "corner", bill.owed_parts))
    line = settlement.spin_line
    if line is not None:
        end, spot = first_free_behind(race.track, race.occupied(number), line)
        recorder.record(e.SpunOut(number, line, seat.progress, end, spot, settlement.stress))


def _finish_if_beyond_the_line(recorder: Recorder, car: Car) -> None:
    if car.progress > recorder.race.finish_line:
        recorder.record(e.CarFinished(car.number))


def _end_turn(recorder: Recorder, seat: Seat) -> None:
    """Leave phase 7: to the next car, or to this car's own phases 8 and 9."""
    race = recorder.race
    if race.rules.discards == "together" or race.is_last_round or seat.status != "racing":
        next_turn(recorder)
    elif seat.is_cluttered:
        _enter_replenish(recorder)
    else:
        recorder.record(_DISCARD)
        _discard(recorder, [seat.number])


def _discard(recorder: Recorder, seats: list[int]) -> None:
    """Ask these seats for their discards, but for who showed a cluttered hand (TURN-18)."""
    race = recorder.race
    discarding = tuple([seat for seat in seats if not race.seat(seat).is_cluttered])
    if discarding:
        recorder.record(e.DecisionsOpened("discard", discarding))
    else:
        _enter_replenish(recorder)


def _enter_replenish(recorder: Recorder) -> None:
    recorder.record(_REPLENISH)


def _replenish(recorder: Recorder) -> None:
    race = recorder.race
    for seat in race.racing_seats() if race.turn is None else [race.turn.car]:
        draw(recorder, race.seat(seat), race.rules.hand_size)
    if race.rules.discards == "together":
        _end_round(recorder)
    else:
        next_turn(recorder)


def _end_round(recorder: Recorder) -> None:
    """Count the round up (TURN-19), or end the race where nobody races any more."""
    race = recorder.race
    # The cars that finished this round leave the track, best first (rulebook).
    for number in by_place([car for car in race.cars if car.status == "finished"]):
        recorder.record(e.CarLeft(number, len(race.left) + 1))
    if any(car.status == "racing" for car in race.cars):
        recorder.record(e.RoundStarted(race.round + 1))
    else:
        _end_race(recorder, "finished")


def _end_race(recorder: Recorder, reason: e.EndReason) -> None:
    race = recorder.race
    recorder.record(e.RaceEnded(reason, standings(race), race.setup.seed))


def abandon(recorder: Recorder) -> None:
    """End a race that nobody will play on (RACE-9)."""
    _end_race(recorder, "abandoned")


# By kind of secret decision: what turns one answer up, and what follows the last. Only seats are asked, and
# the kind tells the command's type; Any, because a dict cannot say so.
_SECRETS: Final[
    dict[e.DecisionKind, tuple[Callable[[Recorder, Any, Any], None], Callable[[Recorder], None]]]
] = {
    "gear": (_turn_up_gear, enter_play_cards),
    "cards": (_turn_up_cards, _start_movement),
    "discard": (_turn_up_discard, _enter_replenish),
}


def _nothing_to_do(recorder: Recorder) -> None:
    raise AssertionError(f"no rule leads on from phase {recorder.race.phase!r}")


# By number of the phase: what leads on from it when nothing is open in it.
_HANDLERS: Final[tuple[Callable[[Recorder], None], ...]] = (
    _nothing_to_do,
    shift_gears,
    _play_cards,
    _reveal_and_move,
    _nothing_to_do,
    _react,
    _nothing_to_do,
    _nothing_to_do,
    _enter_replenish,
    _replenish,
    _nothing_to_do,
)
