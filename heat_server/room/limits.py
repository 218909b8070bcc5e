"""What somebody reads who may not open one more room now, and when they may."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf

from heat_core.text import counted
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import MOST_NUMBER, ErrorData
from heat_server.room.denied import Denied


def too_many(what: str, ends: Sequence[float], now: float, or_else: str = "") -> Denied:
    """Make the refusal for an address that has too many rooms.

    Args:
        what: How that is called.
        ends: When each of them ends unless somebody does something; infinite: its people are there.
        now: The time in seconds.
        or_else: What helps sooner.
    """
    seconds = min(ends) - now
    text = f"Too many {what} ({len(ends)}). Try again"
    if seconds == inf:
        return Denied(ErrorCode.TOO_MANY_ROOMS, f"{text} when one of them ends.")
    data = ErrorData(retry_after_milliseconds=min(ceil(max(seconds, 0) * 1000), MOST_NUMBER))
    return Denied(ErrorCode.TOO_MANY_ROOMS, f"{text} in {duration_words(seconds)}{or_else}.", data)


def duration_words(seconds: float) -> str:
    """Say in one number how long something takes, rounded up."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        if seconds >= 2 * length or unit == "second":
            return counted(max(1, ceil(seconds / length)), unit)
    raise AssertionError("there is always a unit")
