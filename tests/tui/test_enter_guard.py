"""Which Enters count in a race: none is lost behind a skip, and a key that is held down confirms nothing."""

from __future__ import annotations

import pytest

from heat_tui.race.enter_guard import REPEAT_SECONDS, EnterGuard

GAP = 0.35


@pytest.fixture
def guard() -> EnterGuard:
    return EnterGuard()


@pytest.mark.parametrize("later", [0.0, 0.05, 0.2, 0.5, 0.69])
def test_behind_a_skip_an_enter_counts_a_moment_later(guard: EnterGuard, later: float) -> None:
    guard.rest(9.9)  # as behind the answer that led to what is skipped
    guard.skip(10.0)
    assert guard.press(10.0 + later, GAP) == REPEAT_SECONDS


def test_long_behind_a_skip_it_counts_at_once(guard: EnterGuard) -> None:
    guard.skip(10.0)
    assert guard.press(10.01 + 2 * GAP, GAP) == 0.0


def test_a_key_held_down_over_a_skip_confirms_nothing(guard: EnterGuard) -> None:
    guard.skip(10.0)
    assert guard.press(10.4, GAP) is not None, "the first repeat looks like a press, so it waits"
    assert [guard.press(10.4 + 0.03 * number, GAP) for number in range(1, 60)] == [None] * 59


def test_what_ends_by_itself_right_behind_a_skip_takes_no_enter(guard: EnterGuard) -> None:
    guard.skip(10.0)
    guard.end(10.2, GAP)
    assert guard.press(10.3, GAP) == REPEAT_SECONDS


def test_where_nothing_was_skipped_an_enter_that_comes_late_for_that_confirms_nothing(
    guard: EnterGuard,
) -> None:
    guard.end(10.0, GAP)
    assert guard.press(10.2, GAP) is None
    assert guard.press(10.4, GAP) == 0.0
