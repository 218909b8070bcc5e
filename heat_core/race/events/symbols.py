"""What the symbols of a turn do to cards and piles; see `heat_core.race.events`."""

from __future__ import annotations

from heat_core.cards import CardName, Cards
from heat_core.race.events.parts import Amount, Amounts, CarNumber, Happened, Symbols


class SymbolsGained(Happened, frozen=True):
    """Symbols join the turn's list."""

    seat: CarNumber
    symbols: Symbols


class SymbolUsed(Happened, frozen=True):
    """A symbol of the turn's list is used up, whether in full or in part.

    Attributes:
        number: Its place in the list, from 0.
        amount: How much of it was used.
    """

    seat: CarNumber
    number: Amount
    amount: Amount


class HeatCooled(Happened, frozen=True):
    """Heat goes from the hand back to the engine."""

    seat: CarNumber
    amount: Amount


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


class CardPlayedDirectly(Happened, frozen=True):
    """A card of the hand is played in phase 5; its speed and move follow.

    Attributes:
        number: Which card of the turn it is; see `Symbol.card`.
    """

    seat: CarNumber
    card: CardName
    number: Amount


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
