"""Value tables built beside an event loop, of Trio or asyncio, in worker processes.

Theory of operation. A table takes some tenths of a second. A thread that builds it would hold up the loop by
the interpreter's lock, so a process does it: anyio keeps a few, begins one when it is first needed and kills
them all when the loop ends. Whoever asks for a table that is being built waits for the same one. A worker
that dies is replaced. If a table cannot be built here after all, it is given up: the bot then builds it when
it decides, and what is wrong shows there.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias, TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from heat_core.planner.table_key import TableKey
from heat_core.planner.tables import TABLES, Tables
from heat_core.planner.value_table import ValueTable, build_table

Result = TypeVar("Result")

Build: TypeAlias = Callable[[TableKey], ValueTable]

MOST_WORKERS: Final = min(4, max(1, (os.cpu_count() or 1) - 1))
"""One core is left to the loop. Each takes 40 MB: on a large machine there are no more than are of use."""

TRIES: Final = 3
"""How often a table is begun, where its worker dies."""

NICENESS: Final = 5
"""Of a worker: screens and people's requests come first."""


class TableWorkers:
    """The worker processes of one event loop."""

    def __init__(self, tables: Tables = TABLES, build: Build = build_table) -> None:
        """Begin without a process.

        Args:
            tables: Where finished tables go.
            build: Builds one; a function of a module's top level, like all that goes to another process.
        """
        self._tables = tables
        self._build = build
        self._building: dict[TableKey, anyio.Event] = {}
        self._given_up: set[TableKey] = set()
        self._limiter: CapacityLimiter | None = None

    def is_ready(self, key: TableKey | None) -> bool:
        """Tell whether a bot can decide without building a table first; None: it needs none."""
        return key is None or self._tables.has(key) or key in self._given_up

    def has_given_up(self, key: TableKey) -> bool:
        """Tell whether a table could not be built here."""
        return key in self._given_up

    async def make(self, key: TableKey) -> None:
        """Wait until a table is there, or given up. Cancelled, it kills the worker that builds it."""
        while not self.is_ready(key):
            if (building := self._building.get(key)) is not None:
                await building.wait()
                continue
            done = self._building[key] = anyio.Event()
            try:
                await self._make_now(key)
            finally:
                del self._building[key]
                done.set()

    async def make_all(self, keys: Iterable[TableKey]) -> None:
        """Wait for several tables, built at the same time as far as there are workers."""
        async with anyio.create_task_group() as group:
            for key in keys:
                group.start_soon(self.make, key)

    async def _make_now(self, key: TableKey) -> None:
        if self._limiter is None:
            self._limiter = CapacityLimiter(MOST_WORKERS)
        try:
            table = await run_beside(self._limiter, partial(self._build, key))
        except Exception:  # whatever it is, it comes again where the bot decides, and can be told there
            self._given_up.add(key)
        else:
            self._tables.put(table)


async def run_beside(limiter: CapacityLimiter, work: Callable[[], Result]) -> Result:
    """Do work in a worker process; where that dies, in another. Cancelled, it kills the worker.

    Args:
        limiter: How many run at once.
        work: A function of a module's top level with its arguments, as `functools.partial` makes it.

    Raises:
        BrokenWorkerProcess: Each of the workers has died.
        Exception: What the work raises.
    """
    for _ in range(TRIES - 1):
        with suppress(BrokenWorkerProcess):
            return await to_process.run_sync(_do_gently, work, cancellable=True, limiter=limiter)
    return await to_process.run_sync(_do_gently, work, cancellable=True, limiter=limiter)


def _do_gently(work: Callable[[], Result]) -> Result:
    """Do work in a worker, which gives way to everything else and leaves Ctrl-C to the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(max(0, NICENESS - os.nice(0)))
    return work()
