"""How Sponsorship cards are gained: corners, slipstreams, events.

docs/rules.md: Sponsorships; Events (CHAMP-4).
"""

from __future__ import annotations

from typing import Final

from heat_core.cards import HEAT
from heat_core.data.event_cards import EventFacts
from heat_core.race import events as e
from heat_core.race.cars import Car, Seat
from heat_core.race.setup import RaceSetup
from heat_core.race.state import ON_TRACK, Race, Turn
from heat_core.rng import shuffled
from heat_core.rules.corners import limit_at
from heat_core.rules.recorder import Recorder
from heat_core.rules.sectors import token_place
from heat_core.track import Track

PRESSING: Final = 2
"""How much above a corner's limit a speed presses it."""

_RECORD_SPEED: Final = 15
_CARS_ON_TELEVISION: Final = 3
_GRANDSTAND_PLACES: Final = 3


def gain_sponsorship(recorder: Recorder, number: int, reason: e.SponsorReason, corner: int | None) -> None:
    """Give a seat a Sponsorship card into the hand; none where none is left."""
    race = recorder.race
    if race.sponsorship_deck:
        card = shuffled(race.seed_key, race.draws, race.sponsorship_deck)[0]
        recorder.record(e.SponsorshipGained(number, card, reason, corner))


def press_corners(track: Track, event: EventFacts, *, everywhere: bool) -> frozenset[int]:
    """Name the corners, by number from 0, that can gain a Sponsorship; of a chicane the second line's.

    Args:
        event: The race's event.
        everywhere: Whether all corners do, whatever the event says.
    """
    # A chicane counts once, under its first line, and presses at its second.
    lines = {token_place(track, corner): corner for corner in range(len(track.corners))}
    if everywhere:
        return frozenset(lines.values())
    places = [token_place(track, number - 1) for number in track.facts.press_corners] or sorted(lines)
    return frozenset(lines[places[(number - 1) % len(places)]] for number in event.press_corners)


def watched_corners(setup: RaceSetup, track: Track) -> frozenset[int]:
    """Name the corners, by number from 0, that the press watches in a race: its event card's, or all."""
    everywhere = setup.rules.press_corners == "all" or setup.modules.event is None
    return press_corners(track, setup.event_card, everywhere=everywhere)


def reward_turn(recorder: Recorder, seat: Seat, turn: Turn) -> None:
    """Give what a turn without a spin-out has gained, in phase 7.

    Args:
        turn: Its lines crossed, in order, are checked already.
    """
    race = recorder.race
    if not race.setup.modules.sponsorships:
        return
    event, track = race.event_card, race.track
    press = watched_corners(race.setup, track)
    pressed: set[int] = set()
    for line in turn.lines:
        corner = track.corner_at(line)
        if corner not in press or corner in pressed:
            continue
        reason = press_reason(
            event,
            turn.speed or 0,
            limit_at(track, race.roads, corner),
            in_slipstream=line in turn.slipstream_lines,
        )
        if reason is not None:
            pressed.add(corner)
            for _ in range(event.press_cards):
                gain_sponsorship(recorder, seat.number, reason, corner)
    if event.trigger == "speed_of_15" and (turn.speed or 0) >= _RECORD_SPEED:
        gain_sponsorship(recorder, seat.number, "event", None)
    if event.trigger == "passing_three_cars" and _cars_between(race, turn, seat) >= _CARS_ON_TELEVISION:
        gain_sponsorship(recorder, seat.number, "event", None)


def press_reason(event: EventFacts, speed: int, limit: int, *, in_slipstream: bool) -> e.SponsorReason | None:
    """Say why the press cares about a car at one of its corners, None if it does not.

    Args:
        event: The race's event card.
        limit: Of the corner with its road token, without the car's adjust symbols.
        in_slipstream: Whether the car crossed the line in its slipstream.
    """
    if event.presses_by_slowness:
        return "press" if speed < limit else None
    if in_slipstream:
        return "slipstream"
    return "press" if speed >= limit + PRESSING else None


def _cars_between(race: Race, turn: Turn, seat: Seat) -> int:
    """Count the cars that stand strictly between a turn's first and last space, by place on the board."""
    spaces = race.track.spaces
    passed = seat.progress - turn.start
    return sum(
        1
        for car in race.cars
        if car is not seat and car.status in ON_TRACK and 0 < (car.progress - turn.start) % spaces < passed
    )


def complete_laps(recorder: Recorder, car: Car, *, spun_out: bool) -> None:
    """Note the laps that a car's turn has completed, where the race's event asks for it.

    Args:
        spun_out: Whether the turn had a spin-out: a lap counts, and gains nothing.
    """
    race = recorder.race
    event = race.event_card
    if not event.asks_for_laps:
        return
    for lap in range(car.laps_completed + 1, race.track.lap(car.progress)):
        recorder.record(e.LapCompleted(car.number, lap))
        is_early = lap == 1 and len(race.first_lap) <= _GRANDSTAND_PLACES
        if event.trigger == "first_three_of_lap_1" and is_early and type(car) is Seat and not spun_out:
            gain_sponsorship(recorder, car.number, "event", None)


def lose_heat(recorder: Recorder, seat: Seat) -> None:
    """Take a Heat card out of the game: from the engine, else the hand, the discard or the draw pile."""
    places: list[tuple[e.HeatPlace, bool]] = [
        ("engine", seat.engine > 0),
        ("hand", HEAT in seat.hand),
        ("discard_pile", HEAT in seat.discard_pile),
        ("draw_pile", HEAT in seat.draw_pile),
    ]
    for place, has_heat in places:
        if has_heat:
            recorder.record(e.HeatLost(seat.number, place))
            return
