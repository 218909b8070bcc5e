"""The clock behind all timers of a server: it stops while the process is stopped.

Theory of operation. After a process was stopped and continued, the system's clock has moved on. By that
clock all timers that ran out meanwhile would fire at once: drivers would lose their decisions, and
connections would be dropped, for a time in which they may have answered. So nothing here sleeps for long at
once. If much more time than that passed between two looks at the system's clock, the time between them does
not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import trio

MOST_SLEEP_SECONDS: Final = 1.0
"""After so long the clock is looked at, though nothing is to be done."""

STOOD_STILL_SECONDS: Final = 3.0
"""Between two looks; what a busy machine holds a process up for is shorter."""


class RunningClock(trio.abc.Clock):
    """Counts the seconds in which the process ran."""

    def __init__(
        self, stood_still: Callable[[float], None], system: Callable[[], float] = time.monotonic
    ) -> None:
        """Make a clock.

        Args:
            stood_still: Called with the seconds that did not count, each time that some did not.
            system: The system's clock, in seconds; never goes back.
        """
        self._stood_still = stood_still
        self._system = system
        self._lost = 0.0
        self._seen = system()

    def start_clock(self) -> None:
        """Begin to count: what went before is nothing."""
        self._seen = self._system()

    def current_time(self) -> float:
        """Give the seconds by now, from any beginning."""
        now = self._system()
        gap, self._seen = now - self._seen, now
        if gap > STOOD_STILL_SECONDS:
            self._lost += gap
            self._stood_still(gap)
        return now - self._lost

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Say for how many seconds Trio may sleep; before a far deadline it looks again."""
        return min(deadline - self.current_time(), MOST_SLEEP_SECONDS)
