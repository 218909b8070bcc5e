"""The nine phases of a round, and how one leads to the next. RULES, A round (TURN-1).

Theory of operation. The state machine is `race.phase` with the open decisions. `advance` runs until a
decision is open or the race has ended: it calls the handler of the phase that the race stands in, which
either opens decisions or decides the events that lead on. When a decision has been answered, `answered`
resolves it and `advance` goes on from there. Phases 1, 2 and 8 are asked of all seats at once: their answers
wait, secret, until the last has come. Phases 3 to 7 belong to the active car, `race.turn.car`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from heat_core import commands as c
from heat_core import events as e
from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, HEAT, is_playable
from heat_core.data.legends import LEGEND_CARDS
from heat_core.events import Part
from heat_core.race import Legend, Phase, Race, Seat, Turn
from heat_core.rng import shuffled
from heat_core.rules import effects
from heat_core.rules.corners import settle_corners
from heat_core.rules.legends import legend_move
from heat_core.rules.movement import end_of_slipstream
from heat_core.rules.order import adrenaline_cars, standings, turn_order
from heat_core.rules.piles import draw, flip
from heat_core.rules.recorder import Recorder
from heat_core.rules.shifting import shift_bill


def advance(recorder: Recorder) -> None:
    """Decide events until the race waits for a seat or has ended."""
    race = recorder.race
    while not race.open and race.phase is not Phase.ENDED:
        _HANDLERS[race.phase](recorder)


def answered(recorder: Recorder, number: int, command: c.Command) -> None:
    """Go on after a seat's decision was recorded, as far as it can be resolved."""
    match command:
        case c.UseSymbol():
            effects.use_symbol(recorder, number, command.number, command.amount)
        case c.EndReact():
            recorder.record(e.PhaseEntered(Phase.SLIPSTREAM))
        case c.Slipstream():
            if command.spaces:
                effects.move_car(recorder, number, "slipstream", command.spaces)
            recorder.record(e.PhaseEntered(Phase.CHECK_CORNERS))
        case c.ShiftGear() | c.PlayCards() | c.Discard() | c.GiveUp():
            turn_up_if_all_have_chosen(recorder)
        case _:
            assert_never(command)
    advance(recorder)


def give_up(recorder: Recorder, number: int) -> None:
    """Take a seat out of the race at once (RACE-9)."""
    race = recorder.race
    is_active = race.turn is not None and race.turn.car == number
    recorder.record(e.CarOut(number, "gave_up"))
    if not race.racing_seats() and not any(
        car.status in ("finished", "left") for car in race.cars if type(car) is Seat
    ):
        _end_race(recorder, "gave_up")
    elif is_active:
        next_turn(recorder)


def turn_up_if_all_have_chosen(recorder: Recorder) -> None:
    """Let secret choices take effect when the last seat has chosen (TURN-2)."""
    race = recorder.race
    if not race.open or None in [decision.chosen for decision in race.open.values()]:
        return
    chosen = {seat: decision.chosen for seat, decision in race.open.items()}
    kind = next(iter(race.open.values())).kind
    recorder.record(e.ChoicesTurnedUp(kind))
    for seat in sorted(chosen):
        match chosen[seat]:
            case c.ShiftGear(gear):
                _turn_up_gear(recorder, seat, gear)
            case c.PlayCards(cards):
                if cards:
                    recorder.record(e.CardsRevealed(seat, cards))
            case c.Discard(cards):
                recorder.record(e.CardsDiscarded(seat, tuple(race.seat(seat).played), cards))
            case other:
                raise AssertionError(f"no secret choice: {other!r}")
    match kind:
        case "gear":
            recorder.record(e.PhaseEntered(Phase.PLAY_CARDS))
        case "cards":
            _start_movement(recorder)
        case "discard":
            recorder.record(e.PhaseEntered(Phase.REPLENISH))
        case _:
            raise AssertionError(f"no secret kind: {kind}")


