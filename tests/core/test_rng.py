"""Random numbers: below their bound, uniform, the same again; a commitment hides the seed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import factorial

import pytest

from heat_core.rng import Stream, seed_commitment, seed_key, uniform_below


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000, 2**64, factorial(120)])
def test_draws_stay_below_their_bound(bound: int) -> None:
    values = [uniform_below(seed_key("x"), counter, bound) for counter in range(200)]
    assert all(0 <= value < bound for value in values)
    assert bound == 1 or len(set(values)) > 1


def test_a_stream_is_the_same_again_and_uniform() -> None:
    assert [Stream("s").below(10) for _ in range(5)] == [Stream("s").below(10)] * 5
    stream = Stream("s")
    counts = Counter(stream.below(6) for _ in range(12_000))
    assert sum((count - 2000) ** 2 / 2000 for count in counts.values()) < 20.5
    assert sorted(stream.sample("abc", 3)) == ["a", "b", "c"]


def test_combinations_and_subsets_keep_their_order_and_are_uniform() -> None:
    stream = Stream("s")
    pairs = Counter(stream.combination("abcd", 2) for _ in range(6_000))
    assert set(pairs) == set(combinations("abcd", 2))
    assert sum((count - 1000) ** 2 / 1000 for count in pairs.values()) < 20.5
    subsets = Counter(stream.subset("abc") for _ in range(8_000))
    assert set(subsets) == {some for size in range(4) for some in combinations("abc", size)}
    assert sum((count - 1000) ** 2 / 1000 for count in subsets.values()) < 24.3
    assert {len(stream.subset(range(100))) for _ in range(50)} <= set(range(20, 80))


def test_the_commitment_hides_the_seed_and_fits_no_other() -> None:
    assert seed_commitment("seed") != seed_commitment("seed2")
    assert "seed" not in seed_commitment("seed")
    assert len(seed_commitment("seed")) == 64
