"""The draft of upgrades before the race; see `heat_core.race.events`."""

from __future__ import annotations

from heat_core.cards import CardName, Cards
from heat_core.race.events.parts import CarNumber, CarNumbers, Happened


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