def _turn_up_gear(recorder: Recorder, number: int, gear: int) -> None:
    race = recorder.race
    seat = race.seat(number)
    is_flooded = bool(race.track.is_flooded[race.track.space(seat.progress)])
    parts = shift_bill(seat.gear, gear, is_flooded=is_flooded)
    recorder.record(e.GearShifted(number, seat.gear, gear))
    if parts:
        recorder.record(e.HeatPaid(number, sum(part.amount for part in parts), "shift", parts))


def _ask(recorder: Recorder, kind: e.DecisionKind, seats: tuple[int, ...]) -> None:
    recorder.record(e.DecisionsOpened(kind, seats))


def _shift_gears(recorder: Recorder) -> None:
    seats = tuple(recorder.race.racing_seats())
    if seats:
        _ask(recorder, "gear", seats)
    else:
        recorder.record(e.PhaseEntered(Phase.PLAY_CARDS))


def _play_cards(recorder: Recorder) -> None:
    seats = tuple(recorder.race.racing_seats())
    if seats:
        _ask(recorder, "cards", seats)
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
        recorder.record(e.PhaseEntered(Phase.DISCARD))
    else:
        _end_round(recorder)


def _reveal_and_move(recorder: Recorder) -> None:
    race = recorder.race
    assert race.turn is not None
    number = race.turn.car
    car = race.cars[number]
    if type(car) is Legend:
        _drive_legend(recorder, number, car)
        return
    seat = race.seat(number)
    if not seat.played:
        _show_cluttered_hand(recorder, number, seat)
        return
    parts = [Part(card, CARD_SPEEDS[card]) for card in seat.played if not CARD_FLIPS[card]]
    for card in tuple(seat.played):
        for _ in range(CARD_FLIPS[card]):
            parts.append(Part(card, CARD_SPEEDS[card] + flip(recorder, number, card)))
    speed = sum(part.amount for part in parts)
    recorder.record(e.SpeedSet(number, speed, tuple(parts)))
    effects.move_car(recorder, number, "cards", speed)
    recorder.record(e.PhaseEntered(Phase.ADRENALINE))


def _show_cluttered_hand(recorder: Recorder, number: int, seat: Seat) -> None:
    playable = [card for card in seat.hand if is_playable(card)]
    heat = [HEAT] * min(seat.gear - len(playable), seat.hand.count(HEAT))
    recorder.record(e.HandCluttered(number, tuple(seat.hand), (*playable, *heat), seat.gear))
    _end_turn(recorder, number)


def _drive_legend(recorder: Recorder, number: int, legend: Legend) -> None:
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
        race.occupied(number),
        legend.progress,
        legend.spot,
        race.finish_line,
        diamond=diamond,
        top_speed=top_speed + drives.bonus,
        chevrons=drives.chevrons,
    )
    lines = race.track.lines_crossed(legend.progress, move.end, race.finish_line)
    recorder.record(e.LegendMoved(number, move.case, move.speed))
    recorder.record(e.CarMoved(number, "legend", move.speed, legend.progress, move.end, move.spot, lines))
    _finish_if_beyond_the_line(recorder, number)
    next_turn(recorder)


def shuffle_legend_cards(recorder: Recorder) -> None:
    """Make a new Legend deck of all cards (LEGEND-1)."""
    race = recorder.race
    order = shuffled(race.seed_key, race.draws, range(len(LEGEND_CARDS)))
    recorder.record(e.LegendCardsShuffled(order))


def _adrenaline(recorder: Recorder) -> None:
    race = recorder.race
    assert race.turn is not None
    number = race.turn.car
    symbols = effects.reveal_symbols(race, race.seat(number))
    if number in race.adrenaline:
        symbols += effects.ADRENALINE
    if symbols:
        recorder.record(e.SymbolsGained(number, symbols))
    recorder.record(e.PhaseEntered(Phase.REACT))


def _react(recorder: Recorder) -> None:
    turn = recorder.race.turn
    assert turn is not None
    _ask(recorder, "react", (turn.car,))


