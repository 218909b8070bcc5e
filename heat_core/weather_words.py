"""What happens in garage, weather and Sponsorships, in plain sentences; see `heat_core.sentences`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from heat_core import events as e
from heat_core.card_words import card_label, card_name, cards_text
from heat_core.data.weather import WEATHER, RoadName, SectorEffect, WeatherName

_SECTOR_WORDS: Final[dict[SectorEffect, str]] = {
    "no_cooldown": "no cooldown",
    "no_slipstream": "no slipstream",
    "slipstream+1": "slipstream +1",
    "slipstream+2": "slipstream +2",
    "cooldown+1": "cooldown +1",
    "free-boost": "free boost",
}
_ROAD_WORDS: Final[dict[RoadName, str]] = {
    "weather": "weather",
    "overheat": "overheat",
    "limit-1": "limit -1",
    "limit+1": "limit +1",
    "free-boost": _SECTOR_WORDS["free-boost"],
    "slipstream+1": _SECTOR_WORDS["slipstream+1"],
}
_PLACES: Final[dict[e.HeatPlace, str]] = {
    "engine": "the engine",
    "hand": "the hand",
    "discard_pile": "the discard pile",
    "draw_pile": "the draw pile",
}
_REASONS: Final[dict[e.SponsorReason, str]] = {
    "start": "at the start",
    "press": "before the press",
    "slipstream": "for the slipstream",
    "event": "by the race's event",
}


def sector_word(effect: SectorEffect) -> str:
    """Say what a sector does: `slipstream +1`."""
    return _SECTOR_WORDS[effect]


def road_word(road: RoadName) -> str:
    """Say what a road token does: `overheat`."""
    return _ROAD_WORDS[road]


def weather_text(weather: WeatherName) -> str:
    """Say what a weather changes for all: `1 Stress less`, and what its sectors do."""
    facts = WEATHER[weather]
    words = [
        f"{abs(number)} {what} {'more' if number > 0 else 'less'}"
        for number, what in ((facts.stress, "Stress"), (facts.heat, "Heat"))
        if number
    ]
    if facts.heat_to_draw_pile:
        words.append(f"{facts.heat_to_draw_pile} Heat begin in the draw pile")
    if facts.heat_to_discard_pile:
        words.append(f"{facts.heat_to_discard_pile} Heat begin in the discard pile")
    if facts.sector is not None:
        words.append(f"in its sectors {sector_word(facts.sector)}")
    return ", ".join(words)


def module_sentence(event: e.ModuleEvent, names: Sequence[str]) -> str | None:
    """Tell an event of the modules in one plain sentence without its full stop."""
    match event:
        case e.UpgradesDealt():
            order = ", ".join(names[seat] for seat in event.order)
            offered = ", ".join(card_label(card) for card in event.cards)
            return f"In the garage: {offered}; to pick: {order}"
        case e.UpgradePicked():
            return f"{names[event.seat]} picks {card_label(event.card)}"
        case e.UpgradeSwapped():
            return f"{names[event.seat]} swaps {card_label(event.give)} for {card_label(event.take)}"
        case e.GarageClosed():
            return "The garage closes"
        case e.WeatherDrawn():
            return f"The weather: {event.weather}; {weather_text(event.weather)}"
        case e.RoadsDrawn():
            tokens = [
                f"{corner} {road_word(road)}"
                for corner, road in enumerate(event.roads, start=1)
                if road is not None
            ]
            return f"Road tokens by corner: {', '.join(tokens)}" if tokens else None
        case e.SponsorshipGained():
            where = "" if event.corner is None else f" at corner {event.corner + 1}"
            return f"{names[event.seat]} gains a Sponsorship {_REASONS[event.reason]}{where}"
        case e.LapCompleted():
            return f"{names[event.car]} completes lap {event.lap}"
        case _:
            return _card_sentence(event, names[event.seat])


def _card_sentence(
    event: e.SponsorshipsSpent
    | e.CardPlayedDirectly
    | e.StressReduced
    | e.HeatSuperCooled
    | e.CardScrapped
    | e.CardsSalvaged
    | e.CardsDropped
    | e.CardsRefreshed
    | e.HeatLost,
    name: str,
) -> str:
    """Tell what happens to a seat's cards."""
    match event:
        case e.SponsorshipsSpent():
            return f"{name} has used {cards_text(event.cards)} up"
        case e.CardPlayedDirectly():
            return f"{name} plays {card_label(event.card)} from the hand"
        case e.StressReduced():
            return f"{name} puts {event.amount} Stress away"
        case e.HeatSuperCooled():
            return f"{name} cools {event.amount} Heat of the discard pile"
        case e.CardScrapped():
            return f"{name} scraps {card_name(event.card)}"
        case e.CardsSalvaged():
            return f"{name} salvages {cards_text(event.cards)}: shuffled into the draw pile"
        case e.CardsDropped():
            return f"{name} cannot pay for {cards_text(event.cards)}: discarded, flipped for instead"
        case e.CardsRefreshed():
            return f"{name} refreshes {cards_text(event.cards)}: on top of the draw pile"
        case e.HeatLost():
            return f"{name} loses 1 Heat from {_PLACES[event.place]}"
        case _:
            assert_never(event)
