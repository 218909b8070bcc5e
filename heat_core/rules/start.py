"""The first events of a race: grid, piles, Legend deck, hands. RULES, Set-up (CORE-4, RACE-1, RACE-2)."""

from __future__ import annotations

from collections import Counter

from heat_core import events as e
from heat_core.cards import HEAT, CardName, starting_deck
from heat_core.race import Legend, Phase, Race, new_race
from heat_core.rng import seed_commitment, shuffled
from heat_core.rules.movement import free_spot
from heat_core.rules.phases import advance, shuffle_legend_cards
from heat_core.rules.piles import draw
from heat_core.rules.recorder import Recorder
from heat_core.setup import BadSetup, CarPosition, Position, RaceSetup


def start_race(setup: RaceSetup) -> tuple[Race, list[e.Event]]:
    """Begin a race.

    Args:
        setup: Complete, with its seed; its position, if it has one, free of `position_problems`.

    Returns:
        The race with its first decisions open, and the events that led there.
    """
    race = new_race(setup)
    recorder = Recorder(race)
    if setup.seed is None:
        raise BadSetup("a race needs a seed to begin")
    recorder.record(e.RaceSetUp(seed_commitment(setup.seed)))
    if setup.position is None:
        _line_up(recorder)
        recorder.record(e.RoundStarted(1))
    else:
        _place(recorder, setup.position)
        recorder.record(e.RoundStarted(setup.position.round))
        if setup.position.phase == "play":
            recorder.record(e.PhaseEntered(Phase.PLAY_CARDS))
    advance(recorder)
    return race, recorder.events


def _line_up(recorder: Recorder) -> None:
    race = recorder.race
    recorder.record(e.GridDrawn(shuffled(race.seed_key, race.draws, range(len(race.cars)))))
    for number in race.seats():
        deck = shuffled(race.seed_key, race.draws, starting_deck(race.setup.track.stress))
        recorder.record(e.PilesMade(number, deck, len(deck), (), race.setup.track.heat))
    _shuffle_legends(recorder)
    for number in race.seats():
        draw(recorder, number, race.rules.hand_size)


def _shuffle_legends(recorder: Recorder) -> None:
    if any(type(car) is Legend for car in recorder.race.cars):
        shuffle_legend_cards(recorder)


def _place(recorder: Recorder, position: Position) -> None:
    race = recorder.race
    recorder.record(e.PositionPlaced(position_spots(race, position)))
    for number in race.seats():
        place = position.cars[number]
        draw_pile = place.draw_pile
        if draw_pile is None:
            rest = cards_left(race.setup, place)
            draw_pile = shuffled(race.seed_key, race.draws, rest)
        engine = engine_of(race.setup, place)
        recorder.record(e.PilesMade(number, draw_pile, len(draw_pile), place.discard_pile, engine))
    _shuffle_legends(recorder)
    for number in race.seats():
        if position.cars[number].hand is None:
            draw(recorder, number, race.rules.hand_size)


def position_spots(race: Race, position: Position) -> tuple[int, ...]:
    """Give each car its named spot, or the first free one in set-up order."""
    track = race.track
    taken = {place.space * 2 + place.spot for place in position.cars if place.spot is not None}
    spots = []
    for place in position.cars:
        spot: int | None = place.spot
        if spot is None:
            spot = free_spot(track, taken, place.space)
            assert spot is not None
            taken.add(place.space * 2 + spot)
        spots.append(spot)
    return tuple(spots)


def named_cards(place: CarPosition) -> Counter[CardName]:
    """Count the cards that a position puts somewhere by name."""
    return Counter([*(place.hand or ()), *(place.draw_pile or ()), *place.discard_pile])


def cards_left(setup: RaceSetup, place: CarPosition) -> list[CardName]:
    """List the cards of the starting deck that a position puts nowhere, in hand order."""
    deck = Counter(starting_deck(setup.track.stress))
    deck -= named_cards(place)
    return list(deck.elements())


def engine_of(setup: RaceSetup, place: CarPosition) -> int:
    """Give the Heat in the engine: as named, else the track's, less what lies about beyond the deck's one."""
    if place.engine is not None:
        return place.engine
    in_deck = starting_deck(setup.track.stress).count(HEAT)
    return setup.track.heat - max(0, named_cards(place)[HEAT] - in_deck)
