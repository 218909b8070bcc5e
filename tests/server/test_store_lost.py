"""A database that goes away at any moment: nothing is written twice, nothing that was answered is lost."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from itertools import count

import pytest
import structlog
import trio
from trio.testing import wait_all_tasks_blocked

from heat_server.store.address import DatabaseUrl
from heat_server.store.errors import BadWrites, StoreFailed, StoreUnreachable
from heat_server.store.postgres import batches, link
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import AddEvents, CloseMatch, SaveClocks, Write
from tests.server.cut_off import COMMIT, CutOff, cut_off, once
from tests.server.postgres import Cluster, started
from tests.server.stores import WallClock, begun


@pytest.fixture
def database(cluster: Cluster) -> str:
    return cluster.new_database()


@pytest.fixture
def way(cluster: Cluster) -> Iterator[CutOff]:
    with cut_off(cluster.folder / ".s.PGSQL.5432") as way:
        yield way


@pytest.fixture
def store(way: CutOff, database: str) -> Iterator[PostgresStore]:
    url = DatabaseUrl(f"postgresql://heat@127.0.0.1:{way.port}/{database}?sslmode=disable")
    with PostgresStore.open(url, WallClock()) as store:
        yield store


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(link, "LONGEST_PAUSE_SECONDS", 0.1)


def step(first: int, match: str = "m1") -> list[Write]:
    return [AddEvents(match, 0, first, 1, b"event"), SaveClocks(match, str(first).encode())]


def last_event(store: PostgresStore) -> int:
    """Give the number of the last event, after a look that all before it are there, once each."""
    kept = store.load("m1")
    assert kept.race is not None
    last = 2 + len(kept.race.steps)
    assert kept.clocks in (None, str(last).encode())
    return last


def end_sessions(cluster: Cluster, database: str) -> None:
    with cluster.connected("postgres") as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (database,)
        )


def test_a_session_that_the_administrator_ends_is_begun_anew(
    cluster: Cluster, database: str, store: PostgresStore
) -> None:
    store.write(begun("m1"))
    for first in range(4, 8):
        end_sessions(cluster, database)
        store.write(step(first))
        end_sessions(cluster, database)
        assert last_event(store) == first
    with structlog.testing.capture_logs() as lines:
        end_sessions(cluster, database)
        assert store.prune(0) == 0
    assert [line["event"] for line in lines][:1] == ["database lost"]
    assert [line["event"] for line in lines][-1:] == ["database back"]
    assert lines[0]["store"] == store.name


@pytest.mark.parametrize("word", [b"INTO batches", b"FOR NO KEY UPDATE", b"INTO steps", COMMIT])
@pytest.mark.parametrize("is_answer", [False, True])
def test_a_connection_that_is_cut_at_any_moment_leaves_each_batch_once(
    is_answer: bool, word: bytes, way: CutOff, store: PostgresStore
) -> None:
    store.write(begun("m1"))
    for first in range(4, 7):
        if is_answer:
            way.after = once(word)
        else:
            way.before = once(word)
        connections = way.connections
        store.write(step(first))
        assert way.connections == connections + 1
        assert last_event(store) == first
    assert store.trouble is None


@pytest.mark.parametrize(("is_answer", "wanted"), [(False, 3), (True, 4)])
def test_of_a_commit_in_doubt_what_is_read_next_tells(
    is_answer: bool, wanted: int, way: CutOff, store: PostgresStore, short_patience: None
) -> None:
    store.write(begun("m1"))
    cut = once(COMMIT)

    def close(piece: bytes) -> bool:
        if cut(piece):
            way.is_open = False
            return True
        return False

    if is_answer:
        way.after = close
    else:
        way.before = close
    began = time.monotonic()
    with pytest.raises(StoreUnreachable, match="the database cannot be reached: "):
        store.write(step(4))
    assert time.monotonic() - began < 2
    assert store.trouble
    for _ in range(20):  # all who come meanwhile share a try
        with pytest.raises(StoreUnreachable):
            store.load("m1")
    assert time.monotonic() - began < 2
    way.is_open = True
    time.sleep(link.LONGEST_PAUSE_SECONDS)
    assert last_event(store) == wanted
    assert not store.trouble
    store.write(step(wanted + 1))
    assert last_event(store) == wanted + 1


@pytest.mark.parametrize("is_done", [False, True])
@pytest.mark.parametrize("is_answer", [False, True])
def test_a_connection_that_is_cut_while_it_asks_for_a_batch_in_doubt_does_not_change_the_answer(
    is_answer: bool, is_done: bool, way: CutOff, store: PostgresStore
) -> None:
    store.write(begun("m1"))
    cut, ask = once(COMMIT), once(b"RETURNING is_done")
    way.before = lambda piece: (not is_done and cut(piece)) or (not is_answer and ask(piece))
    way.after = lambda piece: (is_done and cut(piece)) or (is_answer and ask(piece))
    connections = way.connections
    store.write(step(4))
    assert way.connections == connections + 2
    assert last_event(store) == 4
    store.write(step(5))
    assert last_event(store) == 5


def test_who_finds_its_number_used_up_by_a_later_connection_writes_nothing_and_then_goes_on(
    cluster: Cluster, database: str, store: PostgresStore
) -> None:
    store.write(begun("m1"))
    with cluster.connected(database) as connection:
        connection.execute(
            "INSERT INTO heat.batches SELECT server, max(batch) + 1, FALSE FROM heat.batches GROUP BY server"
        )
    with pytest.raises(StoreFailed, match="a later connection of this server has written"):
        store.write(step(4))
    assert last_event(store) == 3
    store.write(step(4))
    assert last_event(store) == 4


def test_of_many_batches_the_numbers_of_a_few_are_left(
    cluster: Cluster, database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "MOST_ROWS", 5)
    store.write(begun("m1"))
    for first in range(4, 40):
        store.write(step(first))
        if first % 7 == 0:
            with pytest.raises(BadWrites):  # so that a removal is undone now and then
                store.write(step(first))
    with cluster.connected(database) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM heat.batches").fetchone() or (0,)
    assert 1 <= rows <= 7


def test_a_deletion_whose_answer_was_lost_is_counted_once(way: CutOff, store: PostgresStore) -> None:
    for number in range(4):
        store.write([*begun(f"m{number}"), CloseMatch(f"m{number}", "ended", "over")])
    way.after = once(COMMIT)
    assert store.prune(9_999, most=2) == 2
    assert len(store.list_matches(9)) == 2


def forget_newest(cluster: Cluster, database: str) -> None:
    with cluster.connected(database) as connection:
        connection.execute("DELETE FROM heat.batches WHERE batch = (SELECT max(batch) FROM heat.batches)")


def test_a_database_that_lost_what_it_had_confirmed_is_found_out(
    cluster: Cluster, database: str, store: PostgresStore
) -> None:
    """As after a failover to a standby that was behind."""
    store.write(begun("m1"))
    store.write(step(4))
    forget_newest(cluster, database)
    end_sessions(cluster, database)
    with structlog.testing.capture_logs() as lines:
        with pytest.raises(StoreFailed, match="the database has lost commits; 'm1' must be read again"):
            store.write(step(5))
    assert [line["lost"] for line in lines if line["event"] == "database lost commits"] == [1]
    with pytest.raises(StoreFailed, match="the database has lost commits; 'm1' must be read again"):
        store.write(step(5))
    store.write(begun("m2"))  # of which nothing was lost
    store.load("m1")
    store.write(step(5))


def test_what_is_read_before_the_first_write_after_a_loss_goes_on_from_there(
    cluster: Cluster, database: str, store: PostgresStore
) -> None:
    store.write([*begun("m1"), *begun("m2")])
    forget_newest(cluster, database)
    end_sessions(cluster, database)
    store.load("m1")
    store.write(step(4))
    with pytest.raises(StoreFailed, match="'m2' must be read again"):
        store.write(step(4, "m2"))


async def one_batch(store: PostgresStore, rooms: int) -> tuple[StoreWorker, dict[str, Exception]]:
    worker, failed = StoreWorker(store), dict[str, Exception]()

    async def commit(match: str) -> None:
        try:
            await worker.commit(begun(match))
        except StoreFailed as error:
            failed[match] = error

    async with trio.open_nursery() as running:
        async with trio.open_nursery() as callers:
            for number in range(rooms):
                callers.start_soon(commit, f"m{number}")
            await wait_all_tasks_blocked()
            await running.start(worker.run)
        running.cancel_scope.cancel()
    return worker, failed


@pytest.mark.trio
async def test_rooms_of_a_batch_in_doubt_all_hear_so_and_none_is_written_twice(
    way: CutOff, store: PostgresStore, short_patience: None
) -> None:
    def close(piece: bytes) -> bool:
        way.is_open = COMMIT not in piece
        return not way.is_open

    way.after = close
    worker, failed = await one_batch(store, 10)
    assert [type(error) for error in failed.values()] == [StoreUnreachable] * 10
    assert worker.figures.commits == 1
    assert worker.trouble is not None
    way.after, way.is_open = once(b"nothing"), True
    await trio.sleep(link.LONGEST_PAUSE_SECONDS)
    assert len(store.open_matches()) == 10


@pytest.mark.trio
async def test_rooms_wait_for_a_database_that_is_away_for_a_moment(way: CutOff, store: PostgresStore) -> None:
    way.is_open = False
    way.before = once(COMMIT)
    threading.Timer(0.7, lambda: setattr(way, "is_open", True)).start()
    worker, failed = await one_batch(store, 10)
    assert failed == {}
    assert worker.figures.commits == 1
    assert worker.figures.slow_seconds > 0.6
    assert len(store.open_matches()) == 10


def test_a_database_that_lets_one_in_and_then_says_nothing_is_hung_up_on(
    cluster: Cluster,
    database: str,
    way: CutOff,
    store: PostgresStore,
    short_patience: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(link, "ANSWER_SECONDS", 0.3)
    store.write(begun("m1"))
    speaks = threading.Event()
    way.before = lambda piece: b"server_encoding" in piece and speaks.wait(5)
    end_sessions(cluster, database)
    began = time.monotonic()
    with pytest.raises(StoreUnreachable):
        store.write(step(4))
    assert time.monotonic() - began < 4
    way.before = once(b"nothing")
    speaks.set()
    time.sleep(link.LONGEST_PAUSE_SECONDS)
    store.write(step(4))
    assert last_event(store) == 4


# --- a server of its own --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    with started("fsync=on", "full_page_writes=on") as cluster:
        yield cluster


def test_what_a_killed_database_has_confirmed_is_there_when_it_starts_again(own_cluster: Cluster) -> None:
    url = own_cluster.url(own_cluster.new_database())
    with PostgresStore.open(url, WallClock()) as store:
        store.write(begun("m1"))
        told, steps = 3, count(4)
        for _ in range(3):
            killer = threading.Timer(0.2, own_cluster.kill_and_start)
            killer.start()
            while killer.is_alive():
                first = next(steps)
                store.write(step(first))
                told = first
            killer.join()
            assert last_event(store) == told
        assert told > 10


def test_a_database_that_stops_to_answer_is_hung_up_on(
    own_cluster: Cluster, short_patience: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "ANSWER_SECONDS", 0.3)
    url = DatabaseUrl(f"{own_cluster.url(own_cluster.new_database()).text}&connect_timeout=2")
    with PostgresStore.open(url, WallClock()) as store:
        store.write(begun("m1"))
        own_cluster.signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(StoreUnreachable):
                store.write(step(4))
            assert time.monotonic() - began < 4
        finally:
            own_cluster.signal(signal.SIGCONT)
        time.sleep(link.LONGEST_PAUSE_SECONDS)
        last = last_event(store)
        assert last in (3, 4)
        store.write(step(last + 1))
        assert last_event(store) == last + 1
