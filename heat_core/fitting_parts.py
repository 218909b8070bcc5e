"""What the checks of events have in common: cards in piles, and whose turn it is; see `heat_core.fitting`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from heat_core.cards import CardName
from heat_core.race import Phase, Race
from heat_core.shapes import shown


def lacking(cards: Sequence[CardName], pile: Sequence[CardName], where: str) -> str | None:
    """Say which card does not lie where cards leave; None where all do.

    Args:
        where: The pile in words, with its article.
    """
    for card, count in Counter(cards).items():
        if count > (there := pile.count(card)):
            return f"{where} has {there} of the card {shown(card)}, not {count}"
    return None


def unlike(cards: Sequence[CardName], pile: Sequence[CardName], where: str) -> str | None:
    """Say why cards are not exactly those of a pile; None where they are, in whatever order."""
    if fault := lacking(cards, pile, where):
        return fault
    return None if len(cards) == len(pile) else f"{where} has {len(pile)} cards, not {len(cards)}"


def not_this_turn(race: Race, car: int) -> str | None:
    """Say that it is not a car's turn; None where it is."""
    return None if race.turn is not None and race.turn.car == car else f"it is not the turn of car {car}"


def after_set_up(race: Race) -> str | None:
    """Say that a race has begun, where an event belongs before its first round; None where it has not."""
    return None if race.phase is Phase.SET_UP else "the race has begun already"
