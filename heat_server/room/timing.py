"""How long a race waits: seconds, on any clock that runs forward."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.options.table_options import NO_CLOCK
from heat_core.wire.messages import AwayDriver

NEVER: Final = float("inf")


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
