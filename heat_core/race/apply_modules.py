"""Applying the events of upgrades, Sponsorships, weather and event cards in a race; see `apply`."""

from __future__ import annotations

# Decided events name seats where they say `seat`, and come within a turn where they change it; neither is
# asked again here.
# mypy: disable-error-code="union-attr"
from collections.abc import Callable
from typing import Any, Final

from heat_core.cards import HAND_ORDER, HEAT, STRESS
from heat_core.race import events as e
from heat_core.race.cars import Seat
from heat_core.race.state import Race


def _sponsorship_gained(race: Race, event: e.SponsorshipGained) -> None:
    race.draws += 1
    if event.card is not None:
        race.sponsorship_deck.remove(event.card)
        seat = race.cars[event.seat]
        seat.hand.append(event.card)
        seat.hand.sort(key=HAND_ORDER.__getitem__)


def _sponsorships_spent(race: Race, event: e.SponsorshipsSpent) -> None:
    played = race.cars[event.seat].played
    for card in event.cards:
        played.remove(card)


def _card_played_directly(race: Race, event: e.CardPlayedDirectly) -> None:
    seat = race.cars[event.seat]
    seat.hand.remove(event.card)
    seat.played.append(event.card)
    race.turn.cards = event.number


def _stress_reduced(race: Race, event: e.StressReduced) -> None:
    seat = race.cars[event.seat]
    for _ in range(event.amount):
        seat.hand.remove(STRESS)
    seat.discard_pile.extend([STRESS] * event.amount)


def _heat_super_cooled(race: Race, event: e.HeatSuperCooled) -> None:
    seat = race.cars[event.seat]
    for _ in range(event.amount):
        seat.discard_pile.remove(HEAT)
    seat.engine += event.amount


def _card_scrapped(race: Race, event: e.CardScrapped) -> None:
    seat = race.cars[event.seat]
    seat.discard_pile.append(seat.draw_pile.pop())


def _cards_salvaged(race: Race, event: e.CardsSalvaged) -> None:
    race.draws += 1
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.discard_pile.remove(card)
    seat.draw_pile = list(reversed(event.order or ()))


def _cards_dropped(race: Race, event: e.CardsDropped) -> None:
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.played.remove(card)
    seat.discard_pile.extend(event.cards)
    turn = race.turn
    for place, symbol in enumerate(turn.symbols):
        if symbol.card in event.numbers:
            turn.used |= 1 << place


def _cards_refreshed(race: Race, event: e.CardsRefreshed) -> None:
    seat = race.cars[event.seat]
    for card in event.cards:
        seat.played.remove(card)
    seat.draw_pile.extend(reversed(event.cards))


def _lap_completed(race: Race, event: e.LapCompleted) -> None:
    car = race.cars[event.car]
    car.laps_completed = event.lap
    if event.lap == 1:
        race.first_lap += (event.car,)
    if race.event_card.laps_cost_heat and type(car) is Seat and event.lap < race.setup.laps:
        car.heat_to_lose += 1


def _heat_lost(race: Race, event: e.HeatLost) -> None:
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
    e.SponsorshipGained: _sponsorship_gained,
    e.SponsorshipsSpent: _sponsorships_spent,
    e.CardPlayedDirectly: _card_played_directly,
    e.StressReduced: _stress_reduced,
    e.HeatSuperCooled: _heat_super_cooled,
    e.CardScrapped: _card_scrapped,
    e.CardsSalvaged: _cards_salvaged,
    e.CardsDropped: _cards_dropped,
    e.CardsRefreshed: _cards_refreshed,
    e.LapCompleted: _lap_completed,
    e.HeatLost: _heat_lost,
}
