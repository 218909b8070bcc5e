"""What the cards are: kinds, values and symbols (CORE-3).

A card is a kind, not an instance: two equal cards are the same value, and the engine handles only its name.
The facts behind the names come from `heat_core.data` and are in `CATALOGUE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from heat_core.data.cards import SPEED_COPIES, STARTING_UPGRADES
from heat_core.data.facts import HEAT_FAMILY, CardFacts, SymbolKind
from heat_core.data.sponsorships import EXPANSION_SPONSORSHIPS, SPONSORSHIP_COPIES, SPONSORSHIPS
from heat_core.data.upgrades import (
    ADVANCED_UPGRADES,
    BASIC_UPGRADES,
    EXPANSION_UPGRADES,
    UPGRADE_COPIES,
)

CardName: TypeAlias = Annotated[str, msgspec.Meta(max_length=20)]
"""`"1"` to `"4"`, `"heat"`, `"stress"`, or the identifier of an upgrade or sponsorship, say `"start-5"`."""

Cards: TypeAlias = Annotated[tuple[CardName, ...], msgspec.Meta(max_length=4_000)]
"""Those of a hand, a pile or a garage; nothing limits the Stress that a long race brings into a pile."""

CardKind: TypeAlias = Literal["speed", "heat", "stress", "upgrade", "sponsorship"]

HEAT: Final = "heat"
STRESS: Final = "stress"


class Card(NamedTuple):
    """The facts of one kind of card.

    Attributes:
        name: What commands, events and records call it.
        kind: Speed, Heat, Stress, upgrade or sponsorship (CORE-3).
        family: The kind of part that an upgrade shows, "" for other cards.
        speeds: The values to choose from at the reveal; empty for Heat and Stress.
        symbols: Its symbols with their numbers, in printed order.
    """

    name: CardName
    kind: CardKind
    family: str = ""
    speeds: tuple[int, ...] = ()
    symbols: tuple[tuple[SymbolKind, int], ...] = ()


def _printed(kind: CardKind, facts: tuple[CardFacts, ...]) -> list[Card]:
    return [Card(name, kind, family, speeds, symbols) for name, family, speeds, symbols in facts if speeds]


def _catalogue() -> dict[CardName, Card]:
    cards = [Card(str(value), "speed", "", (value,)) for value in SPEED_COPIES]
    cards += _printed("upgrade", STARTING_UPGRADES + BASIC_UPGRADES + ADVANCED_UPGRADES + EXPANSION_UPGRADES)
    cards += _printed("sponsorship", SPONSORSHIPS + EXPANSION_SPONSORSHIPS)
    cards.append(Card(STRESS, "stress", "", (), (("flip", 1),)))
    cards.append(Card(HEAT, "heat"))
    return {card.name: card for card in cards}


CATALOGUE: Final = _catalogue()
"""Every card that can lie in a pile or hand, in the order in which hands are shown."""

HAND_ORDER: Final = {name: place for place, name in enumerate(CATALOGUE)}
"""Sorts a hand: Speed by value, upgrades, Sponsorships, Stress, Heat: no trace of how it was drawn."""

SPONSORSHIP_CARDS: Final = frozenset({name for name, card in CATALOGUE.items() if card.kind == "sponsorship"})
"""The cards that leave the game when they leave the table (CHAMP-4)."""

SPEED_VALUES: Final = {name: card.speeds[0] for name, card in CATALOGUE.items() if card.kind == "speed"}
"""The basic Speed cards 1 to 4: what a flip looks for (TURN-7)."""

CARD_SPEEDS: Final = {name: (card.speeds[0] if card.speeds else 0) for name, card in CATALOGUE.items()}
"""What a played card adds to the speed by itself, the least of a choice; Stress adds by its flip."""

VALUE_CHOICES: Final = {name: card.speeds for name, card in CATALOGUE.items() if len(card.speeds) > 1}
"""The cards whose value is chosen at the reveal."""

CARD_FLIPS: Final = {
    name: sum(number for kind, number in card.symbols if kind == "flip") for name, card in CATALOGUE.items()
}
"""How many flips a card brings when it turns up."""

REACT_SYMBOLS: Final = {
    name: tuple((kind, number) for kind, number in card.symbols if kind != "flip")
    for name, card in CATALOGUE.items()
}
"""What a card brings to phase 5."""


def _cards_with(symbol: SymbolKind) -> frozenset[CardName]:
    return frozenset({name for name, card in CATALOGUE.items() if symbol in dict(card.symbols)})


REFRESHABLE: Final = _cards_with("refresh")
"""The cards that may go on top of the draw pile after they were played."""

DIRECT_CARDS: Final = _cards_with("direct")
"""The cards that may be played from the hand in phase 5 too."""


def playable_cards(hand: Sequence[CardName]) -> tuple[CardName, ...]:
    """List the cards that may be chosen in phase 2: everything but Heat (TURN-6).

    Args:
        hand: In hand order, as hands always are: what may not be chosen comes last.
    """
    return tuple(hand[: len(hand) - hand.count(HEAT)])


def cards_without_heat_and_stress(hand: Sequence[CardName]) -> tuple[CardName, ...]:
    """List the cards of a hand, given in hand order, that phase 8 may discard (TURN-16)."""
    return tuple(hand[: len(hand) - hand.count(HEAT) - hand.count(STRESS)])


UPGRADES: Final = {facts.name: facts for facts in (*BASIC_UPGRADES, *ADVANCED_UPGRADES, *EXPANSION_UPGRADES)}
"""What a garage can deal: name -> facts."""


def deck_card(upgrade: CardName) -> CardName:
    """Name the card that an upgrade is in a deck: itself, or a plain Heat card."""
    facts = UPGRADES.get(upgrade)
    return HEAT if facts is not None and facts.family == HEAT_FAMILY else upgrade


STARTING_CARDS: Final = tuple(
    HEAT if facts.family == HEAT_FAMILY else facts.name for facts in STARTING_UPGRADES
)
"""The three starting upgrades as they lie in a deck."""


def starting_deck(stress_cards: int, upgrades: Sequence[CardName] = STARTING_CARDS) -> list[CardName]:
    """Name the cards of a draw pile before it is shuffled (CORE-4).

    Args:
        stress_cards: How many Stress cards there are, at least 0.
        upgrades: What lies in the deck besides, as `deck_card` names it.

    Returns:
        12 Speed cards, the upgrades and the Stress cards, in hand order.
    """
    deck = [str(value) for value, copies in SPEED_COPIES.items() for _ in range(copies)]
    deck += [*upgrades, *[STRESS] * stress_cards]
    return sorted(deck, key=HAND_ORDER.__getitem__)


def upgrade_deck(*, basic: bool, advanced: bool, expansion: bool) -> list[CardName]:
    """Name the upgrades of a garage before they are shuffled (docs/rules.md: Setting up)."""
    facts = (
        *(BASIC_UPGRADES if basic else ()),
        *(ADVANCED_UPGRADES if advanced else ()),
        *(EXPANSION_UPGRADES if expansion else ()),
    )
    return [card.name for card in facts for _ in range(UPGRADE_COPIES)]


def sponsorship_deck(*, expansion: bool) -> list[CardName]:
    """Name the Sponsorship cards of a championship before they are shuffled (CHAMP-4)."""
    facts = SPONSORSHIPS + (EXPANSION_SPONSORSHIPS if expansion else ())
    return [card.name for card in facts for _ in range(SPONSORSHIP_COPIES)]
