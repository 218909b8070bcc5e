"""Phases 3 to 7 of one car: reveal and move, adrenaline, react, slipstream, corners. docs/rules.md: A round.

Each function takes the turn on to where a seat has to be asked, or to the end of phase 7; what comes after
that is the business of `phases`.
"""

from __future__ import annotations

from typing import Final

from heat_core.cards import (
    CARD_FLIPS,
    CARD_SPEEDS,
    CATALOGUE,
    HEAT,
    STRESS,
    VALUE_CHOICES,
    CardName,
    playable_cards,
)
from heat_core.data.legends import LEGEND_CARDS
from heat_core.race import events as e
from heat_core.race.bills import total
from heat_core.race.cars import Car, Legend, Seat
from heat_core.race.events import Part
from heat_core.race.phase import Phase
from heat_core.race.state import Race, Turn
from heat_core.rules import effects
from heat_core.rules.corners import settle_corners
from heat_core.rules.legends import legend_move
from heat_core.rules.movement import (
    SLIPSTREAM_SPACES,
    end_of_slipstream,
    first_free_behind,
    has_slipstream_partner,
)
from heat_core.rules.piles import flip
from heat_core.rules.preparing import shuffle_legend_cards
from heat_core.rules.recorder import Recorder
from heat_core.rules.sponsors import complete_laps, reward_turn
from heat_core.rules.uses import effect_here

_ADRENALINE: Final = e.PhaseEntered(Phase.ADRENALINE)
_REACT: Final = e.PhaseEntered(Phase.REACT)
_SLIPSTREAM: Final = e.PhaseEntered(Phase.SLIPSTREAM)
_CHECK_CORNERS: Final = e.PhaseEntered(Phase.CHECK_CORNERS)

_PLAIN_PARTS: Final = {
    name: Part(name, card.speeds[0])
    for name, card in CATALOGUE.items()
    if len(card.speeds) == 1 and not card.symbols
}
"""What the cards without symbols and choices add to the speed."""

_PLAIN_CARDS: Final = frozenset(_PLAIN_PARTS)


def turn_cards_up(recorder: Recorder, seat: Seat) -> None:
    """Show what a seat chose and resolve the flips of phase 3; then ask for values, or continue."""
    recorder.record(e.CardsRevealed(seat.number, seat.face_down))
    has_choice = False
    if _PLAIN_CARDS.issuperset(seat.played):
        parts = [_PLAIN_PARTS[card] for card in seat.played]
    else:
        parts = _printed_and_flipped(recorder, seat)
        has_choice = not VALUE_CHOICES.keys().isdisjoint(seat.played)
    recorder.record(e.SpeedSet(seat.number, total(parts), tuple(parts)))
    if has_choice:
        recorder.record(e.DecisionsOpened("value", (seat.number,)))
    else:
        move_and_react(recorder, seat)


def _printed_and_flipped(recorder: Recorder, seat: Seat) -> list[Part]:
    """List what the played cards add to the speed, but for values to be chosen; their flips come last."""
    numbered = effects.number_cards(seat.played)
    parts = [
        _PLAIN_PARTS.get(card) or Part(card, CARD_SPEEDS[card], number)
        for card, number in numbered
        if card != STRESS and card not in VALUE_CHOICES
    ]
    for card, _ in numbered:
        for _ in range(CARD_FLIPS[card]):
            parts.append(Part(card, flip(recorder, seat, "card", card)))
    return parts


def cards_to_choose(seat: Seat) -> list[tuple[CardName, int]]:
    """List the played cards whose value is to be chosen, as they lie, each with its number."""
    return [item for item in effects.number_cards(seat.played) if item[0] in VALUE_CHOICES]


def choose_values(recorder: Recorder, seat: Seat, values: tuple[int, ...]) -> None:
    """Set the values of the cards that have a choice, and continue."""
    turn = recorder.race.turn
    assert turn is not None
    chosen = zip(cards_to_choose(seat), values, strict=True)
    parts = (*turn.parts, *[Part(card, value, number) for (card, number), value in chosen])
    recorder.record(e.SpeedSet(seat.number, total(parts), parts))
    move_and_react(recorder, seat)


def move_and_react(recorder: Recorder, seat: Seat) -> None:
    """Move by the speed, give the symbols of phase 4, and begin phase 5."""
    turn = recorder.race.turn
    assert turn is not None
    effects.move_car(recorder, seat, "cards", turn.speed or 0)
    recorder.record(_ADRENALINE)
    symbols = effects.reveal_symbols(recorder.race, seat)
    if symbols:
        recorder.record(e.SymbolsGained(seat.number, symbols))
    recorder.record(_REACT)
    ask_to_react(recorder, seat)


