"""Python does not look at all there is in the middle of a frame."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from heat_core.garbage import CLIENT, freeze_what_is_there


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


def test_what_is_there_is_not_looked_at_again_and_what_comes_is_looked_at_seldom() -> None:
    gc.set_threshold(700, 10, 10)
    gc.collect()
    before = len(gc.get_objects())
    freeze_what_is_there(CLIENT)
    assert len(gc.get_objects()) < before / 10
    at_first, at_second, at_all = gc.get_threshold()
    assert at_first * at_second >= 5 * 7_000
    assert at_first * at_second * at_all >= 50 * 70_000
