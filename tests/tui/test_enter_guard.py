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


def pressed(hand: Hand, key: str, *times: float) -> list[float | None]:
    """Press a key at each of the times; give what the guard makes of each."""
    made = []
    for time in times:
        hand.at(time).note(key)
        made.append(hand.at(time).press())
    return made


@pytest.mark.parametrize("way", ["skipped", "answered"])
def test_presses_that_go_on_in_a_row_answer_no_question_that_came_up_meanwhile(hand: Hand, way: str) -> None:
    if way == "skipped":
        hand.at(10.0).note("enter")
        hand.at(10.0).skip()
    else:
        assert pressed(hand, "enter", 10.0) == [0.0]
    hand.at(10.05).end(is_skipped=way == "skipped")
    assert pressed(hand, "enter", *(10.0 + 0.35 * number for number in range(1, 8))) == [None] * 7
    assert hand.at(12.45).is_early()
    hand.at(12.5).end()
    assert pressed(hand, "enter", 12.8) == [None], "nor the one behind it"
    assert pressed(hand, "enter", 13.45, 13.9) == [0.0, 0.0], "behind a pause every press counts"


@pytest.mark.parametrize("other", ["1", "Offset(x=3, y=4)"])
def test_another_key_or_place_in_a_row_is_meant_for_the_question(hand: Hand, other: str) -> None:
    hand.at(10.0).note("enter")
    hand.at(10.0).skip()
    hand.at(10.05).end(is_skipped=True)
    hand.at(10.3).note("enter")
    assert hand.at(10.3).is_early()
    hand.at(10.4).note(other)
    assert not hand.at(10.4).is_early()
    assert pressed(hand, "enter", 10.8) == [0.0], "and a row that begins now, too"


def test_a_question_that_came_up_behind_the_last_press_is_early_for_its_own_settling_time_only(
    hand: Hand,
) -> None:
    hand.at(10.0).note("right")
    hand.at(10.5).end()
    hand.at(10.55).note("left")
    assert hand.at(10.55).is_early()
    hand.at(10.9).note("left")
    assert not hand.at(10.9).is_early(), "its row began behind the question"
