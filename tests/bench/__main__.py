"""`make bench`: the numbers of the README, measured in one run on one core."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table as TextTable

from tests.bench.engine import anchor_loops, copy_microseconds, random_decisions, steady_race_milliseconds


class Row(NamedTuple):
    """One line of the table: what was measured, its unit, and what to reach."""

    what: str
    measure: Callable[[], float]
    unit: str
    floor: float
    more_is_better: bool


ROWS = (
    Row("decisions a second, six random bots, USA, 2 laps", random_decisions, "/s", 120_000, True),
    Row("copy of a mid-race six-car state", copy_microseconds, "µs", 30, False),
    Row("whole race, six steady bots", steady_race_milliseconds, "ms", 30, False),
)


def main() -> None:
    """Measure each row five times, and print the median with the ratio to its floor."""
    anchor = anchor_loops()
    table = TextTable(title=f"{platform.python_implementation()} {platform.python_version()}")
    for heading in ("what", "measured", "floor", "times the floor", "spread"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for row in ROWS:
        began = time.perf_counter()
        values = sorted(row.measure() for _ in range(5))
        value = statistics.median(values)
        ratio = value / row.floor if row.more_is_better else row.floor / value
        table.add_row(
            row.what,
            f"{value:,.1f} {row.unit}",
            f"{row.floor:,.0f} {row.unit}",
            f"{ratio:.2f}",
            f"{values[0]:,.1f} to {values[-1]:,.1f}",
        )
        Console(stderr=True).print(f"{row.what}: {time.perf_counter() - began:.1f} s", style="dim")
    Console().print(table)
    Console().print(f"anchor: {anchor:.1f} million empty loops a second on this core, in this run")


main()
