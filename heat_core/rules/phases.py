"""The nine phases of a round, and the transitions between them. docs/rules.md: A round (TURN-1).

Theory of operation. The state machine is `race.phase` with the open decisions. When a decision has been
answered, `answered` resolves it and runs on until a decision is open or the race has ended: it calls the
handler of the phase that the race is in, which either opens decisions or decides the events that lead on.
Phases 1, 2 and 8 are asked of all seats at once: their answers wait, secret, until the last has come. Gears
and discards turn up then; cards lie face down until their car's turn begins. Phases 3 to 7, in `turn`, belong
to the active car, `race.turn.car`; one leads straight on to the next, and the race can be still in 3 (for
values), 5 and 6 only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from heat_core.cards import SPONSORSHIP_CARDS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.race.bills import total
from heat_core.race.cars import CarStatus, Legend, Seat
from heat_core.race.phase import Phase
from heat_core.race.state import Race
from heat_core.rules import draft, effects, turn
from heat_core.rules.order import adrenaline_cars, by_place, standings, turn_order
from heat_core.rules.piles import draw
from heat_core.rules.preparing import prepare
from heat_core.rules.recorder import Recorder
from heat_core.rules.shifting import shift_bill
from heat_core.rules.sponsors import lose_heat
from heat_core.rules.uses import plays_directly

_PLAY_CARDS: Final = e.PhaseEntered(Phase.PLAY_CARDS)
_DISCARD: Final = e.PhaseEntered(Phase.DISCARD)
_REPLENISH: Final = e.PhaseEntered(Phase.REPLENISH)


def answered(recorder: Recorder, seat_number: int, command: c.Command) -> None:
    """Go on after a seat's decision was recorded, until the race waits for a seat or has ended."""
    _RESOLVERS[type(command)](recorder, recorder.race.cars[seat_number], command)
    run_on(recorder)


def run_on(recorder: Recorder) -> None:
    """Decide events until the race waits for a seat or has ended."""
    race = recorder.race
    while not race.open and race.end is None:
        _HANDLERS[race.phase](recorder)


def _secret_choice(recorder: Recorder, seat: Seat, command: c.ShiftGear | c.PlayCards | c.Discard) -> None:
    if not recorder.race.owing:
        _close_choices(recorder)


def _pick_upgrade(recorder: Recorder, seat: Seat, command: c.PickUpgrade) -> None:
    draft.pick(recorder, seat.number, command.card)


def _swap_upgrade(recorder: Recorder, seat: Seat, command: c.SwapUpgrade) -> None:
    draft.swap(recorder, seat.number, command.give, command.take)


def _choose_value(recorder: Recorder, seat: Seat, command: c.ChooseValue) -> None:
    turn.choose_values(recorder, seat, command.values)


def _use_symbol(recorder: Recorder, seat: Seat, command: c.UseSymbol) -> None:
    race_turn = recorder.race.turn
    assert race_turn is not None
    if plays_directly(race_turn, command):
        effects.play_directly(recorder, seat, command.cards[0], command.amount)
    else:
        effects.use_symbol(recorder, seat, command.number, command.amount, command.cards)


def _end_react(recorder: Recorder, seat: Seat, command: c.EndReact) -> None:
    if effects.ways_to_drop(recorder.race, seat):
        recorder.record(e.DecisionsOpened("unpaid", (seat.number,)))
    elif not turn.enter_slipstream(recorder, seat):
        _finish_turn(recorder, seat)


def _drop_unpaid(recorder: Recorder, seat: Seat, command: c.DropUnpaid) -> None:
    effects.drop_unpaid(recorder, seat, command.cards)


def _take_slipstream(recorder: Recorder, seat: Seat, command: c.Slipstream) -> None:
    if command.spaces:
        effects.move_car(recorder, seat, "slipstream", command.spaces)
    _finish_turn(recorder, seat)


def _finish_turn(recorder: Recorder, seat: Seat) -> None:
    turn.check_corners(recorder, seat)
    _end_turn(recorder, seat)


def _give_up(recorder: Recorder, seat: Seat, command: c.GiveUp) -> None:
    """Take a seat out of the race at once (RACE-9)."""
    race = recorder.race
    is_active = race.turn is not None and race.turn.car == seat.number
    recorder.record(e.CarOut(seat.number, "gave_up"))
    if reason := _reason_nobody_drives(race):
        _end_race(recorder, reason)
    elif is_active:
        next_turn(recorder)
    elif race.open and not race.owing:
        _close_choices(recorder)


