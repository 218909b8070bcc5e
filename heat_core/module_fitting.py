"""Whether events of garage, weather and championship fit where a race stands; see `heat_core.fitting`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from heat_core.cards import DIRECT_CARDS, HEAT, REFRESHABLE, SPONSORSHIP_CARDS, STRESS
from heat_core.data.weather import ROAD_COPIES
from heat_core.events import modules as m
from heat_core.fitting_parts import after_set_up, lacking, not_this_turn, unlike
from heat_core.race import Race
from heat_core.rules.sectors import token_places


def _upgrades_dealt(race: Race, event: m.UpgradesDealt) -> str | None:
    if race.picking:
        return "a round of picks is under way"
    if len(set(event.order)) < len(event.order) or len(event.order) > len(event.cards):
        return f"the seats {event.order} pick of {len(event.cards)} upgrades"
    if not set(event.order) <= set(race.racing_seats()):
        return f"of the seats {event.order} not all race"
    return lacking(event.cards, race.upgrade_deck, "the garage") or after_set_up(race)


def _upgrade_picked(race: Race, event: m.UpgradePicked) -> str | None:
    if race.picking[:1] != (event.seat,):
        return f"seat {event.seat} does not pick"
    return lacking((event.card,), race.offered, "the offer")


def _upgrade_swapped(race: Race, event: m.UpgradeSwapped) -> str | None:
    owned = race.seat(event.seat).upgrades
    return lacking((event.take,), race.offered, "the offer") or lacking((event.give,), owned, "the seat")


def _garage_closed(race: Race, event: m.GarageClosed) -> str | None:
    if race.picking or not (race.offered or race.upgrade_deck):
        return "there is no garage that could close"
    return after_set_up(race)


def _weather_drawn(race: Race, event: m.WeatherDrawn) -> str | None:
    if not race.setup.modules.weather or race.weather is not None:
        return "the race has no weather, or has it already"
    return after_set_up(race)


def _roads_drawn(race: Race, event: m.RoadsDrawn) -> str | None:
    if race.weather is None or race.roads:
        return "the race has no road tokens, or has them already"
    if len(event.roads) != len(race.track.corners):
        return f"{len(event.roads)} tokens for {len(race.track.corners)} corners"
    places = token_places(race.track)
    for corner, road in enumerate(event.roads):
        if road is not None and corner not in places:
            return f"a token at the second line of a chicane, corner {corner + 1}"
    for road, count in Counter(event.roads).items():
        if road is not None and count > ROAD_COPIES:
            return f"{count} of the token {road}, there are {ROAD_COPIES}"
    return after_set_up(race)


def _sponsorship_gained(race: Race, event: m.SponsorshipGained) -> str | None:
    if event.card is None:
        return "the card is hidden"
    if event.corner is not None and not 0 <= event.corner < len(race.track.corners):
        return f"corner {event.corner + 1} of {len(race.track.corners)}"
    return lacking((event.card,), race.sponsorship_deck, "the box")


def _sponsorships_spent(race: Race, event: m.SponsorshipsSpent) -> str | None:
    if not set(event.cards) <= SPONSORSHIP_CARDS:
        return "only Sponsorships leave the game"
    return lacking(event.cards, race.seat(event.seat).played, "the table")


def _card_played_directly(race: Race, event: m.CardPlayedDirectly) -> str | None:
    if event.card not in DIRECT_CARDS:
        return "the card cannot be played in phase 5"
    if fault := not_this_turn(race, event.seat):
        return fault
    assert race.turn is not None
    if event.number != race.turn.cards + 1:
        return f"it is card {race.turn.cards + 1} of the turn, not {event.number}"
    return lacking((event.card,), race.seat(event.seat).hand, "the hand")


def _stress_reduced(race: Race, event: m.StressReduced) -> str | None:
    stress = race.seat(event.seat).hand.count(STRESS)
    return None if 0 <= event.amount <= stress else f"{event.amount} Stress, and the hand has {stress}"


def _heat_super_cooled(race: Race, event: m.HeatSuperCooled) -> str | None:
    heat = race.seat(event.seat).discard_pile.count(HEAT)
    return None if 0 <= event.amount <= heat else f"{event.amount} Heat, and the discard pile has {heat}"


def _card_scrapped(race: Race, event: m.CardScrapped) -> str | None:
    top = race.seat(event.seat).draw_pile[-1:]
    return lacking((event.card,), top, "the top of the draw pile")


def _cards_salvaged(race: Race, event: m.CardsSalvaged) -> str | None:
    seat = race.seat(event.seat)
    if event.order is None:
        return "the order of the pile is hidden"
    if event.count != len(event.order):
        return f"{event.count} cards, and {len(event.order)} are named"
    return lacking(event.cards, seat.discard_pile, "the discard pile") or unlike(
        event.order, [*seat.draw_pile, *event.cards], "the new draw pile"
    )


def _cards_dropped(race: Race, event: m.CardsDropped) -> str | None:
    if fault := not_this_turn(race, event.seat):
        return fault
    assert race.turn is not None
    numbered = {symbol.card: symbol.source for symbol in race.turn.symbols if symbol.card}
    if tuple(numbered.get(number) for number in event.numbers) != event.cards:
        return f"the cards with the numbers {event.numbers} are others"
    return lacking(event.cards, race.seat(event.seat).played, "the table")


def _cards_refreshed(race: Race, event: m.CardsRefreshed) -> str | None:
    if not set(event.cards) <= REFRESHABLE:
        return "a card without refresh"
    return lacking(event.cards, race.seat(event.seat).played, "the table")


def _lap_completed(race: Race, event: m.LapCompleted) -> str | None:
    car = race.cars[event.car]
    if not race.event_card.asks_for_laps:
        return "nothing in this race asks for laps"
    if not car.laps_completed < event.lap < race.track.lap(car.progress):
        return f"lap {event.lap}, and car {event.car} is in lap {race.track.lap(car.progress)}"
    return None


def _heat_lost(race: Race, event: m.HeatLost) -> str | None:
    seat = race.seat(event.seat)
    if seat.heat_to_lose < 1:
        return "the seat has no Heat to lose"
    if event.place == "engine":
        return None if seat.engine else "the engine has no Heat"
    pile = {"hand": seat.hand, "discard_pile": seat.discard_pile, "draw_pile": seat.draw_pile}[event.place]
    return lacking((HEAT,), pile, f"the {event.place.replace('_', ' ')}")


MODULE_CHECKS: Final[dict[type[Any], Callable[[Race, Any], str | None]]] = {
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
"""By type of event, what it must fit; a part of the table of `heat_core.fitting`."""
