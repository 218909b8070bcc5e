"""Counting what went wrong in the last while, such as wrong passwords from one address."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

_MOST_REMEMBERED: Final = 10_000


class Tries:
    """How often each of many has failed; what is forgotten first under a flood is what failed first."""

    def __init__(self, most: int, within_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any.

        Args:
            most: From so many on they are too many.
            within_seconds: Those before do not count any more.
        """
        self._most = most
        self._within = within_seconds
        self._clock = clock
        self._failed: dict[str, deque[float]] = {}

    def note(self, who: str) -> None:
        """Note that somebody has failed."""
        moments = self._failed.pop(who, None) or deque(maxlen=self._most)
        moments.append(self._clock())
        self._failed[who] = moments  # behind all others
        if len(self._failed) > _MOST_REMEMBERED:
            del self._failed[next(iter(self._failed))]

    def are_too_many(self, who: str) -> bool:
        """Tell whether somebody has failed too often of late."""
        moments = self._failed.get(who)
        if moments is None or len(moments) < self._most:
            return False
        return self._clock() - moments[0] <= self._within
