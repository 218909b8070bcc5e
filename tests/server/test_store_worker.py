"""How tasks reach the store: many at once, cancelled ones, failing ones, and the server's last moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_server.store.errors import BadWrites, NoSuchMatch, StoreBusy, StoreFailed
from heat_server.store.no_store import NoStore
from heat_server.store.ownership import Claimed, ServerLoad
from heat_server.store.pruning import DAY_SECONDS, prune_hourly
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import AddEvents, CloseMatch, SaveSessions, Write
from tests.patience import PATIENCE_SECONDS
from tests.server.stores import WallClock, begun, open_store, raw, room

pytestmark = pytest.mark.trio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with open_store(path) as store:
        yield store


def workers(store: SqliteStore) -> list[StoreWorker]:
    return [StoreWorker(store), StoreWorker(store, in_thread=False)]


@pytest.mark.parametrize("number", [0, 1])
async def test_what_a_task_commits_it_can_load(
    number: int, store: SqliteStore, nursery: trio.Nursery
) -> None:
    worker = workers(store)[number]
    await nursery.start(worker.run)
    await worker.commit([*begun("m1"), SaveSessions("m1", (b"a",))])
    await worker.commit([AddEvents("m1", 0, 4, 1, b"four")])
    assert worker.saves
    assert await worker.load("m1") == store.load("m1")
    assert await worker.claim() == [Claimed("m1", "FHKMR", "racing", (b"a",))]
    with pytest.raises(NoSuchMatch):
        await worker.load("m2")
    with pytest.raises(BadWrites):
        await worker.commit([AddEvents("m1", 0, 4, 1, b"four again")])
    assert worker.figures.commits == 3
    assert 0 < worker.figures.median_seconds <= worker.figures.slow_seconds
    nursery.cancel_scope.cancel()


async def test_nothing_is_kept_where_nobody_wants_it(nursery: trio.Nursery) -> None:
    worker = StoreWorker(NoStore(), in_thread=False)
    await nursery.start(worker.run)
    assert not worker.saves
    await worker.commit(begun("m1"))
    with pytest.raises(NoSuchMatch, match="m1"):
        await worker.load("m1")
    assert (await worker.claim(), await worker.prune(9, 0)) == ([], 0)
    nursery.cancel_scope.cancel()


async def test_all_that_wait_share_one_transaction(store: SqliteStore) -> None:
    worker = StoreWorker(store)
    async with trio.open_nursery() as running:
        async with trio.open_nursery() as rooms:
            for number in range(50):
                rooms.start_soon(worker.commit, begun(f"m{number}"))
            await wait_all_tasks_blocked()
            await running.start(worker.run)
        assert worker.figures.commits == 1
        assert len(await worker.claim()) == 50
        running.cancel_scope.cancel()


async def test_one_rooms_fault_does_not_fail_another(store: SqliteStore) -> None:
    worker = StoreWorker(store)
    failed: dict[str, Exception] = {}

    async def try_to_commit(match: str, writes: Sequence[Write]) -> None:
        try:
            await worker.commit(writes)
        except (BadWrites, TypeError) as error:
            failed[match] = error

    gap: list[Write] = [room("gap"), AddEvents("gap", 0, 9, 1, b"")]
    kind: list[Write] = [room("kind"), SaveSessions("kind", 3)]  # type: ignore[arg-type]
    async with trio.open_nursery() as running:
        async with trio.open_nursery() as rooms:
            for number in range(6):
                rooms.start_soon(try_to_commit, f"m{number}", begun(f"m{number}"))
            rooms.start_soon(try_to_commit, "gap", gap)
            rooms.start_soon(try_to_commit, "kind", kind)
            await wait_all_tasks_blocked()
            await running.start(worker.run)
        assert {match: type(error) for match, error in failed.items()} == {
            "gap": BadWrites,
            "kind": TypeError,
        }
        kept = {title.match for title in await worker.claim()}
        assert kept == {"m0", "m1", "m2", "m3", "m4", "m5"}
        running.cancel_scope.cancel()


async def test_a_full_disk_fails_those_who_commit_and_nobody_later(
    store: SqliteStore, nursery: trio.Nursery
) -> None:
    worker = StoreWorker(store)
    await nursery.start(worker.run)
    await worker.commit(begun("m1"))
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFailed, match=r"store\.db: the disk is full"):
        await worker.commit([AddEvents("m1", 0, 4, 1, bytes(1_000_000))])
    store._connection.execute(f"PRAGMA max_page_count = {pages + 1_000}")
    await worker.commit([AddEvents("m1", 0, 4, 1, bytes(1_000_000))])
    race = (await worker.load("m1")).race
    assert race is not None
    assert [len(step) for step in race.steps] == [13, 1_000_000]
    nursery.cancel_scope.cancel()


async def test_a_program_that_holds_the_file_is_waited_for_once_not_once_a_room(
    path: Path, store: SqliteStore
) -> None:
    store._connection.execute("PRAGMA busy_timeout = 10")
    worker = StoreWorker(store)
    failed: list[StoreFailed] = []

    async def try_to_commit(match: str) -> None:
        try:
            await worker.commit(begun(match))
        except StoreBusy as error:
            failed.append(error)

    async with trio.open_nursery() as running:
        with raw(path) as other:
            other.execute("BEGIN IMMEDIATE")
            async with trio.open_nursery() as rooms:
                for number in range(20):
                    rooms.start_soon(try_to_commit, f"m{number}")
                await wait_all_tasks_blocked()
                await running.start(worker.run)
            other.execute("ROLLBACK")
        assert len(failed) == 20
        assert worker.figures.commits == 1
        await worker.commit(begun("m1"))
        assert len(await worker.claim()) == 1
        running.cancel_scope.cancel()


async def test_a_caller_that_is_cancelled_stops_nobody(store: SqliteStore, nursery: trio.Nursery) -> None:
    worker = StoreWorker(store)
    async with trio.open_nursery() as rooms:
        rooms.start_soon(worker.commit, begun("m1"))
        await wait_all_tasks_blocked()
        rooms.cancel_scope.cancel()
    await nursery.start(worker.run)
    await worker.commit(begun("m2"))
    assert "m2" in [title.match for title in await worker.claim()]
    nursery.cancel_scope.cancel()


async def test_a_caller_that_is_cancelled_before_hands_nothing_in(store: SqliteStore) -> None:
    worker = StoreWorker(store)
    with trio.CancelScope() as scope:
        scope.cancel()
        await worker.commit(begun("m1"))
    async with trio.open_nursery() as running:
        await running.start(worker.run)
        running.cancel_scope.cancel()
    assert store.open_matches() == []


async def test_what_has_been_handed_in_is_committed_before_the_keeper_ends(store: SqliteStore) -> None:
    worker = StoreWorker(store)
    answered: list[str] = []

    async def commit(match: str) -> None:
        await worker.commit(begun(match))
        answered.append(match)

    async with trio.open_nursery() as rooms:
        for number in range(5):
            rooms.start_soon(commit, f"m{number}")
        await wait_all_tasks_blocked()
        with trio.CancelScope() as scope:
            scope.cancel()
            await worker.run()
    assert sorted(answered) == [f"m{number}" for number in range(5)]
    assert {title.match for title in store.open_matches()} == set(answered)
    with pytest.raises(StoreFailed, match="closed"):
        await worker.commit(begun("m9"))


async def test_writes_of_one_task_come_in_their_order(store: SqliteStore) -> None:
    worker = StoreWorker(store)

    async def race(match: str) -> None:
        await worker.commit(begun(match))
        for first in range(4, 24):
            await worker.commit([AddEvents(match, 0, first, 1, b"event")])

    async with trio.open_nursery() as running:
        await running.start(worker.run)
        async with trio.open_nursery() as rooms:
            for number in range(10):
                rooms.start_soon(race, f"m{number}")
        for number in range(10):
            kept = (await worker.load(f"m{number}")).race
            assert kept is not None
            assert len(kept.steps) == 21
        assert worker.figures.commits < 10 * 21
        running.cancel_scope.cancel()


async def test_a_store_without_thread_lets_no_virtual_time_pass(
    store: SqliteStore, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    worker = StoreWorker(store, in_thread=False)
    nursery.start_soon(worker.run)
    nursery.start_soon(trio.sleep, 3_600)
    before = trio.current_time()
    for number in range(20):
        await worker.commit(begun(f"m{number}"))
        await worker.load(f"m{number}")
    assert trio.current_time() == before
    nursery.cancel_scope.cancel()


async def test_old_matches_are_deleted_at_the_start_and_once_an_hour(
    path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    day_ms = DAY_SECONDS * 1000
    clock = WallClock(0)
    with open_store(path, clock) as store:
        for number in range(60):
            clock.now_ms = number * day_ms // 20  # twenty a day
            store.write([*begun(f"m{number}"), CloseMatch(f"m{number}", "ended", "over")])
        store.write(begun("open"))
        start = trio.current_time()

        def now_ms() -> int:
            return 4 * day_ms + round((trio.current_time() - start) * 1000)

        nursery.start_soon(prune_hourly, StoreWorker(store, in_thread=False), 2, 1, now_ms)
        left = []
        for _ in range(3):
            await trio.sleep(DAY_SECONDS / 2)
            left.append(len(store.list_matches(100)))
            await trio.sleep(DAY_SECONDS / 2)
        assert left == [11, 1, 1]
        assert [title.match for title in store.open_matches()] == ["open"]
        nursery.cancel_scope.cancel()


async def test_a_store_that_fails_to_delete_is_tried_again_later(
    path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    with open_store(path) as store:
        store._connection.execute("PRAGMA busy_timeout = 0")
        store.write([*begun("m1"), CloseMatch("m1", "ended", "over")])
        with raw(path) as other:
            other.execute("BEGIN IMMEDIATE")
            nursery.start_soon(prune_hourly, StoreWorker(store, in_thread=False), 0, 1, WallClock(2_000))
            await trio.sleep(DAY_SECONDS / 2)
            other.execute("ROLLBACK")
        assert len(store.list_matches(9)) == 1
        await trio.sleep(DAY_SECONDS)
        assert store.list_matches(9) == []
        nursery.cancel_scope.cancel()


async def test_a_store_that_is_too_large_loses_its_oldest_matches_and_none_that_is_open(
    path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = WallClock(0)
    with open_store(path, clock) as store:
        store.write([*begun("open"), AddEvents("open", 0, 4, 1, bytes(200_000))])
        for number in range(60):
            clock.now_ms = number
            event = AddEvents(f"m{number}", 0, 4, 1, bytes(100_000))
            store.write([*begun(f"m{number}"), event, CloseMatch(f"m{number}", "ended", "over")])
        nursery.start_soon(prune_hourly, StoreWorker(store, in_thread=False), 90, 2, clock)
        await trio.sleep(1)
        left = [match.match for match in store.list_matches(100)]
        assert left == [*(f"m{number}" for number in range(59, 41, -1)), "open"]
        nursery.cancel_scope.cancel()


class Asked(NoStore):
    """Notes what it is asked; the first question takes until `may_answer` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.may_answer = threading.Event()

    def claim(self) -> list[Claimed]:
        self.asked.append("claim")
        self.may_answer.wait(PATIENCE_SECONDS)
        return []

    def renew(self, load: ServerLoad) -> list[str]:
        self.asked.append("renew")
        return []


async def test_a_lease_is_renewed_before_those_who_wait_are_answered(nursery: trio.Nursery) -> None:
    store = Asked()
    worker = StoreWorker(store)
    for _ in range(20):
        nursery.start_soon(worker.claim)
    await wait_all_tasks_blocked()
    async with trio.open_nursery() as renewing:
        renewing.start_soon(worker.renew, ServerLoad("a.example:7777", 0, 0))
        await wait_all_tasks_blocked()
        store.may_answer.set()
    assert store.asked.index("renew") <= 2
