"""How tasks reach the store, which blocks.

Theory of operation. `ThreadWorker.run` owns the store. A task that commits lays its writes into a basket and
waits. `run` takes the whole basket at once and has one worker thread do it in one transaction; what is laid
in meanwhile makes the next one. So a hundred rooms share the time that the disk takes. Where a common
transaction fails, each caller's writes are tried alone, and only those that fail raise, at their own caller.
Tests on a virtual clock take `DirectWorker`: a thread's work would let that clock run.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar, TypeVarTuple

import trio

from heat_server.metrics import Stopwatch
from heat_server.store.errors import NoSuchMatch, StoreBusy, StoreFailed
from heat_server.store.sqlite.reading import KeptMatch, KeptTitle, RaceRecord
from heat_server.store.sqlite.store import MOST_PRUNED_AT_ONCE, Store
from heat_server.store.writes import Write

Arguments = TypeVarTuple("Arguments")
Answer = TypeVar("Answer")


class CommitFigures(NamedTuple):
    """How the disk does.

    Attributes:
        commits: Transactions since the start, failed ones too.
        median_seconds: Of the last 1,000; 0 before the first.
        slow_seconds: The 99th percentile of the same.
    """

    commits: int
    median_seconds: float
    slow_seconds: float


class StoreWorker(Protocol):
    """What keeps the rooms of a server."""

    @property
    def keeps(self) -> bool:
        """Tell whether anything is kept: not with `--no-store`."""

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Do what is handed in, until cancelled; what has been handed in then is committed first."""

    async def commit(self, writes: Sequence[Write]) -> None:
        """Hand writes in; they are on disk when this returns. Cancelled, they may or may not be.

        Raises:
            StoreFailed: The disk or the file failed, or `run` has ended. Nothing of the writes is there.
            BadWrites: They do not fit what is there. Nothing of them is there.
        """

    async def load(self, match: str) -> KeptMatch:
        """Read an open match.

        Raises:
            NoSuchMatch: There is none of that name, or it is closed.
            StoreDamaged: The match is damaged.
            StoreFailed: The file cannot be read.
        """

    async def races(self, match: str) -> list[RaceRecord]:
        """Read all races of a match.

        Raises:
            NoSuchMatch: There is none of that name.
            StoreDamaged: The match is damaged.
            StoreFailed: The file cannot be read.
        """

    async def open_matches(self) -> list[KeptTitle]:
        """List the matches to bring back, in the order in which they began.

        Raises:
            StoreFailed: The file cannot be read or is damaged.
        """

    async def sessions(self) -> list[tuple[bytes, str]]:
        """List which hashes of tokens belong to which open matches.

        Raises:
            StoreFailed: The file cannot be read or is damaged.
        """

    async def prune(self, before_ms: int, most_bytes: int) -> int:
        """Delete all matches that were closed before a time, a few at once; give how many.

        Where those that are left take more than `most_bytes`, the oldest closed ones are deleted too.

        Raises:
            StoreFailed: The file cannot be read or written.
        """

    @property
    def figures(self) -> CommitFigures:
        """Count the commits and their times."""


class _HandedIn:
    """Writes on their way to the disk.

    Attributes:
        writes: One caller's.
        error: Why nothing of them is there; None where they are.
        done: Set when they are there or have failed.
    """

    def __init__(self, writes: Sequence[Write]) -> None:
        self.writes = writes
        self.error: Exception | None = None
        self.done = trio.Event()


class _StoreWorker(ABC):
    """What the workers of a store have in common: how it is read, and how its commits are counted."""

    keeps: Final = True

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopwatch = Stopwatch()

    @abstractmethod
    async def _ask(self, question: Callable[[*Arguments], Answer], *arguments: *Arguments) -> Answer:
        """Put a question to the store, which blocks."""

    async def load(self, match: str) -> KeptMatch:
        """Read an open match; see `StoreWorker`."""
        return await self._ask(self._store.load, match)

    async def races(self, match: str) -> list[RaceRecord]:
        """Read all races of a match; see `StoreWorker`."""
        return await self._ask(self._store.races, match)

    async def open_matches(self) -> list[KeptTitle]:
        """List the matches to bring back; see `StoreWorker`."""
        return await self._ask(self._store.open_matches)

    async def sessions(self) -> list[tuple[bytes, str]]:
        """List which tokens belong to which matches; see `StoreWorker`."""
        return await self._ask(self._store.sessions)

    async def prune(self, before_ms: int, most_bytes: int) -> int:
        """Delete old matches; commits come in between. See `StoreWorker`."""
        total = 0
        while True:
            deleted = await self._ask(self._store.prune, before_ms, most_bytes, MOST_PRUNED_AT_ONCE)
            total += deleted
            if deleted < MOST_PRUNED_AT_ONCE:
                return total

    @property
    def figures(self) -> CommitFigures:
        """Count the commits and their times."""
        return CommitFigures(self._stopwatch.count, *self._stopwatch.times())

    def _write(self, writes: Sequence[Write]) -> None:
        """Write, and note how long it took."""
        began = time.perf_counter()
        try:
            self._store.write(writes)
        finally:
            self._stopwatch.note(time.perf_counter() - began)


