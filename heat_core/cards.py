"""What the cards are: kinds, values and symbols.

A card is a kind, not an instance: two equal cards are the same value, and its name is all that the engine
carries about. The facts behind the names come from `heat_core.data` and stand in `CATALOGUE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from heat_core.data import cards as printed

CardName: TypeAlias = str
"""`"1"` to `"4"`, `"heat"`, `"stress"`, or the identifier of an upgrade or sponsorship, say `"start-5"`."""

CardKind: TypeAlias = Literal["speed", "heat", "stress", "upgrade", "sponsorship"]

SymbolKind: TypeAlias = Literal["flip", "cooldown", "boost", "speed"]
"""The words of the one effect language; RULES, Symbols. `speed` is adrenaline's +1."""

HEAT: Final = "heat"
STRESS: Final = "stress"


class Card(msgspec.Struct, frozen=True):
    """The facts of one kind of card.

    Attributes:
        name: What commands, events and records call it.
        kind: Speed, Heat, Stress, upgrade or sponsorship (CORE-3).
        speeds: The values to choose from at the reveal; empty for Heat and Stress.
        symbols: Its symbols with their numbers, in printed order.
    """

    name: CardName
    kind: CardKind
    speeds: tuple[int, ...] = ()
    symbols: tuple[tuple[SymbolKind, int], ...] = ()


def _catalogue() -> dict[CardName, Card]:
    cards = [Card(str(value), "speed", (value,)) for value in printed.SPEED_COPIES]
    cards += [Card(name, "upgrade", speeds, symbols) for name, speeds, symbols in printed.STARTING_UPGRADES]
    cards.append(Card(STRESS, "stress", (), (("flip", 1),)))
    cards.append(Card(HEAT, "heat"))
    return {card.name: card for card in cards}


CATALOGUE: Final = _catalogue()
"""Every card the engine knows, in the order in which hands are shown."""

HAND_ORDER: Final = {name: place for place, name in enumerate(CATALOGUE)}
"""Sorts a hand: Speed by value, upgrades, Stress, Heat. A sorted hand tells nothing of how it was drawn."""

SPEED_VALUES: Final = {name: card.speeds[0] for name, card in CATALOGUE.items() if card.kind == "speed"}
"""The basic Speed cards 1 to 4: what a flip looks for (TURN-7)."""

CARD_SPEEDS: Final = {name: (card.speeds[0] if card.speeds else 0) for name, card in CATALOGUE.items()}
"""What a played card adds to the speed by itself; a Stress card adds by its flip only."""

CARD_FLIPS: Final = {
    name: sum(number for kind, number in card.symbols if kind == "flip") for name, card in CATALOGUE.items()
}
"""How many flips a card brings when it turns up."""

REACT_SYMBOLS: Final = {
    name: tuple((kind, number) for kind, number in card.symbols if kind != "flip")
    for name, card in CATALOGUE.items()
}
"""What a card brings to phase 5."""


def playable_cards(hand: Sequence[CardName]) -> tuple[CardName, ...]:
    """List the cards that may be chosen in phase 2: everything but Heat (TURN-6).

    Args:
        hand: In hand order, as hands always are: what may not be chosen comes last.
    """
    return tuple(hand[: len(hand) - hand.count(HEAT)])


def cards_without_heat_and_stress(hand: Sequence[CardName]) -> tuple[CardName, ...]:
    """List the cards of a hand, given in hand order, that phase 8 may discard (TURN-16)."""
    return tuple(hand[: len(hand) - hand.count(HEAT) - hand.count(STRESS)])


def starting_deck(stress_cards: int) -> list[CardName]:
    """Name the cards of a draw pile before it is shuffled (CORE-4).

    Args:
        stress_cards: How many Stress cards the track adds, at least 0.

    Returns:
        12 Speed cards, the starting upgrades (their Heat card too) and the Stress cards, in hand order.
    """
    deck = [str(value) for value, copies in printed.SPEED_COPIES.items() for _ in range(copies)]
    deck += [name for name, _, _ in printed.STARTING_UPGRADES]
    deck += [STRESS] * stress_cards
    deck += [HEAT] * printed.STARTING_HEAT
    return deck
