"""What the cards of a hand come to when they are played: every different way, not every combination."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Final, NamedTuple, TypeAlias

from heat_core.cards import CARD_FLIPS, CARD_SPEEDS, CATALOGUE, DIRECT_CARDS, REACT_SYMBOLS, CardName

MOST_CARDS: Final = 4
"""As many as the highest gear plays."""
FASTEST_FLIP: Final = 4
MEAN_FLIP: Final = 2.5


class Way(NamedTuple):
    """What some cards bring, those included that gas pedals add in phase 5.

    Attributes:
        speed: Sum of the values that do not depend on flips.
        flips: How many flips they bring.
        heat: Heat to pay.
        cooldown: Heat that may go from the hand to the engine.
        super_cool: Heat that may go from the discard pile to the engine.
        accelerate: Speed that each flip may add besides.
        slipstream: Spaces that a slipstream may go further.
        adjust: By how much the limits of corners change.
    """

    speed: int = 0
    flips: int = 0
    heat: int = 0
    cooldown: int = 0
    super_cool: int = 0
    accelerate: int = 0
    slipstream: int = 0
    adjust: int = 0


def sum_of(ways: Sequence[Way]) -> Way:
    """Add up what cards bring."""
    total = Way()
    for way in ways:
        total = Way._make(map(add, total, way))
    return total


_BITS: Final = 7
_MASK: Final = (1 << _BITS) - 1
_FIELDS: Final = len(Way._fields)


def _packed(way: Way) -> int:
    """Make one number of a way: to add up ways is to add up numbers. The last field may be negative."""
    return sum(value << _BITS * place for place, value in enumerate(way))


def _unpacked(packed: int) -> Way:
    low = [packed >> _BITS * place & _MASK for place in range(_FIELDS - 1)]
    return Way._make((*low, packed >> _BITS * (_FIELDS - 1)))


def _ways_of(card: CardName) -> tuple[Way, ...]:
    """List what a card can bring: one way for each value it may have."""
    symbols = dict(REACT_SYMBOLS[card])
    return tuple(
        Way(
            speed,
            CARD_FLIPS[card],
            symbols.get("heat", 0),
            symbols.get("cooldown", 0),
            symbols.get("super_cool", 0),
            symbols.get("accelerate", 0),
            symbols.get("slipstream", 0),
            symbols.get("adjust", 0),
        )
        for speed in CATALOGUE[card].speeds or (CARD_SPEEDS[card],)
    )


_WAYS_OF: Final = {card: _ways_of(card) for card in CATALOGUE}
_PACKED_OF: Final = {card: tuple(map(_packed, ways)) for card, ways in _WAYS_OF.items()}

Ways: TypeAlias = dict[Way, tuple[CardName, ...]]
"""What cards come to -> the first such cards, without those that are played in phase 5."""


def ways_to_play(pool: tuple[CardName, ...]) -> tuple[Ways, ...]:
    """List what a hand can do.

    Args:
        pool: Its playable cards, in hand order.

    Returns:
        By the number of cards that are played in phase 2, from 0 to 4.
    """
    packed: list[dict[int, tuple[CardName, ...]]] = [{} for _ in range(MOST_CARDS + 1)]
    packed[0][0] = ()
    for card in pool:
        for size in range(MOST_CARDS, -1, -1):
            for way, cards in list(packed[size].items()):
                for brought in _PACKED_OF[card]:
                    if card in DIRECT_CARDS:
                        packed[size].setdefault(way + brought, cards)
                    if size < MOST_CARDS:
                        packed[size + 1].setdefault(way + brought, (*cards, card))
    return tuple({_unpacked(way): cards for way, cards in ways.items()} for ways in packed)


def packed_ways(pool: tuple[CardName, ...]) -> list[set[int]]:
    """List the same without the cards, and each way as one number, for `speed_and_flips` and `rest_of_way`.

    Returns:
        By the number of cards, from 0 to 4.
    """
    packed: list[set[int]] = [set() for _ in range(MOST_CARDS + 1)]
    packed[0].add(0)
    for card in pool:
        brought = _PACKED_OF[card]
        is_direct = card in DIRECT_CARDS
        for size in range(MOST_CARDS, -1, -1):
            ways = packed[size]
            if not ways:
                continue
            if len(brought) == 1:
                (one,) = brought
                more = {way + one for way in ways}
            else:
                more = {way + one for way in ways for one in brought}
            if size < MOST_CARDS:
                packed[size + 1] |= more
            if is_direct:
                ways |= more
    return packed


SPEED_AND_FLIPS: Final = (1 << 2 * _BITS) - 1
"""The part of a packed way that differs within a group."""


def speed_and_flips(packed: int) -> tuple[int, int]:
    """Take speed and flips out of a packed way, or out of that part of it."""
    return packed & _MASK, packed >> _BITS & _MASK


def rest_of_way(packed: int) -> Way:
    """Take out of a packed way all but speed and flips."""
    return _unpacked(packed & ~SPEED_AND_FLIPS)


def mean_of_card(card: CardName) -> float:
    """Give the speed that a card may be expected to bring, at the greatest of its values."""
    return max(way.speed + MEAN_FLIP * way.flips for way in _WAYS_OF[card])


def most_speed(deck: Sequence[CardName], cards: int) -> int:
    """Give the greatest speed that so many cards of a deck can bring, each flip counted as 4."""
    direct = [_most_of(card) for card in deck if card in DIRECT_CARDS]
    fastest = sorted([_most_of(card) for card in deck], reverse=True)[:cards]
    return sum(fastest) + sum(direct)


def _most_of(card: CardName) -> int:
    return max(way.speed + way.flips * (FASTEST_FLIP + way.accelerate) for way in _WAYS_OF[card])