def _reason_nobody_drives(race: Race) -> e.EndReason | None:
    """Say why no seat races on and none has finished; None where one does or has.

    docs/rules.md: Finish and standings.
    """
    return _REASONS.get(frozenset([car.status for car in race.cars if type(car) is Seat]))


_REASONS: Final[dict[frozenset[CarStatus], e.EndReason]] = {
    frozenset({"gave_up"}): "gave_up",
    frozenset({"spun_out"}): "spun_out",
    frozenset({"gave_up", "spun_out"}): "gave_up_or_spun_out",
}
"""By how all seats left the race."""


# By type of command, which is that of the resolver's last argument, and it comes from a seat; Any, because a
# dict cannot say so.
_RESOLVERS: Final[dict[type[Any], Callable[[Recorder, Any, Any], None]]] = {
    **dict.fromkeys(c.SECRET_COMMANDS, _secret_choice),
    c.PickUpgrade: _pick_upgrade,
    c.SwapUpgrade: _swap_upgrade,
    c.ChooseValue: _choose_value,
    c.UseSymbol: _use_symbol,
    c.EndReact: _end_react,
    c.DropUnpaid: _drop_unpaid,
    c.Slipstream: _take_slipstream,
    c.GiveUp: _give_up,
}


def _close_choices(recorder: Recorder) -> None:
    """Let secret choices take effect when the last seat has chosen (TURN-2)."""
    race = recorder.race
    answers = sorted(race.open.items(), key=itemgetter(0))
    kind = answers[0][1].kind
    if kind == "cards":
        _start_movement(recorder)
        return
    recorder.record(e.ChoicesTurnedUp(kind))
    turn_up, go_on = _TURN_UP[kind]
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


def _turn_up_discard(recorder: Recorder, seat: Seat, command: c.Discard) -> None:
    if command.refresh:
        recorder.record(e.CardsRefreshed(seat.number, command.refresh))
    if not SPONSORSHIP_CARDS.isdisjoint(seat.played):
        spent = tuple([card for card in seat.played if card in SPONSORSHIP_CARDS])
        recorder.record(e.SponsorshipsSpent(seat.number, spent))
    recorder.record(e.CardsDiscarded(seat.number, tuple(seat.played), command.cards))
    for _ in range(seat.heat_to_lose):
        lose_heat(recorder, seat)


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
    race = recorder.race
    last = adrenaline_cars(order, len(race.cars)) if race.event_card.has_adrenaline else ()
    recorder.record(e.TurnOrderFixed(order, last))
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
        turn.drive_legend(recorder, car)
        next_turn(recorder)
    elif car.face_down:
        turn.turn_cards_up(recorder, car)
    else:
        turn.show_cluttered_hand(recorder, car)
        _end_turn(recorder, car)


def _react(recorder: Recorder) -> None:
    race = recorder.race
    assert race.turn is not None
    turn.ask_to_react(recorder, race.seat(race.turn.car))


def _end_turn(recorder: Recorder, seat: Seat) -> None:
    """Leave phase 7: to the next car, or to this car's own phases 8 and 9."""
    race = recorder.race
    if seat.status == "spun_out" and (reason := _reason_nobody_drives(race)):
        _end_race(recorder, reason)
    elif race.rules.discards == "together" or seat.status != "racing":
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
        draw(recorder, race.seat(seat), race.hand_size)
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
    seed = None if race.setup.season else race.setup.seed
    recorder.record(e.RaceEnded(reason, standings(race), seed))


def abandon(recorder: Recorder) -> None:
    """End a race that nobody will play on (RACE-9)."""
    _end_race(recorder, "abandoned")


# By kind of secret decision that turns up for all at once: what turns one answer up, and what follows the
# last. Only seats are asked, and the kind tells the command's type; Any, because a dict cannot say so.
_TURN_UP: Final[
    dict[e.DecisionKind, tuple[Callable[[Recorder, Any, Any], None], Callable[[Recorder], None]]]
] = {
    "gear": (_turn_up_gear, enter_play_cards),
    "discard": (_turn_up_discard, _enter_replenish),
}


def _nothing_to_do(recorder: Recorder) -> None:
    raise AssertionError(f"no rule leads on from phase {recorder.race.phase!r}")


# By number of the phase: what leads on from it when nothing is open in it.
_HANDLERS: Final[tuple[Callable[[Recorder], None], ...]] = (
    prepare,
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