def _slipstream(recorder: Recorder) -> None:
    race = recorder.race
    assert race.turn is not None
    number = race.turn.car
    car = race.cars[number]
    possible = end_of_slipstream(
        race.track, race.rules, race.occupied(number), car.progress, car.spot, race.finish_line
    )
    if possible:
        _ask(recorder, "slipstream", (number,))
    else:
        recorder.record(e.PhaseEntered(Phase.CHECK_CORNERS))


def _check_corners(recorder: Recorder) -> None:
    race = recorder.race
    turn = race.turn
    assert turn is not None
    number = turn.car
    seat = race.seat(number)
    if turn.lines:
        _settle(recorder, turn, seat)
    _finish_if_beyond_the_line(recorder, number)
    _end_turn(recorder, number)


def _settle(recorder: Recorder, turn: Turn, seat: Seat) -> None:
    race = recorder.race
    number, speed = turn.car, turn.speed or 0
    settlement = settle_corners(
        race.track,
        race.occupied(number),
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
    if settlement.spin_out:
        end, spot = settlement.spin_out
        line = settlement.bills[-1].line
        recorder.record(e.SpunOut(number, line, seat.progress, end, spot, settlement.stress))


def _finish_if_beyond_the_line(recorder: Recorder, number: int) -> None:
    race = recorder.race
    if race.cars[number].progress > race.finish_line:
        recorder.record(e.CarFinished(number))


def _end_turn(recorder: Recorder, number: int) -> None:
    """Leave phase 7: to the next car, or to this car's own phases 8 and 9."""
    race = recorder.race
    seat = race.seat(number)
    if race.rules.discards == "together" or race.is_last_round or seat.status != "racing":
        next_turn(recorder)
    elif seat.is_cluttered:
        recorder.record(e.PhaseEntered(Phase.REPLENISH))
    else:
        recorder.record(e.PhaseEntered(Phase.DISCARD))


def _discarding_seats(race: Race) -> tuple[int, ...]:
    seats = race.racing_seats() if race.turn is None else [race.turn.car]
    return tuple(seat for seat in seats if not race.seat(seat).is_cluttered)


def _discard(recorder: Recorder) -> None:
    seats = _discarding_seats(recorder.race)
    if seats:
        _ask(recorder, "discard", seats)
    else:
        recorder.record(e.PhaseEntered(Phase.REPLENISH))


def _replenish(recorder: Recorder) -> None:
    race = recorder.race
    for seat in race.racing_seats() if race.turn is None else [race.turn.car]:
        draw(recorder, seat, race.rules.hand_size)
    if race.rules.discards == "together":
        _end_round(recorder)
    else:
        next_turn(recorder)


def _end_round(recorder: Recorder) -> None:
    """Count the round up (TURN-19), or end the race where nobody races any more."""
    race = recorder.race
    for number in _leaving_cars(race):
        recorder.record(e.CarLeft(number, len(race.left) + 1))
    if any(car.status == "racing" for car in race.cars):
        recorder.record(e.RoundStarted(race.round + 1))
    else:
        _end_race(recorder, "finished")


def _leaving_cars(race: Race) -> tuple[int, ...]:
    """List the cars that finished this round and now leave the track, best first (rulebook)."""
    order = [standing.car for standing in standings(race)]
    return tuple(number for number in order if race.cars[number].status == "finished")


def _end_race(recorder: Recorder, reason: e.EndReason) -> None:
    race = recorder.race
    recorder.record(e.RaceEnded(reason, standings(race), race.setup.seed))


def abandon(recorder: Recorder) -> None:
    """End a race that nobody will play on (RACE-9)."""
    _end_race(recorder, "abandoned")


def _nothing_to_do(recorder: Recorder) -> None:
    raise AssertionError(f"no rule leads on from phase {recorder.race.phase!r}")


# By number of the phase.
_HANDLERS: Final[tuple[Callable[[Recorder], None], ...]] = (
    _nothing_to_do,
    _shift_gears,
    _play_cards,
    _reveal_and_move,
    _adrenaline,
    _react,
    _slipstream,
    _check_corners,
    _discard,
    _replenish,
    _nothing_to_do,
)
