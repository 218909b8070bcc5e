"""What happened in the modules: garage, weather and championship; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from heat_core.cards import CardName, Cards
from heat_core.data.weather import WeatherName
from heat_core.race.events.parts import (
    Amount,
    Amounts,
    CarNumber,
    CarNumbers,
    CornerNumber,
    Happened,
    Lap,
    Roads,
)

SponsorReason: TypeAlias = Literal["start", "press", "slipstream", "event"]

HeatPlace: TypeAlias = Literal["engine", "hand", "discard_pile", "draw_pile"]


class UpgradesDealt(Happened, frozen=True):
    """Upgrades are laid open for a round of picks.

    Attributes:
        order: The seats that will pick, in this order.
    """

    cards: Cards
    order: CarNumbers


class UpgradePicked(Happened, frozen=True):
    """A seat takes an open upgrade."""

    seat: CarNumber
    card: CardName


class UpgradeSwapped(Happened, frozen=True):
    """A seat gives one of its upgrades back for one that was left."""

    seat: CarNumber
    give: CardName
    take: CardName


class GarageClosed(Happened, frozen=True):
    """The draft is over; upgrades that still lie open leave the race."""


class WeatherDrawn(Happened, frozen=True):
    """The race's weather turns up."""

    weather: WeatherName


class RoadsDrawn(Happened, frozen=True):
    """The road tokens turn up.

    Attributes:
        roads: One for each corner, by number; None where none lies.
    """

    roads: Roads


class SponsorshipGained(Happened, frozen=True):
    """A Sponsorship card goes into a hand.

    Attributes:
        card: Hidden from the others.
        corner: The corner that gave it, from 0; None for other reasons.
    """

    seat: CarNumber
    card: CardName | None
    reason: SponsorReason
    corner: CornerNumber | None


class SponsorshipsSpent(Happened, frozen=True):
    """Played Sponsorship cards leave the game."""

    seat: CarNumber
    cards: Cards


class CardPlayedDirectly(Happened, frozen=True):
    """A card of the hand is played in phase 5; its speed and move follow.

    Attributes:
        number: Which card of the turn it is; see `Symbol.card`.
    """

    seat: CarNumber
    card: CardName
    number: Amount


class StressReduced(Happened, frozen=True):
    """Stress goes from the hand to the discard pile."""

    seat: CarNumber
    amount: Amount


class HeatSuperCooled(Happened, frozen=True):
    """Heat goes from the discard pile back to the engine."""

    seat: CarNumber
    amount: Amount


class CardScrapped(Happened, frozen=True):
    """The top card of the draw pile goes to the discard pile."""

    seat: CarNumber
    card: CardName


class CardsSalvaged(Happened, frozen=True):
    """Cards of the discard pile are shuffled into the draw pile.

    Attributes:
        order: The new draw pile, top card first; hidden from all.
        count: How many cards it has.
    """

    seat: CarNumber
    cards: Cards
    order: Cards | None
    count: Amount


class CardsDropped(Happened, frozen=True):
    """Played cards whose Heat cannot be paid go to the discard pile.

    Attributes:
        numbers: Which cards of the turn they were; see `Symbol.card`.
    """

    seat: CarNumber
    cards: Cards
    numbers: Amounts


class CardsRefreshed(Happened, frozen=True):
    """Played cards go on top of the draw pile, the first one first."""

    seat: CarNumber
    cards: Cards


class LapCompleted(Happened, frozen=True):
    """Phase 7 left a car beyond the end of a lap, where the race's event asks for it."""

    car: CarNumber
    lap: Lap


class HeatLost(Happened, frozen=True):
    """A Heat card leaves the game."""

    seat: CarNumber
    place: HeatPlace


ModuleEvent: TypeAlias = (
    UpgradesDealt
    | UpgradePicked
    | UpgradeSwapped
    | GarageClosed
    | WeatherDrawn
    | RoadsDrawn
    | SponsorshipGained
    | SponsorshipsSpent
    | CardPlayedDirectly
    | StressReduced
    | HeatSuperCooled
    | CardScrapped
    | CardsSalvaged
    | CardsDropped
    | CardsRefreshed
    | LapCompleted
    | HeatLost
)
