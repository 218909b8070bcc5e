"""`make bench`: the figures of docs/performance.md, measured anew; words choose rows (ARGS="server")."""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table as TextTable

from heat_core.version import shown_version
from tests.bench.client import (
    first_screen_seconds,
    frames_per_second,
    kibibytes_a_minute,
    map_seconds,
    share_of_core,
    share_of_core_at_60,
)
from tests.bench.engine import (
    anchor_loops,
    checked_decisions,
    copy_microseconds,
    random_decisions,
    roll_outs_a_second,
    steady_race_milliseconds,
)
from tests.bench.planner import (
    hard_milliseconds,
    hard_milliseconds_with_modules,
    normal_milliseconds_with_modules,
    table_seconds,
)
from tests.bench.server import (
    commands_per_second,
    median_milliseconds,
    restart_seconds,
    seated_client_kibibytes,
    slow_milliseconds,
)


class Row(NamedTuple):
    """One line of the table: what was measured, its unit, and what to reach."""

    what: str
    measure: Callable[[], float]
    unit: str
    floor: float
    more_is_better: bool
    times: int = 5


ROWS = (
    Row("decisions a second, six random bots, USA, 2 laps", random_decisions, "/s", 120_000, True),
    Row("decisions a second, each command checked", checked_decisions, "/s", 105_000, True),
    Row("copy of a mid-race six-car state", copy_microseconds, "µs", 30, False),
    Row("whole race, six steady bots", steady_race_milliseconds, "ms", 30, False),
    Row("roll-outs from the middle, six steady bots", roll_outs_a_second, "/s", 99, True),
    Row("planner: value table of a race", table_seconds, "s", 0.3, False, 3),
    Row("planner: decision of hard, 99th percentile", hard_milliseconds, "ms", 10, False, 1),
    Row("planner: the same with all modules", hard_milliseconds_with_modules, "ms", 10, False, 1),
    Row("planner: the same of normal", normal_milliseconds_with_modules, "ms", 10, False, 1),
    Row("client: frames a second, eight cars moving, 200x60", frames_per_second, "/s", 30, True, 3),
    Row("client: share of a core for 30 of them a second", share_of_core, "%", 100, False, 1),
    Row("client: the same for 60 a second", share_of_core_at_60, "%", 20, False, 1),
    Row("client: KiB a minute of a race, 120x40", kibibytes_a_minute, "KiB", 2_000, False, 1),
    Row("client: smooth map of 160x50", map_seconds, "s", 0.25, False),
    Row("client: start to first full screen", first_screen_seconds, "s", 0.35, False),
    Row("server: commands a second, 100 rooms of 6, store on", commands_per_second, "/s", 2_500, True, 3),
    Row("server: answer at 1,000 commands a second, median", median_milliseconds, "ms", 5, False, 1),
    Row("server: the same, 99th percentile", slow_milliseconds, "ms", 40, False, 1),
    Row("server: memory a connected, seated client", seated_client_kibibytes, "KiB", 60, False, 1),
    Row("server: restart with 1,000 open matches", restart_seconds, "s", 10, False, 1),
)


def main() -> None:
    """Measure each row some times, and print the median with the ratio to its floor."""
    wanted = sys.argv[1:]
    if nowhere := [word for word in wanted if not any(word in row.what for row in ROWS)]:
        rows = "\n".join(f"  {row.what}" for row in ROWS)
        Console(stderr=True).print(
            f"No row has {nowhere[0]!r} in its name. The rows are:\n{rows}", markup=False, highlight=False
        )
        sys.exit(2)
    anchor = anchor_loops()
    table = TextTable(
        title=f"heat-tui {shown_version()}, {platform.python_implementation()} {platform.python_version()}"
    )
    for heading in ("what", "measured", "floor", "times the floor", "spread"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for row in ROWS:
        if wanted and not any(word in row.what for word in wanted):
            continue
        began = time.perf_counter()
        values = sorted(row.measure() for _ in range(row.times))
        value = statistics.median(values)
        ratio = value / row.floor if row.more_is_better else row.floor / value
        table.add_row(
            row.what,
            f"{value:,.1f} {row.unit}",
            f"{row.floor:,g} {row.unit}",
            f"{ratio:.2f}",
            f"{values[0]:,.1f} to {values[-1]:,.1f}",
        )
        Console(stderr=True).print(f"{row.what}: {time.perf_counter() - began:.1f} s", style="dim")
    Console().print(table)
    Console().print(f"anchor: {anchor:.1f} million empty loops a second on this core, in this run")


main()