def ask_to_react(recorder: Recorder, seat: Seat) -> None:
    """Ask in phase 5; a sector that the car has come into brings its symbol."""
    symbols = effects.sector_symbols(recorder.race, seat)
    if symbols:
        recorder.record(e.SymbolsGained(seat.number, symbols))
    recorder.record(e.DecisionsOpened("react", (seat.number,)))


def show_cluttered_hand(recorder: Recorder, seat: Seat) -> None:
    """Show a hand that cannot fill the gear, and put cards away (TURN-18)."""
    playable = playable_cards(seat.hand)
    heat = [HEAT] * min(seat.gear - len(playable), seat.hand.count(HEAT))
    recorder.record(e.HandCluttered(seat.number, tuple(seat.hand), (*playable, *heat), seat.gear))


def drive_legend(recorder: Recorder, legend: Legend) -> None:
    """Move a Legend by the round's card."""
    race = recorder.race
    if race.legend_card is None:
        if not race.legend_deck:
            shuffle_legend_cards(recorder)
        recorder.record(e.LegendCardTurned(race.legend_deck[-1]))
    assert race.legend_card is not None
    drives = legend.drives
    assert drives.helmet is not None
    diamond, top_speed = LEGEND_CARDS[race.legend_card][drives.helmet]
    start = legend.progress
    move = legend_move(
        race.track,
        race.rules,
        race.occupied(legend.number),
        start,
        legend.spot,
        race.finish_line,
        diamond=diamond,
        top_speed=top_speed + drives.bonus,
        chevrons=drives.chevrons,
        roads=race.roads,
    )
    lines = race.track.lines_crossed(start, move.end, race.finish_line)
    recorder.record(e.LegendMoved(legend.number, move.case, move.speed))
    recorder.record(e.CarMoved(legend.number, "legend", move.speed, start, move.end, move.spot, lines))
    complete_laps(recorder, legend, spun_out=False)
    _finish_if_beyond_the_line(recorder, legend)


def slipstreams(race: Race, seat: Seat) -> dict[int, int]:
    """Say which slipstreams are possible for the active seat (phase 6).

    Returns:
        Spaces -> the progress that they lead to.
    """
    occupied = race.occupied(seat.number)
    if not has_slipstream_partner(race.track, occupied, seat.progress):
        return {}
    gears = race.event_card.slipstream_gears
    if gears is not None and seat.gear not in gears:
        return {}
    effect = effect_here(race, seat)
    if effect == "no_slipstream":
        return {}
    turn = race.turn
    assert turn is not None
    possible = {}
    for further in effects.slipstream_changes(effects.slipstream_symbols(turn), effect):
        end = end_of_slipstream(
            race.track, race.rules, occupied, seat.progress, seat.spot, race.finish_line, further
        )
        if end is not None:
            possible[SLIPSTREAM_SPACES + further] = end[0]
    return possible


def enter_slipstream(recorder: Recorder, seat: Seat) -> bool:
    """Enter phase 6 and ask for a slipstream where one is possible.

    Returns:
        Whether it asks.
    """
    recorder.record(_SLIPSTREAM)
    if not slipstreams(recorder.race, seat):
        return False
    recorder.record(e.DecisionsOpened("slipstream", (seat.number,)))
    return True


def check_corners(recorder: Recorder, seat: Seat) -> None:
    """Settle phase 7: corners, spin-out, Sponsorships, laps, finish."""
    race = recorder.race
    turn = race.turn
    assert turn is not None
    recorder.record(_CHECK_CORNERS)
    spun_out = bool(turn.lines) and _settle(recorder, turn, seat)
    if not spun_out:
        reward_turn(recorder, seat, turn)
    complete_laps(recorder, seat, spun_out=spun_out)
    if spun_out and race.event_card.spin_out_ends_race:
        recorder.record(e.CarOut(seat.number, "spun_out"))
    else:
        _finish_if_beyond_the_line(recorder, seat)


def _settle(recorder: Recorder, turn: Turn, seat: Seat) -> bool:
    race = recorder.race
    number, speed = seat.number, turn.speed or 0
    settlement = settle_corners(
        race.track,
        turn.lines,
        speed=speed,
        engine=seat.engine,
        gear=seat.gear,
        roads=race.roads,
        adjust=effects.adjust_of(turn) if turn.cards else 0,
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
    if line is None:
        return False
    end, spot = first_free_behind(race.track, race.occupied(number), line)
    recorder.record(e.SpunOut(number, line, seat.progress, end, spot, settlement.stress))
    return True


def _finish_if_beyond_the_line(recorder: Recorder, car: Car) -> None:
    if car.progress > recorder.race.finish_line:
        recorder.record(e.CarFinished(car.number))
