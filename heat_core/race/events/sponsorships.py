"""Sponsorship cards gained and used up; see `heat_core.race.events`."""

from __future__ import annotations

from typing import Literal, TypeAlias

from heat_core.cards import CardName, Cards
from heat_core.race.events.parts import CarNumber, CornerNumber, Happened

SponsorReason: TypeAlias = Literal["start", "press", "slipstream", "event"]


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
