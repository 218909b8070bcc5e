"""Cores with more or less to do: how long something takes there.

Theory of operation. Steady work (commands of people) is a rate, not events. What is waited for is an amount
of work that comes in and that the cores take away; where more comes than they can take, it grows. A task
waits until that amount is done, then for chance: where cores are busy for most of the time, a task finds all
of them busy now and then (the formula of Sakasegawa for several cores). Then it takes its own time.
"""

from __future__ import annotations

from math import sqrt
from random import Random

MOST_BUSY = 0.98
"""For the part of chance: beyond that, the work that waits says how long it takes."""


class Cores:
    """Processors that share one queue.

    Attributes:
        count: How many.
        rate: Steady work that comes in, in seconds of work a second.
        slowness: How many times as long everything takes.
        work: Seconds of work done for tasks since the start; steady work not counted.
    """

    def __init__(self, count: int, random: Random) -> None:
        self.count = count
        self.rate = 0.0
        self.slowness = 1.0
        self.work = 0.0
        self._random = random
        self._waiting = 0.0
        self._settled_at = 0.0

    def set_rate(self, rate: float, now: float) -> None:
        """Note how much steady work comes in from now on."""
        self._settle(now)
        self.rate = rate

    def _settle(self, now: float) -> None:
        change = (self.rate * self.slowness - self.count) * (now - self._settled_at)
        self._waiting = max(0.0, self._waiting + change)
        self._settled_at = now

    def wait(self, now: float) -> float:
        """Give the seconds until something that comes now has a core."""
        self._settle(now)
        return self._waiting / self.count

    def take(self, work: float, now: float) -> float:
        """Give the seconds that a task takes that comes now, and count it in.

        Args:
            work: Seconds of work, when nothing is slow.
        """
        wait = self.wait(now)
        work *= self.slowness
        chance = self._chance(work) * self._random.expovariate(1.0)
        self._waiting += work
        self.work += work
        return wait + chance + work

    def mean(self, work: float, now: float) -> float:
        """Give the seconds that a piece of steady work takes now, on average."""
        work *= self.slowness
        return self.wait(now) + self._chance(work) + work

    def _chance(self, work: float) -> float:
        busy = min(MOST_BUSY, self.rate * self.slowness / self.count)
        all_busy: float = busy ** (sqrt(2 * (self.count + 1)) - 1)
        return work * all_busy / (self.count * (1 - busy))

    def forget(self, now: float) -> None:
        """Drop all that waits."""
        self._settled_at, self._waiting = now, 0.0
