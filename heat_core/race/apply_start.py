"""Applying the events before the first round: grid, position, garage, weather, piles; see `apply`."""

from __future__ import annotations

# Decided events name seats where they say `seat`: that is not asked again here.
# mypy: disable-error-code="union-attr"
from collections.abc import Callable, Iterable
from typing import Any, Final

from heat_core.cards import SPONSORSHIP_CARDS, CardName
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.state import OFF_TRACK, Race


def put_car(race: Race, number: int, progress: int, spot: int) -> None:
    """Put a car on a spot; whatever moves a car comes by here."""
    car = race.cars[number]
    car.progress = progress
    car.spot = spot
    race.places[number] = ((progress - 1) % race.track.spaces + 1) * 2 + spot


def _race_set_up(race: Race, event: e.RaceSetUp) -> None:
    pass


def _grid_drawn(race: Race, event: e.GridDrawn) -> None:
    race.draws += 1
    for (space, side), number in zip(race.setup.track.grid, event.order, strict=False):
        put_car(race, number, space, race.track.spot_on(space, side))


def _position_placed(race: Race, event: e.PositionPlaced) -> None:
    race.round = event.round - 1
    for car, placed in zip(race.cars, event.cars, strict=True):
        put_car(race, car.number, placed.progress, placed.spot)
        if placed.status != "racing":
            race.places[car.number] = OFF_TRACK
        car.status = placed.status
        if isinstance(car, Seat):
            car.gear = placed.gear
            car.played = list(placed.played)
        else:
            car.speed = placed.speed
        _take_out_of_box(race, placed.played)
    race.left = _in_order(event, ("left",))
    race.out = _in_order(event, ("gave_up", "spun_out"))
    _take_out_of_box(race, event.spent)
    race.upgrade_deck = []
    _note_laps(race)


def _in_order(event: e.PositionPlaced, statuses: tuple[str, ...]) -> list[int]:
    """List the cars of some statuses by their places."""
    cars = [(car.place or 0, number) for number, car in enumerate(event.cars) if car.status in statuses]
    return [number for _, number in sorted(cars)]


def _piles_made(race: Race, event: e.PilesMade) -> None:
    race.draws += 1
    seat = race.cars[event.seat]
    seat.draw_pile = list(reversed(event.draw_pile or ()))
    seat.discard_pile = list(event.discard_pile)
    seat.engine = event.engine
    _take_out_of_box(race, (*seat.draw_pile, *seat.discard_pile))


def _legend_cards_shuffled(race: Race, event: e.LegendCardsShuffled) -> None:
    race.draws += 1
    race.legend_deck = list(reversed(event.order or ()))


def _take_out_of_box(race: Race, cards: Iterable[CardName]) -> None:
    """See that the Sponsorships among some cards, which are in the race already, are not gained again."""
    for card in cards:
        if card in SPONSORSHIP_CARDS and card in race.sponsorship_deck:
            race.sponsorship_deck.remove(card)


def _note_laps(race: Race) -> None:
    """Note the laps that cars have behind them where a position begins, if the race's event asks for it."""
    if not race.event_card.asks_for_laps:
        return
    for car in sorted(race.cars, key=lambda car: -car.progress):
        car.laps_completed = max(0, race.track.lap(car.progress) - 1)
        if car.laps_completed:
            race.first_lap += (car.number,)


def _upgrades_dealt(race: Race, event: e.UpgradesDealt) -> None:
    race.draws += 1
    race.drafted += 1
    for card in event.cards:
        race.upgrade_deck.remove(card)
    race.offered = list(event.cards)
    race.picking = event.order


def _upgrade_picked(race: Race, event: e.UpgradePicked) -> None:
    race.offered.remove(event.card)
    race.picking = race.picking[1:]
    if race.first_picker is None:
        race.first_picker = event.seat
    race.cars[event.seat].upgrades += (event.card,)


def _upgrade_swapped(race: Race, event: e.UpgradeSwapped) -> None:
    race.offered.remove(event.take)
    race.offered.append(event.give)
    seat = race.cars[event.seat]
    place = seat.upgrades.index(event.give)
    seat.upgrades = (*seat.upgrades[:place], event.take, *seat.upgrades[place + 1 :])


def _garage_closed(race: Race, event: e.GarageClosed) -> None:
    race.offered = []
    race.picking = ()
    race.upgrade_deck = []


def _weather_drawn(race: Race, event: e.WeatherDrawn) -> None:
    race.draws += 1
    race.weather = event.weather


def _roads_drawn(race: Race, event: e.RoadsDrawn) -> None:
    race.draws += 1
    race.roads = event.roads


START_APPLIERS: Final[dict[type[Any], Callable[[Race, Any], None]]] = {
    e.RaceSetUp: _race_set_up,
    e.GridDrawn: _grid_drawn,
    e.PositionPlaced: _position_placed,
    e.PilesMade: _piles_made,
    e.LegendCardsShuffled: _legend_cards_shuffled,
    e.UpgradesDealt: _upgrades_dealt,
    e.UpgradePicked: _upgrade_picked,
    e.UpgradeSwapped: _upgrade_swapped,
    e.GarageClosed: _garage_closed,
    e.WeatherDrawn: _weather_drawn,
    e.RoadsDrawn: _roads_drawn,
}
"""By type of event, what it does to a race; a part of `apply.APPLIERS`."""
