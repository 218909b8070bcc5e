"""What of a figure is for each command, and what for each commit, however many commands share it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.scale.load.racing import Raced


class Cost(NamedTuple):
    """A straight line through what was measured of servers with a database.

    Attributes:
        a_command: What each command costs, commits left out.
        a_commit: What each commit costs besides.
        correlation: How well that fits; 1: altogether.
    """

    a_command: float
    a_commit: float
    correlation: float


def cost(raced: Sequence[Raced], figure: Callable[[Raced], float]) -> Cost:
    """Lay a line through a figure over the commits for each command.

    Args:
        raced: At least two that differ in that; those with a file are left out.
        figure: Something for each command.
    """
    runs = [run for run in raced if run.crowd.servers]
    commits = [1 / run.commands_per_commit for run in runs]
    values = [figure(run) for run in runs]
    line = statistics.linear_regression(commits, values)
    return Cost(line.intercept, line.slope, statistics.correlation(commits, values))
