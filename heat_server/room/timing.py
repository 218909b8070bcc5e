"""How long a race waits, and a room after a failure: seconds, on any clock that runs forward."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.options.table_options import NO_CLOCK
from heat_core.wire.messages import AwayDriver

NEVER: Final = float("inf")

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 30.0


class Timing(msgspec.Struct, frozen=True):
    """How long a race waits for people.

    Attributes:
        turn_seconds: For each decision; where no clock runs, for somebody who is there and idle.
        grace_seconds: For somebody who is gone.
        bot_seconds: What a bot takes for a secret choice, in the mean.
        away_driver: Who drives for those who are not waited for.
        has_clock: Whether people are told how long a decision may take.
    """

    turn_seconds: float
    grace_seconds: float
    bot_seconds: float
    away_driver: AwayDriver = "defaults"
    has_clock: bool = True

    @property
    def turn_milliseconds(self) -> int:
        """The time of each decision as people are told it."""
        return round(self.turn_seconds * 1000) if self.has_clock else NO_CLOCK


class PauseAfterFailure:
    """How long a room does nothing of its own accord after the disk has failed: longer each time in a row.

    Attributes:
        until: When it is over.
    """

    def __init__(self) -> None:
        """Begin without one."""
        self.until = -NEVER
        self._next_seconds = FIRST_PAUSE_SECONDS

    def begin(self, now: float) -> None:
        """Note that the disk has failed."""
        self.until = now + self._next_seconds
        self._next_seconds = min(2 * self._next_seconds, LONGEST_PAUSE_SECONDS)

    def end(self) -> None:
        """Note that the disk is well again."""
        self._next_seconds = FIRST_PAUSE_SECONDS
