"""How long a room pauses after its disk has failed."""

from __future__ import annotations

from heat_server.room.timing import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, PauseAfterFailure


def test_pauses_grow_up_to_a_bound_and_begin_anew_once_the_disk_is_well() -> None:
    pause = PauseAfterFailure()
    assert pause.until < 0, "nothing has failed"
    lengths = []
    for _ in range(7):
        pause.begin(100.0)
        lengths.append(pause.until - 100.0)
    assert lengths == [1.0, 2.0, 4.0, 8.0, 16.0, LONGEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS]
    pause.end()
    pause.begin(200.0)
    assert pause.until == 200.0 + FIRST_PAUSE_SECONDS


def test_a_disk_that_fails_for_a_night_ends_no_room() -> None:
    """Twice as long a thousand times over is more than a number can be."""
    pause = PauseAfterFailure()
    for _ in range(2_000):
        pause.begin(0.0)
    assert pause.until == LONGEST_PAUSE_SECONDS