class ThreadWorker(_StoreWorker):
    """Keeps rooms in a store, from a thread of its own; see the theory of operation above.

    The store is the worker's until `run` has ended; who opened it closes it then.
    """

    def __init__(self, store: Store) -> None:
        """Take a store over."""
        super().__init__(store)
        self._basket: list[_HandedIn] = []
        self._filled = trio.Event()
        self._has_ended = False
        self._thread = trio.CapacityLimiter(1)

    async def _ask(self, question: Callable[[*Arguments], Answer], *arguments: *Arguments) -> Answer:
        return await trio.to_thread.run_sync(question, *arguments, limiter=self._thread)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Commit what is handed in, until cancelled; what has been handed in then is committed first.

        Rooms that are to be kept to their end must end before this does.
        """
        task_status.started()
        try:
            while True:
                await self._filled.wait()
                await self._empty_basket()
        finally:
            self._has_ended = True
            await self._empty_basket()

    async def commit(self, writes: Sequence[Write]) -> None:
        """Hand writes in; see `StoreWorker`."""
        await trio.lowlevel.checkpoint_if_cancelled()
        if self._has_ended:
            raise StoreFailed(f"{self._store.path}: the store is closed")
        handed_in = _HandedIn(writes)
        self._basket.append(handed_in)
        self._filled.set()
        await handed_in.done.wait()
        if handed_in.error is not None:
            raise handed_in.error

    async def _empty_basket(self) -> None:
        """Commit what is in the basket. A cancellation waits until those who handed in know."""
        basket, self._basket = self._basket, []
        self._filled = trio.Event()
        if not basket:
            return
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._commit_all, basket, limiter=self._thread)
        for handed_in in basket:
            handed_in.done.set()

    def _commit_all(self, basket: Sequence[_HandedIn]) -> None:
        """Commit in the worker thread. Raises nothing: each caller gets the error of its own writes."""
        error = self._commit_together(basket)
        if error is None or len(basket) == 1:
            return
        if isinstance(error, StoreBusy):
            return  # nobody's fault here, and each would wait as long again
        for handed_in in basket:
            handed_in.error = None
            self._commit_together([handed_in])

    def _commit_together(self, basket: Sequence[_HandedIn]) -> Exception | None:
        try:
            self._write([write for handed_in in basket for write in handed_in.writes])
        except Exception as error:  # whatever it is, it is the caller's, and others go on
            for handed_in in basket:
                handed_in.error = error
            return error
        return None


class DirectWorker(_StoreWorker):
    """Keeps rooms in a store, at once and without a thread: for tests on a virtual clock."""

    async def _ask(self, question: Callable[[*Arguments], Answer], *arguments: *Arguments) -> Answer:
        await trio.lowlevel.checkpoint()
        return question(*arguments)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Do nothing, until cancelled."""
        task_status.started()
        await trio.sleep_forever()

    async def commit(self, writes: Sequence[Write]) -> None:
        """Write at once; cancelled, nothing of it is there. See `StoreWorker`."""
        await trio.lowlevel.checkpoint()
        self._write(writes)


class NoWorker:
    """Keeps nothing: the rooms end with the server."""

    keeps: Final = False
    figures: Final = CommitFigures(0, 0.0, 0.0)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Do nothing, until cancelled."""
        task_status.started()
        await trio.sleep_forever()

    async def commit(self, writes: Sequence[Write]) -> None:
        """Forget what is handed in."""
        await trio.lowlevel.checkpoint()

    async def load(self, match: str) -> KeptMatch:
        """Find nothing.

        Raises:
            NoSuchMatch: Always.
        """
        await trio.lowlevel.checkpoint()
        raise NoSuchMatch(f"there is no open match {match!r}: this server keeps none")

    async def races(self, match: str) -> list[RaceRecord]:
        """Find nothing.

        Raises:
            NoSuchMatch: Always.
        """
        await trio.lowlevel.checkpoint()
        raise NoSuchMatch(f"there is no match {match!r}: this server keeps none")

    async def open_matches(self) -> list[KeptTitle]:
        """List nothing."""
        await trio.lowlevel.checkpoint()
        return []

    async def sessions(self) -> list[tuple[bytes, str]]:
        """List nothing."""
        await trio.lowlevel.checkpoint()
        return []

    async def prune(self, before_ms: int, most_bytes: int) -> int:
        """Delete nothing."""
        await trio.lowlevel.checkpoint()
        return 0
