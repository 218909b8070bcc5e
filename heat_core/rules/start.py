"""The first events of a race: grid, piles, Legend deck, hands.

docs/rules.md: Setting up (CORE-4, RACE-1, RACE-2).
"""

from __future__ import annotations

from collections import Counter

from heat_core.cards import HEAT, CardName, starting_deck
from heat_core.data.legends import LEGEND_CARDS
from heat_core.race import events as e
from heat_core.race.events import PlacedStatus
from heat_core.race.position_setup import CarPosition, Position
from heat_core.race.setup import BadSetup, RaceSetup
from heat_core.race.state import Race, new_race
from heat_core.rng import shuffled
from heat_core.rules.movement import free_spot
from heat_core.rules.phases import enter_play_cards, run_on
from heat_core.rules.piles import draw
from heat_core.rules.preparing import cards_of_garage, shuffle_legends, stress_and_heat
from heat_core.rules.recorder import Recorder
from heat_core.track import RACE_LINE_SPOT, Track


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
    recorder.record(e.RaceSetUp(setup.seed_commitment, "season" if setup.season else "race"))
    if setup.position is None:
        _line_up(recorder)
    else:
        _place(recorder, setup.position)
        recorder.record(e.RoundStarted(setup.position.round))
        if setup.position.phase == "play":
            enter_play_cards(recorder)
    run_on(recorder)
    return race, recorder.close()


def _line_up(recorder: Recorder) -> None:
    race = recorder.race
    grid = race.setup.carried.grid
    recorder.record(e.GridDrawn(grid or shuffled(race.seed_key, race.draws, range(len(race.cars)))))


def _lay_legend_cards(recorder: Recorder, position: Position) -> None:
    """Put the named Legend cards on top of the others, which have been turned already or are shuffled."""
    race = recorder.race
    if position.are_others_turned:
        recorder.record(e.LegendCardsShuffled(position.legend_cards))
    elif position.legend_cards:
        others = [card for card in range(len(LEGEND_CARDS)) if card not in position.legend_cards]
        below = shuffled(race.seed_key, race.draws, others)
        recorder.record(e.LegendCardsShuffled((*position.legend_cards, *below)))
    else:
        shuffle_legends(recorder)


def _place(recorder: Recorder, position: Position) -> None:
    race = recorder.race
    recorder.record(e.PositionPlaced(position.round, _placed_cars(race, position), position.spent))
    if position.weather is not None:
        recorder.record(e.WeatherDrawn(position.weather))
        recorder.record(e.RoadsDrawn(position.roads or (None,) * len(race.track.corners)))
    for number in race.seats():
        place = position.cars[number]
        draw_pile = place.draw_pile
        if draw_pile is None:
            rest = cards_left(race.setup, position, number) if place.shuffled is None else place.shuffled
            draw_pile = shuffled(race.seed_key, race.draws, rest)
        pile = (*(place.hand or ()), *draw_pile)
        engine = engine_of(race.setup, position, number)
        recorder.record(e.PilesMade(number, pile, len(pile), place.discard_pile, engine))
    _lay_legend_cards(recorder, position)
    for number in race.seats():
        place = position.cars[number]
        if place.hand is not None or place.dealt is not None:
            draw(recorder, race.seat(number), len(place.hand or ()) + (place.dealt or 0))
        elif not place.has_left:
            draw(recorder, race.seat(number), race.hand_size)


def _placed_cars(race: Race, position: Position) -> tuple[e.PlacedCar, ...]:
    spots = position_spots(race.track, position)
    return tuple(
        e.PlacedCar(
            race.track.progress(place.lap, place.space),
            spot or 0,
            place.gear,
            _status_of(place),
            place.finished or place.out,
            place.speed,
            place.played,
        )
        for place, spot in zip(position.cars, spots, strict=True)
    )


def _status_of(place: CarPosition) -> PlacedStatus:
    if place.finished:
        return "left"
    if place.spun_out:
        return "spun_out"
    return "gave_up" if place.gave_up else "racing"


def position_spots(track: Track, position: Position) -> tuple[int | None, ...]:
    """Give each car its named spot, or the first free one in set-up order.

    Returns:
        None for a car that names no spot and finds none free; a car that has left takes none up.
    """
    racing = [place for place in position.cars if not place.has_left]
    taken = {place.space * 2 + place.spot for place in racing if place.spot is not None}
    spots = []
    for place in position.cars:
        spot: int | None = place.spot
        if spot is None:
            spot = RACE_LINE_SPOT if place.has_left else free_spot(track, taken, place.space)
            if spot is not None and not place.has_left:
                taken.add(place.space * 2 + spot)
        spots.append(spot)
    return tuple(spots)


def named_cards(place: CarPosition) -> Counter[CardName]:
    """Count the cards that a position puts somewhere by name."""
    piles = (place.hand or (), place.draw_pile or (), place.shuffled or (), place.discard_pile, place.played)
    return Counter(card for pile in piles for card in pile)


def deck_of(setup: RaceSetup, position: Position, number: int) -> list[CardName]:
    """List the cards of a car's deck as the race began, Sponsorships left out."""
    owned = setup.carried.upgrades
    own = cards_of_garage(setup, owned[number] if owned else ())
    return starting_deck(stress_and_heat(setup, position.weather)[0], own)


def cards_left(setup: RaceSetup, position: Position, number: int) -> list[CardName]:
    """List the cards of a car's deck that its position puts nowhere, in hand order."""
    deck = Counter(deck_of(setup, position, number))
    deck -= named_cards(position.cars[number])
    return list(deck.elements())


def engine_of(setup: RaceSetup, position: Position, number: int) -> int:
    """Give the Heat in an engine: as named, else the car's, less what lies about beyond the deck's own."""
    place = position.cars[number]
    if place.engine is not None:
        return place.engine
    in_deck = deck_of(setup, position, number).count(HEAT)
    return stress_and_heat(setup, position.weather)[1] - max(0, named_cards(place)[HEAT] - in_deck)
