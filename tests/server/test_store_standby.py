"""A batch in doubt when a standby takes over: it is there once, wherever its commit had got to."""

from __future__ import annotations

import signal
import threading
from typing import Literal

import pytest

from heat_server.store.address import DatabaseUrl
from heat_server.store.postgres import link
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import AddEvents
from tests.server.cut_off import COMMIT, cut_off
from tests.server.postgres import Cluster, started
from tests.server.standbys import standby_of
from tests.server.stores import WallClock, begun


def wait_for_batch(cluster: Cluster, database: str, batch: int) -> None:
    """Wait until a database has a batch."""
    with cluster.connected(database) as connection:
        while connection.execute("SELECT 1 FROM heat.batches WHERE batch = %s", (batch,)).fetchone() is None:
            connection.execute("SELECT pg_sleep(0.02)")


def wait_for_stuck_commit(primary: Cluster) -> None:
    """Wait until a commit waits for a standby that is away."""
    with primary.connected("postgres") as connection:
        question = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while connection.execute(question).fetchone() is None:
            connection.execute("SELECT pg_sleep(0.02)")


@pytest.mark.parametrize("where", ["not sent", "not at the standby", "answer lost"])
def test_a_batch_in_doubt_is_there_once_after_a_synchronous_standby_took_over(
    where: Literal["not sent", "not at the standby", "answer lost"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(link, "ANSWER_SECONDS", 60.0)
    with (
        started("fsync=on") as primary,
        standby_of(primary, is_synchronous=True) as standby,
        cut_off(primary.folder / ".s.PGSQL.5432") as way,
    ):
        database, is_sent = primary.new_database(), threading.Event()
        hosts = f"host=127.0.0.1,{standby.folder}&port={way.port},5432&sslmode=disable"
        with PostgresStore.open(DatabaseUrl(f"postgresql://heat@/{database}?{hosts}"), WallClock()) as store:
            store.write(begun("m1"))
            batch = store._link._batches.newest + 1

            def cut(piece: bytes) -> bool:
                if COMMIT not in piece or is_sent.is_set():
                    return False
                is_sent.set()
                way.is_open = where == "not at the standby"
                return not way.is_open

            def fail_over_then() -> None:
                is_sent.wait()
                if where == "answer lost":
                    wait_for_batch(standby, database, batch)
                elif where == "not at the standby":
                    wait_for_stuck_commit(primary)
                primary.end(signal.SIGKILL)
                if where == "not at the standby":
                    standby.start()
                standby.promote()

            if where == "not sent":
                way.before = cut
            else:
                way.after = cut
            if where == "not at the standby":
                standby.end(signal.SIGINT)
            failing = threading.Thread(target=fail_over_then)
            failing.start()
            store.write([AddEvents("m1", 0, 4, 1, b"event")])
            failing.join()
            assert store._link._batches.done >= batch
            assert (store._link._batches.newest > batch) == (where != "answer lost")
            race = store.load("m1").race
            assert race is not None
            assert race.steps == [b"one two three", b"event"]
            assert store._link.losses == 0
