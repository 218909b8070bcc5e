"""What a server counts while it runs, for `heat-server status`."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

MINUTE_SECONDS: Final = 60
MOST_TIMES: Final = 1_000


class Times(NamedTuple):
    """How long something took lately.

    Attributes:
        median_seconds: 0 before the first.
        slow_seconds: The 99th percentile.
    """

    median_seconds: float
    slow_seconds: float


class Stopwatch:
    """Counts what happens, and remembers how long the last thousand took.

    Attributes:
        count: How many in all.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.count = 0
        self._seconds: deque[float] = deque(maxlen=MOST_TIMES)

    def note(self, seconds: float) -> None:
        """Count one more."""
        self.count += 1
        self._seconds.append(seconds)

    def times(self) -> Times:
        """Give the times of the last thousand."""
        ordered = sorted(self._seconds) or [0.0]
        return Times(ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100])


class Figures:
    """Counts commands to rooms and how long their answers took. Times are those of one clock, in seconds."""

    def __init__(self, now: float) -> None:
        """Begin with nothing."""
        self._began_at = now
        self._of_second: deque[tuple[int, int]] = deque()
        self._answers = Stopwatch()

    def note_command(self, asked_at: float, now: float) -> None:
        """Count a command that has been answered."""
        self._answers.note(now - asked_at)
        second, count = int(now), 0
        if self._of_second and self._of_second[-1][0] == second:
            count = self._of_second.pop()[1]
        self._of_second.append((second, count + 1))
        self._forget(now)

    def _forget(self, now: float) -> None:
        while self._of_second and self._of_second[0][0] < now - MINUTE_SECONDS:
            self._of_second.popleft()

    @property
    def commands(self) -> int:
        """How many commands there were in all."""
        return self._answers.count

    def uptime_seconds(self, now: float) -> float:
        """Give the time since the beginning."""
        return now - self._began_at

    def commands_per_second(self, now: float) -> float:
        """Give the rate of the last minute, or of the whole time where that is shorter."""
        self._forget(now)
        span = min(MINUTE_SECONDS, max(1.0, self.uptime_seconds(now)))
        return sum(count for _, count in self._of_second) / span

    def answer_times(self) -> Times:
        """Give the times of the last thousand answers."""
        return self._answers.times()
