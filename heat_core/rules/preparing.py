"""From the grid to the first round: draft, weather, piles, hands. docs/rules.md: Setting up (CORE-4, RACE-2).

`prepare` takes the next step from where the race stands; between two steps a seat may be asked for a pick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.cards import HEAT, STARTING_CARDS, CardName, deck_card, starting_deck
from heat_core.data.legends import LEGEND_CARDS
from heat_core.data.weather import NO_WEATHER, ROAD_COPIES, ROADS, WEATHER, RoadName, WeatherName
from heat_core.race import events as e
from heat_core.race.cars import Legend
from heat_core.race.setup import RaceSetup
from heat_core.rng import shuffled
from heat_core.rules import draft
from heat_core.rules.piles import draw
from heat_core.rules.recorder import Recorder
from heat_core.rules.sectors import token_places
from heat_core.rules.sponsors import gain_sponsorship

_WEATHER_TOKENS: Final = tuple(WEATHER)
_ROAD_TOKENS: Final[tuple[RoadName, ...]] = tuple(road for road in ROADS for _ in range(ROAD_COPIES))


def prepare(recorder: Recorder) -> None:
    """Take the next step from the grid to the first round."""
    race = recorder.race
    if race.picking:
        draft.ask_for_pick(recorder)
    elif draft.has_upgrades_to_deal(race):
        draft.deal_upgrades(recorder)
    elif race.offered or race.upgrade_deck:
        draft.close_garage(recorder)
    elif race.setup.modules.weather and race.weather is None:
        draw_weather(recorder)
    else:
        _make_piles(recorder)
        recorder.record(e.RoundStarted(1))


def draw_weather(recorder: Recorder) -> None:
    """Turn up one weather token, and a road token for each corner, as far as there are tokens."""
    race = recorder.race
    recorder.record(e.WeatherDrawn(shuffled(race.seed_key, race.draws, _WEATHER_TOKENS)[0]))
    tokens = iter(shuffled(race.seed_key, race.draws, _ROAD_TOKENS))
    places = token_places(race.track)
    roads = [next(tokens, None) if corner in places else None for corner in range(len(race.track.corners))]
    recorder.record(e.RoadsDrawn(tuple(roads)))


def _make_piles(recorder: Recorder) -> None:
    """Put decks and engines together, changed by weather and event, and deal the hands."""
    race = recorder.race
    weather, event = WEATHER[race.weather] if race.weather else NO_WEATHER, race.event_card
    stress, heat = stress_and_heat(race.setup, race.weather)
    to_draw_pile = min(heat, weather.heat_to_draw_pile)
    to_discard_pile = min(heat - to_draw_pile, weather.heat_to_discard_pile)
    engine = heat - to_draw_pile - to_discard_pile
    for number in race.seats():
        kept = race.setup.carried.sponsorships
        own = [*cards_of_garage(race.setup, race.seat(number).upgrades), *(kept[number] if kept else ())]
        deck = starting_deck(stress, [*own, *[HEAT] * to_draw_pile])
        order = shuffled(race.seed_key, race.draws, deck)
        recorder.record(e.PilesMade(number, order, len(order), (HEAT,) * to_discard_pile, engine))
    shuffle_legends(recorder)
    for number in race.racing_seats():
        for _ in range(event.sponsorships if race.setup.modules.sponsorships else 0):
            gain_sponsorship(recorder, number, "start", None)
        draw(recorder, race.seat(number), race.hand_size)


def stress_and_heat(setup: RaceSetup, weather: WeatherName | None) -> tuple[int, int]:
    """Give the Stress cards of each deck and the Heat of each car, changed by weather and event."""
    token, event = WEATHER[weather] if weather else NO_WEATHER, setup.event_card
    stress = setup.track.stress + token.stress + event.stress
    heat = setup.track.heat + token.heat + event.heat
    return max(0, stress), max(0, heat)


def cards_of_garage(setup: RaceSetup, upgrades: Sequence[CardName]) -> list[CardName]:
    """Name the cards that a car's upgrades are in its deck; without a garage the starting ones."""
    if setup.modules.garage == "none":
        return list(STARTING_CARDS)
    return [deck_card(upgrade) for upgrade in upgrades]


def shuffle_legends(recorder: Recorder) -> None:
    """Shuffle the Legend deck where Legends race."""
    if any(type(car) is Legend for car in recorder.race.cars):
        shuffle_legend_cards(recorder)


def shuffle_legend_cards(recorder: Recorder) -> None:
    """Make a new Legend deck of all cards (LEGEND-1)."""
    race = recorder.race
    order = shuffled(race.seed_key, race.draws, range(len(LEGEND_CARDS)))
    recorder.record(e.LegendCardsShuffled(order))
