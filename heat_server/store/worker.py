"""How tasks reach the store, which blocks.

Theory of operation. `StoreWorker.run` owns the store. A task that commits adds its writes to a batch and
waits. `run` takes the whole batch at once and has one thread commit it; what is added meanwhile is the next
batch. So a hundred rooms share the time that the disk takes. If a batch fails, the writes of each caller are
tried alone, and only those that fail raise, at their own caller. Rooms that move share a transaction, too.

Questions of many callers about codes and tokens share a statement, too (`query_batcher`).

The renewal of a lease does not queue up: however many ask, it waits for two questions at most, or a server
with much to do would lose its rooms, which makes more to do for all.

A store that waits for nothing needs no thread. Tests on a virtual clock have none either: that clock would
run on while a thread works.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar, TypeVarTuple

import trio

from heat_server.metrics import Histogram, Stopwatch
from heat_server.networks import Network
from heat_server.store.bans import BanNews, news_of_bans
from heat_server.store.contract import MOST_PRUNED_AT_ONCE, RecordedRace, SavedMatch, Store
from heat_server.store.errors import CodeTaken, MatchesMoved, StoreBusy, StoreFailed, StoreUnreachable
from heat_server.store.ownership import Claimed, Owner, Peer, Release, ServerLoad
from heat_server.store.query_batcher import QueryBatcher
from heat_server.store.writes import Write

FAILING_SECONDS: Final = 60.0
"""How long a failed commit stands for the state of the disk, unless one succeeds sooner. It ends by itself:
a server that gets no players any more has nothing to commit that could show that the disk is well again."""

LATE_SECONDS: Final = 1.5
"""After so long, who waits for a commit should know what they wait for."""

Arguments = TypeVarTuple("Arguments")
Answer = TypeVar("Answer")


class CommitFigures(NamedTuple):
    """How fast the disk is.

    Attributes:
        commits: Transactions since the start, failed ones too.
        failures: Those that the disk or the store failed.
        median_seconds: Of the last 1,000; 0 before the first.
        slow_seconds: The 99th percentile of the same.
    """

    commits: int
    failures: int
    median_seconds: float
    slow_seconds: float


class _HandedIn:
    """Writes, or matches to let go, on their way to the disk.

    Attributes:
        writes: One caller's.
        releases: One caller's.
        error: Why nothing of them is there; None where they are.
        done: Set when they are there or have failed.
    """

    def __init__(self, writes: Sequence[Write] = (), releases: Sequence[Release] = ()) -> None:
        self.writes = writes
        self.releases = releases
        self.error: Exception | None = None
        self.done = trio.Event()


class StoreWorker:
    """The way of a server's tasks to its store, which is the worker's until `run` has ended.

    Attributes:
        saves: Whether anything is saved.
        is_shared: Whether other servers can use the store too.
    """

    def __init__(self, store: Store, *, in_thread: bool = True) -> None:
        """Take over a store; who opened it closes it, after `run` has ended.

        Args:
            store: Where everything goes.
            in_thread: Whether a thread of its own asks the store; else the task that commits does it itself.
        """
        self.saves = store.saves
        self.is_shared = store.is_shared
        self._store = store
        self._stopwatch = Stopwatch()
        self._failures = 0
        self._failed_at = float("-inf")
        self._thread = trio.CapacityLimiter(1) if in_thread else None
        self._queue = trio.CapacityLimiter(1)
        self._owners_of_codes = QueryBatcher[str, Owner](self._ask_owners_of_codes)
        self._owners_of_keys = QueryBatcher[bytes, Owner](self._ask_owners_of_keys)
        self._batch: list[_HandedIn] = []
        self._leaving: list[_HandedIn] = []
        self._filled = trio.Event()
        self._has_ended = False

    async def _ask(self, question: Callable[[*Arguments], Answer], *arguments: *Arguments) -> Answer:
        async with self._queue:  # only its first waits for the thread, beside what is urgent
            return await self._ask_first(question, *arguments)

    async def _ask_first(self, question: Callable[[*Arguments], Answer], *arguments: *Arguments) -> Answer:
        if self._thread is None:
            await trio.lowlevel.checkpoint()
            return question(*arguments)
        return await trio.to_thread.run_sync(question, *arguments, limiter=self._thread)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Commit what is handed in, until cancelled; what has been handed in by then is committed first.

        Rooms that are to be saved to their end must end before this does.
        """
        task_status.started()
        try:
            while True:
                await self._filled.wait()
                await self._commit_batch()
        finally:
            self._has_ended = True
            await self._commit_batch()

    async def commit(self, writes: Sequence[Write], on_late: Callable[[], None] = lambda: None) -> None:
        """Hand writes in; they are on disk when this returns. Cancelled, they may or may not be.

        Args:
            writes: What is to be true together.
            on_late: Called once if it takes `LATE_SECONDS`.

        Raises:
            StoreFailed: The disk or the store failed, or `run` has ended. Nothing of the writes is there.
            BadWrites: They do not fit what is there. Nothing of them is there.
        """
        if self._thread is None:
            await self._ask(self._write, writes)
            return
        handed_in = _HandedIn(writes)
        await self._hand_in(handed_in, self._batch)
        with trio.move_on_after(LATE_SECONDS):
            await handed_in.done.wait()
        if not handed_in.done.is_set():
            on_late()
            await handed_in.done.wait()
        if handed_in.error is not None:
            raise handed_in.error

    async def _hand_in(self, handed_in: _HandedIn, where: list[_HandedIn]) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        if self._has_ended:
            raise StoreFailed(f"{self._store.name}: the store is closed")
        where.append(handed_in)
        self._filled.set()

    async def load(self, match: str) -> SavedMatch:
        """Read an open match; see `Store`."""
        return await self._ask(self._store.load, match)

    async def races(self, match: str) -> list[RecordedRace]:
        """Read all races of a match; see `Store`."""
        return await self._ask(self._store.races, match)

    async def claim(self) -> list[Claimed]:
        """Take a share of the open matches that nobody owns; see `Store`."""
        return await self._ask(self._store.claim)

    async def claim_one(self, match: str) -> list[Claimed]:
        """Take an open match if nobody owns it; see `Store`."""
        return await self._ask(self._store.claim_one, match)

    async def renew(self, load: ServerLoad) -> list[str]:
        """Renew the lease before others are answered, and list the matches that were lost; see `Store`."""
        return await self._ask_first(self._store.renew, load)

    async def release(self, releases: Sequence[Release]) -> None:
        """Let other servers take matches; see `Store`. Cancelled, they may or may not be released."""
        if self._thread is None:
            await self._ask(self._store.release, releases)
            return
        handed_in = _HandedIn(releases=releases)
        await self._hand_in(handed_in, self._leaving)
        await handed_in.done.wait()
        if handed_in.error is not None:
            raise handed_in.error

    async def peers(self) -> list[Peer]:
        """List the other servers of the store; see `Store`."""
        return await self._ask(self._store.peers)

    async def owner_of_code(self, code: str) -> Owner | None:
        """Find out who owns the open match of a code; None: there is none. See `Store`."""
        return await self._owners_of_codes.ask(code)

    async def owner_of_key(self, key: bytes) -> Owner | None:
        """Find out who owns the open match of a token's hash; None: there is none. See `Store`."""
        return await self._owners_of_keys.ask(key)

    async def _ask_owners_of_codes(self, codes: Sequence[str]) -> dict[str, Owner]:
        return await self._ask(self._store.owners_of_codes, codes)

    async def _ask_owners_of_keys(self, keys: Sequence[bytes]) -> dict[bytes, Owner]:
        return await self._ask(self._store.owners_of_keys, keys)

    async def bans(self, version: str | None, notes: Mapping[Network, str]) -> BanNews | None:
        """Find out what has changed in the list of bans; see `news_of_bans`."""
        return await self._ask(news_of_bans, self._store, version, notes)

    async def put_bans(self, notes: Mapping[Network, str]) -> None:
        """Ban networks; see `BanStore`."""
        await self._ask(self._store.put_bans, notes)

    async def lift_ban(self, network: Network) -> bool:
        """Lift a ban; see `BanStore`."""
        return await self._ask(self._store.lift_ban, network)

    async def prune(self, before_ms: int, most_bytes: int) -> int:
        """Delete old matches, a few at once, so that commits come in between; give how many. See `Store`."""
        total = 0
        while True:
            deleted = await self._ask(self._store.prune, before_ms, most_bytes, MOST_PRUNED_AT_ONCE)
            total += deleted
            if deleted < MOST_PRUNED_AT_ONCE:
                return total

    @property
    def name(self) -> str:
        """What people call the store."""
        return self._store.name

    @property
    def trouble(self) -> str | None:
        """Say why the store cannot be reached now; None: it can, as far as is known."""
        return self._store.trouble

    @property
    def unowned(self) -> int:
        """How many open matches no living server owned when this one last looked."""
        return self._store.unowned

    @property
    def figures(self) -> CommitFigures:
        """Count the commits and their times."""
        return CommitFigures(self._stopwatch.count, self._failures, *self._stopwatch.times())

    def commit_histogram(self) -> Histogram:
        """Give the times of all commits."""
        return self._stopwatch.histogram()

    @property
    def is_writing(self) -> bool:
        """Whether the store takes writes, as far as is known: it is open, and none has failed lately."""
        is_failing = time.monotonic() < self._failed_at + FAILING_SECONDS
        return not (self._has_ended or is_failing or self._store.trouble)

    def _write(self, writes: Sequence[Write]) -> None:
        """Write, and note how long it took and whether the disk or the store failed."""
        began = time.perf_counter()
        try:
            self._store.write(writes)
        except (MatchesMoved, CodeTaken):
            raise  # the store is well, and the matches are others'
        except StoreFailed:
            self._failures += 1
            self._failed_at = time.monotonic()
            raise
        else:
            self._failed_at = float("-inf")
        finally:
            self._stopwatch.note(time.perf_counter() - began)

    async def _commit_batch(self) -> None:
        """Commit what has been handed in. A cancellation waits until those who handed in know."""
        batch, self._batch = self._batch, []
        leaving, self._leaving = self._leaving, []
        self._filled = trio.Event()
        for handed_in_together, commit in ((batch, self._commit_all), (leaving, self._release_all)):
            if handed_in_together:
                with trio.CancelScope(shield=True):
                    await self._ask(commit, handed_in_together)
            for handed_in in handed_in_together:
                handed_in.done.set()

    def _commit_all(self, batch: Sequence[_HandedIn]) -> None:
        """Commit in the worker thread. Raises nothing: each caller gets the error of its own writes."""
        error = self._commit_together(batch)
        if error is None or len(batch) == 1:
            return
        if isinstance(error, (StoreBusy, StoreUnreachable)):
            return  # nobody's fault here, and each would wait as long again; or be written twice
        if isinstance(error, MatchesMoved):  # what was not lost is one commit still
            moved = error.matches
            stays = [one for one in batch if moved.isdisjoint(write.match for write in one.writes)]
            if stays and len(stays) < len(batch):
                for handed_in in stays:
                    handed_in.error = None
                self._commit_all(stays)
            return
        for handed_in in batch:
            handed_in.error = None
            self._commit_together([handed_in])

    def _release_all(self, leaving: Sequence[_HandedIn]) -> None:
        """Release in the worker thread, as `_commit_all` commits."""
        try:
            self._store.release([release for handed_in in leaving for release in handed_in.releases])
        except Exception as error:  # whatever it is, it is the callers', and others continue
            for handed_in in leaving:
                handed_in.error = error

    def _commit_together(self, batch: Sequence[_HandedIn]) -> Exception | None:
        try:
            self._write([write for handed_in in batch for write in handed_in.writes])
        except Exception as error:  # whatever it is, it is the caller's, and others continue
            for handed_in in batch:
                handed_in.error = error
            return error
        return None
