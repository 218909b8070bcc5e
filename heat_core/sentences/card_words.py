"""Cards in plain words: their names, the names of their symbols, and what these do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName, deck_card
from heat_core.data.facts import SymbolKind
from heat_core.race.events import Symbol

_SHORT_FAMILIES: Final = {"cooling system": "cooling", "sponsorship": "sponsor"}
"""Where the family's own name would be long for a line of many cards."""

_SYMBOL_WORDS: Final[dict[SymbolKind, str]] = {
    "flip": "flip {}",
    "cooldown": "cool {}",
    "boost": "boost",
    "speed": "+{} speed",
    "reduce_stress": "calm {}",
    "heat": "pay {}",
    "scrap": "scrap {}",
    "salvage": "salvage {}",
    "super_cool": "super cool {}",
    "direct": "direct",
    "accelerate": "accelerate {}",
    "draft": "draft {}",
    "slipstream": "slip {}",
    "adjust": "limits {:+}",
    "refresh": "refresh",
}
"""What a symbol is called, with its number."""

_SYMBOL_SENTENCES: Final[dict[SymbolKind, str]] = {
    "flip": "When played, it flips cards from your draw pile until {cards} to your speed.",
    "cooldown": "You may cool up to {number} Heat: move it from your hand back to your engine.",
    "boost": "You may pay 1 Heat to flip a Speed card, which adds to your speed.",
    "speed": "You may add {number} to your speed.",
    "reduce_stress": "You may discard up to {number} Stress from your hand.",
    "heat": "You must pay {number} Heat before you can use most of its other symbols.",
    "scrap": "You must scrap {number}: discard that many cards from the top of your draw pile.",
    "salvage": "You may shuffle up to {number} cards from your discard pile into your draw pile.",
    "super_cool": "You may move up to {number} Heat from your discard pile back to your engine.",
    "direct": "You may also play it from your hand in phase 5, in addition to the cards for your gear.",
    "accelerate": "You may add {number} to your speed for each card that you flipped this turn.",
    "draft": "You may move up to {number} empty spaces to end right behind a car; this adds no speed.",
    "slipstream": "Your slipstream may take you {number} further.",
    "adjust": "This turn every corner's limit is {number} {way} for you.",
    "refresh": "At the end of your turn you may put it back on top of your draw pile.",
}


def card_name(card: CardName) -> str:
    """Say a card: `4`, `Heat`, `Stress`, `+5`, or family and speeds: `Brakes 1/3`."""
    card = deck_card(card)
    if card == HEAT:
        return "Heat"
    if card == STRESS:
        return "Stress"
    if is_starting_upgrade(card):
        return f"+{card.removeprefix('start-')}"
    facts = CATALOGUE.get(card)
    if facts is None or not facts.family:
        return card
    return f"{family_name(card)} {speeds_text(card)}"


def is_starting_upgrade(card: CardName) -> bool:
    """Tell whether a card is one of the upgrades that all have where none are drafted."""
    return card.startswith("start-")


def cards_text(cards: Sequence[CardName]) -> str:
    """Say several cards: `4, 3, Stress`; `nothing` for none."""
    return ", ".join(card_name(card) for card in cards) or "nothing"


def card_label(card: CardName) -> str:
    """Say a card and its symbols: `Cooling 1 (cool 2)`."""
    words = symbol_words(card)
    return f"{card_name(card)} ({', '.join(words)})" if words else card_name(card)


def family_name(card: CardName) -> str:
    """Name the kind of part that an upgrade is: `Brakes`; for a Sponsorship `Sponsor`."""
    family = CATALOGUE[card].family
    family = _SHORT_FAMILIES.get(family, family)
    return family[:1].upper() + family[1:]


def speeds_text(card: CardName) -> str:
    """Say what a card adds to the speed: `4`, with a choice `1/3`."""
    return "/".join(str(speed) for speed in CATALOGUE[card].speeds)


def symbol_word(kind: SymbolKind, number: int) -> str:
    """Name a symbol: `cool 2`."""
    return _SYMBOL_WORDS[kind].format(number)


def symbol_words(card: CardName) -> tuple[str, ...]:
    """Name the symbols of a card, in printed order; those of Stress go without saying."""
    facts = CATALOGUE[deck_card(card)]
    return () if facts.name == STRESS else tuple(symbol_word(*symbol) for symbol in facts.symbols)


def source_name(symbol: Symbol) -> str:
    """Say where a symbol of a turn comes from: `gear`, `adrenaline`, `sector`, or its card."""
    return card_name(symbol.source) if symbol.card else symbol.source


def symbol_sentence(kind: SymbolKind, number: int) -> str:
    """Explain a symbol in a plain sentence."""
    return _SYMBOL_SENTENCES[kind].format(
        number=abs(number),
        way="higher" if number > 0 else "lower",
        cards="a Speed card appears, which adds"
        if number == 1
        else f"{number} Speed cards have appeared, which add",
    )


def explain_card(card: CardName) -> tuple[str, ...]:
    """Explain a card: its speed, then each symbol, a plain sentence each."""
    card = deck_card(card)
    if card == HEAT:
        return ("Heat cannot be played. It fills your hand until you cool it back into your engine.",)
    facts = CATALOGUE[card]
    symbols = tuple(symbol_sentence(*symbol) for symbol in facts.symbols)
    if card == STRESS:
        return symbols
    speeds = [str(speed) for speed in facts.speeds]
    if len(speeds) == 1:
        told = f"Speed {speeds[0]}."
    else:
        told = f"Speed {', '.join(speeds[:-1])} or {speeds[-1]}: you choose when you reveal it."
    if is_starting_upgrade(card):
        symbols = (*symbols, "One of the three upgrades that every driver starts with: a 0, a 5 and a Heat.")
    return (told, *symbols)
