"""What a command costs a server does not grow with the events of the race so far."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio
from trio.testing import MockClock

from heat_core.wire.messages import RoomOptions
from tests.growth.counts import Step, count_race
from tests.growth.fit import fit

MOST_CHANGE = 0.4
"""Of the mean, over a race. What grew from nothing in proportion to the events would change by 2."""

COSTS: list[Callable[[Step], int]] = [
    lambda step: step.sent_bytes,
    lambda step: step.rows,
    lambda step: step.calls,
]


def test_a_server_sends_writes_and_calls_no_more_for_a_command_however_many_events_there_have_been(
    tmp_path: Path, seed: str
) -> None:
    """People race each other, watched by somebody; all of it is counted, so the machine does not matter."""
    options = RoomOptions(track="usa", laps=1, cars=2)
    steps = trio.run(count_race, tmp_path, options, 1, clock=MockClock())
    assert steps[-1].events > 500
    assert all(step.row_bytes for step in steps)
    assert not any(step.reads for step in steps)
    for cost in COSTS:
        line = fit([(step.events, cost(step)) for step in steps])
        assert line.mean > 1
        assert line.change < MOST_CHANGE
