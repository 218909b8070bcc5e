"""All contestants play in turn, again and again, so that what else the machine does strikes all alike."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from tests.peers.roster import Contestant
from tests.peers.worker import Worker, running_worker

_TRIAL_DECISIONS: Final = 1_000
"""Of the trial by which the number of decisions of a turn is set; the first turn warms up."""


class Entry(NamedTuple):
    """A contestant as it runs here.

    Attributes:
        contestant: Who.
        version: Of what it plays with, for people.
        home: The folder that it runs from.
    """

    contestant: Contestant
    version: str
    home: Path


class Result(NamedTuple):
    """What one entry came to.

    Attributes:
        rates: Decisions a second of processor time, one a round.
        ratios: The same, each divided by that of the first entry in the same round.
    """

    entry: Entry
    rates: list[float]
    ratios: list[float]

    @property
    def rate(self) -> float:
        """The middle of the rates."""
        return statistics.median(self.rates)

    @property
    def ratio(self) -> float:
        """The middle of the ratios."""
        return statistics.median(self.ratios)


def hold(
    entries: Sequence[Entry], rounds: int, seconds: float, tell: Callable[[int], object] = lambda _: None
) -> list[Result]:
    """Let all entries play.

    Args:
        entries: At least one.
        rounds: In each, every entry has one turn.
        seconds: About how long a turn takes.
        tell: Called after each turn with the number of turns so far.
    """
    rates: list[list[float]] = [[] for _ in entries]
    with ExitStack() as stack:
        workers = [stack.enter_context(running_worker(entry.contestant, entry.home)) for entry in entries]
        decisions = [_decisions_in(worker, seconds) for worker in workers]
        for number in range(rounds):
            for place, (worker, wanted) in enumerate(zip(workers, decisions, strict=True)):
                rates[place].append(wanted / worker.seconds(wanted))
                tell(number * len(entries) + place + 1)
    return [
        Result(entry, own, [rate / first for rate, first in zip(own, rates[0], strict=True)])
        for entry, own in zip(entries, rates, strict=True)
    ]


def _decisions_in(worker: Worker, seconds: float) -> int:
    worker.seconds(_TRIAL_DECISIONS)
    return max(1, round(_TRIAL_DECISIONS * seconds / worker.seconds(_TRIAL_DECISIONS)))
