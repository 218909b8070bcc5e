"""Which Enters count in a race: none is lost behind a skip, and a key that is held down confirms nothing."""

from __future__ import annotations

import pytest

from heat_tui.race.enter_guard import REPEAT_SECONDS, EnterGuard

GAP = 0.35


class Hand:
    """A hand on the Enter key, at a clock of its own."""

    def __init__(self) -> None:
        self._now = 0.0
        self._guard = EnterGuard(lambda: GAP, lambda: self._now)

    def at(self, now: float) -> EnterGuard:
        """Give the guard at a time."""
        self._now = now
        return self._guard


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.mark.parametrize("later", [0.0, 0.05, 0.2, 0.5, 0.69])
def test_behind_a_skip_an_enter_counts_a_moment_later(hand: Hand, later: float) -> None:
    hand.at(9.9).rest()  # as behind the answer that led to what is skipped
    hand.at(10.0).skip()
    assert hand.at(10.0 + later).press() == REPEAT_SECONDS


def test_long_behind_a_skip_it_counts_at_once(hand: Hand) -> None:
    hand.at(10.0).skip()
    assert hand.at(10.01 + 2 * GAP).press() == 0.0


def test_a_key_held_down_over_a_skip_confirms_nothing(hand: Hand) -> None:
    hand.at(10.0).skip()
    assert hand.at(10.4).press() is not None, "the first repeat looks like a press, so it waits"
    assert [hand.at(10.4 + 0.03 * number).press() for number in range(1, 60)] == [None] * 59


def test_what_ends_by_itself_right_behind_a_skip_takes_no_enter(hand: Hand) -> None:
    hand.at(10.0).skip()
    hand.at(10.2).end()
    assert hand.at(10.3).press() == REPEAT_SECONDS


def test_where_nothing_was_skipped_an_enter_that_comes_late_for_that_confirms_nothing(
    hand: Hand,
) -> None:
    hand.at(10.0).end()
    assert hand.at(10.2).press() is None
    assert hand.at(10.4).press() == 0.0


def test_a_key_is_early_right_after_a_question_came_up_by_itself(hand: Hand) -> None:
    hand.at(10.0).end()
    assert hand.at(10.3).is_early()
    assert not hand.at(10.4).is_early()


def test_no_key_is_early_for_the_question_that_the_own_enter_or_skip_led_to(hand: Hand) -> None:
    assert hand.at(10.0).press() == 0.0
    hand.at(10.1).rest()
    hand.at(10.1).end()
    assert not hand.at(10.2).is_early()
    assert hand.at(10.4).press() is None, "but another Enter is"
    hand.at(20.0).end()
    hand.at(20.1).skip()
    assert not hand.at(20.2).is_early()
