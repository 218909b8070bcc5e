"""What the cards of a hand come to when they are played: every different way, not every combination."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, CATALOGUE, DIRECT_CARDS, REACT_SYMBOLS, CardName

MOST_CARDS: Final = 4
"""As many as the highest gear plays."""


FASTEST_FLIP: Final = 4
_MEAN_FLIP: Final = 2.5


class Way(NamedTuple):
    """What some cards bring, those included that gas pedals add in phase 5.

    Attributes:
        speed: Sum of the values that do not depend on flips.
        flips: How many flips they bring.
        adjust: By how much the limits of corners change.
        heat: Heat to pay.
        cooldown: Heat that may go from the hand to the engine.
        super_cool: Heat that may go from the discard pile to the engine.
        accelerate: Speed that each flip may add besides.
        slipstream: Spaces that a slipstream may go further.
    """

    speed: int = 0
    flips: int = 0
    adjust: int = 0
    heat: int = 0
    cooldown: int = 0
    super_cool: int = 0
    accelerate: int = 0
    slipstream: int = 0


Ways: TypeAlias = dict[Way, tuple[CardName, ...]]
"""What cards come to -> the first such cards, without those that are played in phase 5."""


def _ways_of(card: CardName) -> tuple[Way, ...]:
    """List what a card can bring: one way for each value it may have."""
    symbols = dict(REACT_SYMBOLS[card])
    brought = (
        CARD_FLIPS[card],
        symbols.get("adjust", 0),
        symbols.get("heat", 0),
        symbols.get("cooldown", 0),
        symbols.get("super_cool", 0),
        symbols.get("accelerate", 0),
        symbols.get("slipstream", 0),
    )
    return tuple(Way(speed, *brought) for speed in CATALOGUE[card].speeds or (CARD_SPEEDS[card],))


_WAYS_OF: Final = {card: _ways_of(card) for card in CATALOGUE}


def added(first: Way, second: Way) -> Way:
    """Add up what two sets of cards come to."""
    return Way(*[one + other for one, other in zip(first, second, strict=True)])


@lru_cache(maxsize=1 << 14)
def ways_to_play(pool: tuple[CardName, ...]) -> tuple[Ways, ...]:
    """List what a hand can do.

    Args:
        pool: Its playable cards, in hand order.

    Returns:
        By the number of cards that are played in phase 2, from 0 to 4.
    """
    ways: list[Ways] = [{} for _ in range(MOST_CARDS + 1)]
    ways[0][Way()] = ()
    for card in pool:
        brought = _WAYS_OF[card]
        is_direct = card in DIRECT_CARDS
        for size in range(MOST_CARDS, -1, -1):
            for way, cards in list(ways[size].items()):
                for one in brought:
                    more = added(way, one)
                    if is_direct:
                        ways[size].setdefault(more, cards)
                    if size < MOST_CARDS:
                        ways[size + 1].setdefault(more, (*cards, card))
    return tuple(ways)


def mean_of_card(card: CardName) -> float:
    """Give the speed that a card may be expected to bring, at the greatest of its values."""
    return max(way.speed + _MEAN_FLIP * way.flips for way in _WAYS_OF[card])


def most_speed(deck: Sequence[CardName], cards: int) -> int:
    """Give the greatest speed that so many cards of a deck can bring, each flip counted as 4."""
    direct = [_most_of(card) for card in deck if card in DIRECT_CARDS]
    fastest = sorted([_most_of(card) for card in deck], reverse=True)[:cards]
    return sum(fastest) + sum(direct)


def _most_of(card: CardName) -> int:
    return max(way.speed + way.flips * (FASTEST_FLIP + way.accelerate) for way in _WAYS_OF[card])


