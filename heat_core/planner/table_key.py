"""Which table a seat drives by: the facts of its race, and its deck."""

from __future__ import annotations

from typing import Annotated

import msgspec

from heat_core.cards import HAND_ORDER, HEAT, Cards, starting_deck
from heat_core.data.weather import RoadName, WeatherName
from heat_core.race.presets import Gear, WeatherSectors
from heat_core.race.setup import RaceSetup
from heat_core.rules.preparing import cards_of_garage, stress_and_heat
from heat_core.track_facts import TrackFacts
from heat_core.view.observation import Observation


class TableKey(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything that a value table follows from.

    Attributes:
        laps: Of the whole race.
        boost_gears: The gears that bring the boost.
        slipstream_gears: The gears in which a car may slipstream.
        slipstream_over_finish: Whether a slipstream may cross the finish line in the last lap.
        spin_out_ends_race: Whether a spin-out puts the car out.
        weather: None where there is none.
        roads: The road token of each corner; empty where there are none.
        hand_size: What hands are drawn up to.
        deck: The cards of the car but its Heat, in hand order.
        heat: All Heat of the car, wherever it is.
    """

    track: TrackFacts
    laps: int
    boost_gears: tuple[Gear, ...]
    slipstream_gears: tuple[int, ...]
    slipstream_over_finish: bool
    spin_out_ends_race: bool
    weather: WeatherName | None
    weather_sectors: WeatherSectors
    roads: tuple[RoadName | None, ...]
    hand_size: int
    deck: Cards
    heat: Annotated[int, msgspec.Meta(ge=0)]


def table_key(
    setup: RaceSetup, weather: WeatherName | None, roads: tuple[RoadName | None, ...], upgrades: Cards
) -> TableKey:
    """Name the table of a car with these upgrades.

    Args:
        weather: As drawn for the race.
        roads: As drawn for the race.
        upgrades: What it owns of the garage; without a garage the starting ones count.
    """
    stress, heat = stress_and_heat(setup, weather)
    added = cards_of_garage(setup, upgrades)
    deck = starting_deck(stress, [card for card in added if card != HEAT])
    event, rules = setup.event_card, setup.rules
    return TableKey(
        track=setup.track,
        laps=setup.laps,
        boost_gears=rules.boost_gears,
        slipstream_gears=event.slipstream_gears or (1, 2, 3, 4),
        slipstream_over_finish=rules.slipstream_over_finish,
        spin_out_ends_race=event.spin_out_ends_race,
        weather=weather,
        weather_sectors=rules.weather_sectors,
        roads=roads,
        hand_size=setup.hand_size,
        deck=tuple(sorted(deck, key=HAND_ORDER.__getitem__)),
        heat=heat + added.count(HEAT),
    )


def own_table_key(observation: Observation) -> TableKey:
    """Name the table by which the own seat drives once the race runs."""
    view = observation.view
    return table_key(observation.setup, view.weather, view.roads, observation.own_car.upgrades)


def plain_table_key(observation: Observation) -> TableKey:
    """Name the table of the same race without anybody's upgrades: what all other cars are judged by."""
    setup = msgspec.structs.replace(
        observation.setup, modules=msgspec.structs.replace(observation.setup.modules, garage="none")
    )
    return table_key(setup, observation.weather, observation.roads, ())
