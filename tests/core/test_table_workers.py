"""Value tables are built beside the loop: it goes on meanwhile, dead workers are replaced, none is left."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import anyio
import pytest

from heat_core.drivers import BotName
from heat_core.files import track_names
from heat_core.planner.table_key import TableKey
from heat_core.planner.tables import Tables
from heat_core.planner.value_table import ValueTable, build_table
from heat_core.planner.workers import NICENESS, TRIES, TableWorkers
from heat_core.race.presets import STANDARD
from heat_core.simulation import make_table
from tests.core.support import track_facts

Scenario: TypeAlias = Callable[[], Awaitable[None]]

MOST_WORK_SECONDS = 0.05
"""At a stretch: a table takes some times as long, and a loop that only waits takes a hundredth of it."""

USUAL_LAG_SECONDS = 0.02
"""Of half of the ticks: a busy machine may hold up the others."""


def key_of(track: str = "usa", bot: BotName = "normal") -> TableKey:
    table = make_table(track_facts(track), 1, [bot, "random"], STANDARD, "workers")
    key = table.table_needed(0)
    assert key is not None
    return key


@pytest.fixture(params=["trio", "asyncio"])
def run(request: pytest.FixtureRequest) -> Callable[[Scenario], None]:
    """Run a scenario in each kind of loop."""
    return lambda scenario: anyio.run(scenario, backend=request.param)


def _noting(path: Path, key: TableKey) -> ValueTable:
    """Build a table and note which process did."""
    with path.open("a") as notes:
        notes.write(f"{os.getpid()} {os.nice(0)}\n")
    return build_table(key)


def _dying(path: Path, deaths: int, key: TableKey) -> ValueTable:
    """Die so many times, as a process does that the system kills, before building a table."""
    with path.open("a") as notes:
        notes.write(f"{os.getpid()} {os.nice(0)}\n")
    if len(path.read_text().splitlines()) <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    return build_table(key)


def _endless(path: Path, key: TableKey) -> ValueTable:
    path.write_text(str(os.getpid()))
    while True:
        time.sleep(1)


def _impossible(key: TableKey) -> ValueTable:
    raise ArithmeticError("no such table")


def noted(path: Path) -> list[tuple[int, int]]:
    """Give process and niceness of each time that a table was begun."""
    return [(int(pid), int(nice)) for pid, nice in map(str.split, path.read_text().splitlines())]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.spec("BOT-7.1")
def test_the_loop_goes_on_while_tables_are_built(run: Callable[[Scenario], None], tmp_path: Path) -> None:
    tables, path = Tables(), tmp_path / "notes"
    workers = TableWorkers(tables, partial(_noting, path))
    keys = [key_of(track) for track in track_names()[:3]]
    lags: list[float] = []
    work: list[float] = []

    async def tick() -> None:
        while True:
            at, worked = time.monotonic(), time.thread_time()
            await anyio.sleep(0.001)
            lags.append(time.monotonic() - at - 0.001)
            work.append(time.thread_time() - worked)

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(tick)
            assert not any(map(workers.is_ready, keys))
            await workers.make_all([*keys, keys[0]])
            group.cancel_scope.cancel()

    run(scenario)
    assert all(workers.is_ready(key) and tables.has(key) for key in keys)
    assert len(noted(path)) == len(keys), "who wants a table that is being built waits for the same one"
    assert os.getpid() not in [pid for pid, _ in noted(path)]
    assert all(nice >= NICENESS for _, nice in noted(path)), "everything else comes first"
    assert not any(is_alive(pid) for pid, _ in noted(path)), "the loop's end is theirs"
    assert len(lags) > 100
    assert max(work) < MOST_WORK_SECONDS
    assert sorted(lags)[len(lags) // 2] < USUAL_LAG_SECONDS


def test_a_worker_that_dies_is_replaced(run: Callable[[Scenario], None], tmp_path: Path) -> None:
    tables, path, key = Tables(), tmp_path / "notes", key_of()
    workers = TableWorkers(tables, partial(_dying, path, TRIES - 1))
    run(partial(workers.make, key))
    assert tables.has(key)
    assert len(noted(path)) == TRIES


def test_a_table_that_cannot_be_built_is_left_to_the_bot(
    run: Callable[[Scenario], None], tmp_path: Path
) -> None:
    tables, path, key = Tables(), tmp_path / "notes", key_of()
    for build in (partial(_dying, path, 99), _impossible):
        workers = TableWorkers(tables, build)
        run(partial(workers.make, key))
        assert workers.is_ready(key)
        assert workers.has_given_up(key)
        assert not tables.has(key)
    assert len(noted(path)) == TRIES


def test_who_waits_no_longer_leaves_no_process(run: Callable[[Scenario], None], tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    workers = TableWorkers(Tables(), partial(_endless, path))

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(workers.make, key_of())
            pid = int(await anyio.Path(path).read_text())
            group.cancel_scope.cancel()
        assert not is_alive(pid)

    run(scenario)


def test_bots_without_tables_wait_for_none() -> None:
    table = make_table(track_facts("usa"), 1, ["steady", "random", "steady"], STANDARD, "none")
    table.set_driver(2, "human")
    assert [table.table_needed(seat) for seat in range(3)] == [None] * 3
    assert table.tables_needed() == ()
    assert TableWorkers(Tables()).is_ready(None)
    assert table.table_needed(2, "easy") == table.table_needed(0, "hard"), "whoever drives for a person"
