"""What a server counts while it runs, for `heat-server status` and for `heat_server.monitoring`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from itertools import accumulate
from typing import Final, NamedTuple

from heat_core.wire.codes import ByeCode

MINUTE_SECONDS: Final = 60
MOST_TIMES: Final = 1_000

BUCKET_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of what a histogram counts apart. They never change: sums over servers and months need
the same ones."""


class Times(NamedTuple):
    """How long something took lately.

    Attributes:
        median_seconds: 0 before the first.
        slow_seconds: The 99th percentile.
    """

    median_seconds: float
    slow_seconds: float


class Histogram(NamedTuple):
    """How long something took since the start.

    Attributes:
        counts: For each of `BUCKET_SECONDS`, how many took no longer; the last: all.
        total_seconds: The sum.
    """

    counts: tuple[int, ...]
    total_seconds: float


class Stopwatch:
    """Counts what happens and how long it took, and remembers the times of the last thousand."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._in_buckets = [0] * (len(BUCKET_SECONDS) + 1)
        self._total_seconds = 0.0
        self._seconds: deque[float] = deque(maxlen=MOST_TIMES)

    def note(self, seconds: float) -> None:
        """Count one more."""
        self._in_buckets[bisect_left(BUCKET_SECONDS, seconds)] += 1
        self._total_seconds += seconds
        self._seconds.append(seconds)

    @property
    def count(self) -> int:
        """How many in all."""
        return sum(self._in_buckets)

    def histogram(self) -> Histogram:
        """Give the times of all."""
        return Histogram(tuple(accumulate(self._in_buckets)), self._total_seconds)

    def times(self) -> Times:
        """Give the times of the last thousand."""
        ordered = sorted(self._seconds) or [0.0]
        return Times(ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100])


_REFUSALS: Final = frozenset(
    {ByeCode.SERVER_FULL, ByeCode.ADDRESS_FULL, ByeCode.TOO_OFTEN, ByeCode.BANNED, ByeCode.REMOVED}
)
_DROPS: Final = frozenset({ByeCode.TOO_SLOW, ByeCode.IDLE, ByeCode.NO_HELLO, ByeCode.TOO_MANY_ERRORS})
_FAULTS: Final = frozenset({ByeCode.BAD_FRAME})


class Figures:
    """Counts commands to rooms, how long their answers took, and what went wrong.

    Times are those of one clock, in seconds.

    Attributes:
        refused: By code: requests that were answered with an error, and connections that might not come in.
        dropped: By code: connections that were hung up on, for silence, slowness or too many errors.
        malformed: By code: frames and headers that were none.
        handshakes: How many handshakes of TLS were completed.
        handshakes_failed: By code: those that failed.
        renewed_at: When the lease of a shared store was last renewed.
        renewals_failed: How often that did not work.
    """

    def __init__(self, now: float) -> None:
        """Begin with nothing."""
        self._began_at = now
        self.refused: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.malformed: Counter[str] = Counter()
        self.handshakes = 0
        self.handshakes_failed: Counter[str] = Counter()
        self.renewed_at = now
        self.renewals_failed = 0
        self._of_second: deque[tuple[int, int]] = deque()
        self._answers = Stopwatch()

    def note_error(self, code: str) -> None:
        """Count a refusal: of what was no sound message, or of a request that cannot be granted."""
        (self.malformed if code.startswith("wire/") else self.refused)[str(code)] += 1

    def note_bye(self, code: ByeCode) -> None:
        """Count a connection that is closed or dropped for a fault of the peer's, or for want of space."""
        if code in _REFUSALS:
            self.refused[str(code)] += 1
        elif code in _DROPS:
            self.dropped[str(code)] += 1
        elif code in _FAULTS:
            self.malformed[str(code)] += 1

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

    def answer_histogram(self) -> Histogram:
        """Give the times of all answers."""
        return self._answers.histogram()
