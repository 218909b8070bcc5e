"""Value tables for the bots of all rooms: who waits for which, and which is built next.

Theory of operation. A room asks whether the table of a bot is there. If not, the room goes on without this
bot, and is woken once the table is built; other rooms notice nothing. Worker processes build, a few at a
time. The creators of rooms have their turns one after another, so whoever wants many tables delays the bots
of others by one table, not by all of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import structlog
import trio

from heat_core.planner.table_key import TableKey
from heat_core.planner.workers import MOST_WORKERS, TableWorkers

log = structlog.get_logger()

Wake: TypeAlias = Callable[[], object]


class BotTables:
    """Has tables built for the rooms of a server."""

    def __init__(self, workers: TableWorkers) -> None:
        """Begin with nobody waiting."""
        self._workers = workers
        self._waiting: dict[TableKey, set[Wake]] = {}
        self._wanted: dict[str, deque[TableKey]] = {}
        self._change = trio.Event()

    def is_ready(self, key: TableKey | None, creator: str, wake: Wake) -> bool:
        """Tell whether a bot can decide now; if not, its table is built and its room woken then.

        Args:
            key: The bot's table; None: it needs none.
            creator: Whose room it is.
            wake: Notifies the room; the same object each time.
        """
        if self._workers.is_ready(key):
            return True
        assert key is not None
        if key not in self._waiting:
            self._waiting[key] = set()
            self._wanted.setdefault(creator, deque()).append(key)
            self._change.set()
        self._waiting[key].add(wake)
        return False

    async def run(self) -> None:
        """Build what is wanted until cancelled, which leaves no process behind."""
        async with trio.open_nursery() as nursery:
            for _ in range(MOST_WORKERS):
                nursery.start_soon(self._build)

    async def _build(self) -> None:
        """Build one table after another."""
        while True:
            key = await self._next()
            await self._workers.make(key)
            if self._workers.has_given_up(key):
                log.warning("table of a bot not built", track=key.track.id)
            for wake in self._waiting.pop(key):
                wake()

    async def _next(self) -> TableKey:
        """Take the next table that is wanted, of the creator whose turn it is."""
        while not self._wanted:
            self._change = trio.Event()
            await self._change.wait()
        creator = next(iter(self._wanted))
        keys = self._wanted.pop(creator)
        key = keys.popleft()
        if keys:
            self._wanted[creator] = keys  # behind all others
        return key
