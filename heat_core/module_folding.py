"""Applying the events of garage, weather and championship; see `heat_core.apply`."""

from __future__ import annotations

# Decided events name seats where they say `seat`, and come within a turn where they change it; neither is
# asked again here.
# mypy: disable-error-code="union-attr"
from collections.abc import Callable, Iterable
from typing import Any, Final

from heat_core.cards import HAND_ORDER, HEAT, SPONSORSHIP_CARDS, STRESS, CardName
from heat_core.events import modules as m
from heat_core.race import Race, Seat


def take_out_of_box(race: Race, cards: Iterable[CardName]) -> None:
    """See that the Sponsorships among some cards, which are in the race already, are not gained again."""
    for card in cards:
        if card in SPONSORSHIP_CARDS and card in race.sponsorship_deck:
            race.sponsorship_deck.remove(card)


def note_laps(race: Race) -> None:
    """Note the laps that cars have behind them where a position begins, if the race's event asks for it."""
    if not race.event_card.asks_for_laps:
        return
    for car in sorted(race.cars, key=lambda car: -car.progress):
        car.laps_completed = max(0, race.track.lap(car.progress) - 1)
        if car.laps_completed:
            race.first_lap += (car.number,)


def _upgrades_dealt(race: Race, event: m.UpgradesDealt) -> None:
    race.draws += 1
    race.drafted += 1
    for card in event.cards:
        race.upgrade_deck.remove(card)
    race.offered = list(event.cards)
    race.picking = event.order


def _upgrade_picked(race: Race, event: m.UpgradePicked) -> None:
    race.offered.remove(event.card)
    race.picking = race.picking[1:]
    if race.first_picker is None:
        race.first_picker = event.seat
    race.cars[event.seat].upgrades += (event.card,)


def _upgrade_swapped(race: Race, event: m.UpgradeSwapped) -> None:
    race.offered.remove(event.take)
    race.offered.append(event.give)
    seat = race.cars[event.seat]
    place = seat.upgrades.index(event.give)
    seat.upgrades = (*seat.upgrades[:place], event.take, *seat.upgrades[place + 1 :])


def _garage_closed(race: Race, event: m.GarageClosed) -> None:
    race.offered = []
    race.picking = ()
    race.upgrade_deck = []


def _weather_drawn(race: Race, event: m.WeatherDrawn) -> None:
    race.draws += 1
    race.weather = event.weather


def _roads_drawn(race: Race, event: m.RoadsDrawn) -> None:
    race.draws += 1
    race.roads = event.roads


def _sponsorship_gained(race: Race, event: m.SponsorshipGained) -> None:
    race.draws += 1
    if event.card is not None:
        race.sponsorship_deck.remove(event.card)
        seat = race.cars[event.seat]
        seat.hand.append(event.card)
        seat.hand.sort(key=HAND_ORDER.__getitem__)


def _sponsorships_spent(race: Race, event: m.SponsorshipsSpent) -> None:
    played = race.cars[event.seat].played
    for card in event.cards:
        played.remove(card)


def _card_played_directly(race: Race, event: m.CardPlayedDirectly) -> None:
    seat = race.cars[event.seat]
    seat.hand.remove(event.card)
    seat.played.append(event.card)
    race.turn.cards = event.number


def _stress_reduced(race: Race, event: m.StressReduced) -> None:
    seat = race.cars[event.seat]
    for _ in range(event.amount):
        seat.hand.remove(STRESS)
    seat.discard_pile.extend([STRESS] * event.amount)


def _heat_super_cooled(race: Race, event: m.HeatSuperCooled) -> None:
    seat = race.cars[event.seat]
    for _ in range(event.amount):
        seat.discard_pile.remove(HEAT)
    seat.engine += event.amount


def _card_scrapped(race: Race, event: m.CardScrapped) -> None:
    seat = race.cars[event.seat]
    seat.discard_pile.append(seat.draw_pile.pop())


def _cards_salvaged(race: Race, event: m.CardsSalvaged) -> None:
    race.draws += 1
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.discard_pile.remove(card)
    seat.draw_pile = list(reversed(event.order or ()))


def _cards_dropped(race: Race, event: m.CardsDropped) -> None:
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.played.remove(card)
    seat.discard_pile.extend(event.cards)
    turn = race.turn
    for place, symbol in enumerate(turn.symbols):
        if symbol.card in event.numbers:
            turn.used |= 1 << place


def _cards_refreshed(race: Race, event: m.CardsRefreshed) -> None:
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.played.remove(card)
    seat.draw_pile.extend(reversed(event.cards))


def _lap_completed(race: Race, event: m.LapCompleted) -> None:
    car = race.cars[event.car]
    car.laps_completed = event.lap
    if event.lap == 1:
        race.first_lap += (event.car,)
    if race.event_card.laps_cost_heat and type(car) is Seat and event.lap < race.setup.laps:
        car.heat_to_lose += 1


def _heat_lost(race: Race, event: m.HeatLost) -> None:
    seat = race.cars[event.seat]
    seat.heat_to_lose -= 1
    match event.place:
        case "engine":
            seat.engine -= 1
        case "hand":
            seat.hand.remove(HEAT)
        case "discard_pile":
            seat.discard_pile.remove(HEAT)
        case "draw_pile":
            seat.draw_pile.remove(HEAT)


MODULE_APPLIERS: Final[dict[type[Any], Callable[[Race, Any], None]]] = {
    m.UpgradesDealt: _upgrades_dealt,
    m.UpgradePicked: _upgrade_picked,
    m.UpgradeSwapped: _upgrade_swapped,
    m.GarageClosed: _garage_closed,
    m.WeatherDrawn: _weather_drawn,
    m.RoadsDrawn: _roads_drawn,
    m.SponsorshipGained: _sponsorship_gained,
    m.SponsorshipsSpent: _sponsorships_spent,
    m.CardPlayedDirectly: _card_played_directly,
    m.StressReduced: _stress_reduced,
    m.HeatSuperCooled: _heat_super_cooled,
    m.CardScrapped: _card_scrapped,
    m.CardsSalvaged: _cards_salvaged,
    m.CardsDropped: _cards_dropped,
    m.CardsRefreshed: _cards_refreshed,
    m.LapCompleted: _lap_completed,
    m.HeatLost: _heat_lost,
}
"""By type of event, what it does to a race; a part of `apply.APPLIERS`."""
