"""A token bucket: a burst at once, and a rate in the long run."""

from __future__ import annotations

from typing import Final

_ONE: Final = 1 - 1e-9
"""Seconds times a rate seldom make a whole."""


class TokenBucket:
    """An allowance that fills again with time."""

    __slots__ = ("_at", "_at_once", "_left", "_per_second")  # each connection and each player has one

    def __init__(self, at_once: float, per_second: float, now: float) -> None:
        """Begin full.

        Args:
            at_once: How much it holds.
            per_second: How fast it fills.
            now: The time in seconds, of any clock that runs forward; later calls use the same clock.
        """
        self._at_once = at_once
        self._per_second = per_second
        self._left = at_once
        self._at = now

    def take(self, now: float) -> bool:
        """Take one; False, and nothing taken, where none is left."""
        self._fill(now)
        if self._left < _ONE:
            return False
        self._left -= 1
        return True

    def ready_at(self, now: float, amount: float) -> float:
        """Give the time at which one can be taken: now; or where none is left, when there is an amount."""
        self._fill(now)
        return now if self._left >= _ONE else now + (amount - self._left) / self._per_second

    def owe(self, amount: float, now: float, strain: float = 1.0) -> float:
        """Take an amount whether or not it is there.

        Args:
            amount: How much.
            now: The time in seconds.
            strain: How many times what is not there counts.

        Returns:
            The seconds after which the debt is paid; 0 where there is none.
        """
        self._fill(now)
        missing = max(0.0, amount - max(0.0, self._left))
        self._left -= amount + (strain - 1) * missing
        return max(0.0, -self._left / self._per_second)

    def is_full(self, now: float) -> bool:
        """Tell whether it is as good as new."""
        self._fill(now)
        return self._left >= self._at_once

    def _fill(self, now: float) -> None:
        self._left = min(self._at_once, self._left + (now - self._at) * self._per_second)
        self._at = now
