"""Counter-based random numbers: the same seed and counter give the same draw on every machine (CORE-9).

Nothing here holds state. A race counts the events that drew, and hands the count in; so a copied, saved or
replayed race draws on exactly as the original would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b, sha256
from itertools import combinations, islice
from math import comb, factorial
from struct import Struct
from typing import Final, TypeVar

Item = TypeVar("Item")

_DIGEST_BITS: Final = 512
_SPARE_BITS: Final = 64
_FACTORIALS: Final = tuple(factorial(number) for number in range(65))
"""Of the usual piles; the supply of Stress is unlimited, so a pile may be of any size."""

_WORD_VALUES: Final = 1 << 32
_WORD_MASK: Final = _WORD_VALUES - 1
_WORDS: Final = Struct(f">{_DIGEST_BITS // 32}I").unpack


def seed_key(seed: str) -> bytes:
    """Make the 128-bit key of a seed of any text."""
    return sha256(seed.encode()).digest()[:16]


def seed_commitment(seed: str) -> str:
    """Hash a seed so that it can be shown before the race and checked after it (CORE-16)."""
    return sha256(b"heat seed commitment\0" + seed.encode()).hexdigest()


def uniform_below(key: bytes, counter: int, bound: int) -> int:
    """Draw a number in [0, bound), each equally likely.

    Args:
        key: The 16 bytes of `seed_key`.
        counter: Which draw of the race this is, in [0, 2**64).
        bound: At least 1.
    """
    blocks = 1 + (bound.bit_length() + _SPARE_BITS) // _DIGEST_BITS
    limit = (1 << (blocks * _DIGEST_BITS)) // bound * bound
    prefix = counter.to_bytes(8, "big")
    attempt = 0
    while True:
        value = 0
        for _ in range(blocks):
            block = blake2b(prefix + attempt.to_bytes(4, "big"), key=key).digest()
            value = value << _DIGEST_BITS | int.from_bytes(block, "big")
            attempt += 1
        if value < limit:  # otherwise the low numbers would come up a little more often
            return value % bound


def shuffled(key: bytes, counter: int, items: Sequence[Item]) -> tuple[Item, ...]:
    """Shuffle any number of items, each order equally likely (Fisher-Yates on one draw)."""
    order = list(items)
    size = len(order)
    orders = _FACTORIALS[size] if size < len(_FACTORIALS) else factorial(size)
    number = uniform_below(key, counter, orders)
    for last in range(len(order) - 1, 0, -1):
        number, place = divmod(number, last + 1)
        order[last], order[place] = order[place], order[last]
    return tuple(order)


class Stream:
    """Random numbers one after another, for a bot's choices and for sampling commands.

    Not for races: a race draws by its own counter.
    """

    def __init__(self, seed: str) -> None:
        """Start at the beginning of the stream that belongs to the seed."""
        self._seed = seed
        self._counter = 0
        self._words: list[int] = []

    @cached_property
    def _key(self) -> bytes:
        return seed_key(self._seed)

    def _fill(self) -> None:
        block = blake2b(self._counter.to_bytes(8, "big"), key=self._key).digest()
        self._words.extend(_WORDS(block))
        self._counter += 1

    def below(self, bound: int) -> int:
        """Draw a number in [0, bound), each equally likely; bound in [1, 2**32]."""
        while True:
            if not self._words:
                self._fill()
            product = self._words.pop() * bound
            # Some numbers would come up once more than others, were their surplus not drawn again (Lemire).
            rest = product & _WORD_MASK
            if rest >= bound or rest >= _WORD_VALUES % bound:
                return product >> 32

    def choose(self, items: Sequence[Item]) -> Item:
        """Pick one of at least one items, each equally likely."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """Pick `count` items at different places, in random order, each such list equally likely."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]

    def combination(self, items: Sequence[Item], count: int) -> tuple[Item, ...]:
        """Pick `count` items at different places, in their order, each such set equally likely.

        There must be at most 2**32 such sets.
        """
        ways = combinations(items, count)
        return next(islice(ways, self.below(comb(len(items), count)), None))

    def subset(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Pick any of the items, in their order, each subset equally likely."""
        coins = 0
        for _ in range(0, len(items), 32):
            coins = coins << 32 | self.below(_WORD_VALUES)
        return tuple([item for place, item in enumerate(items) if coins >> place & 1])
