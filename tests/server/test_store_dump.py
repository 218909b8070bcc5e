"""While a long dump runs, all versions of each row stay; what each commit does must not go through them."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from heat_server.store.postgres.batches import Batches
from heat_server.store.postgres.leases import Leases
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import AddEvents
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, begun

_PAGES = """
    SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::bigint FROM pg_class
    WHERE relnamespace = 'heat'::regnamespace AND relname !~ '^(progress|steps)'
"""


def pages_of_a_commit(store: PostgresStore, first: int) -> int:
    """Save one step, and count the pages of tables and indexes that the database looks at for that.

    Those of the race itself are left out: it has at most a few hundred steps, whatever the fleet does.
    """
    counts: list[int] = []
    begin, end = Batches.begin, Leases.begin

    def count(connection: psycopg.Connection[Any]) -> None:
        row = connection.execute(_PAGES).fetchone()
        assert row is not None
        counts.append(row[0])

    def begin_counting(self: Batches, connection: psycopg.Connection[Any]) -> int | None:
        connection.execute("BEGIN")  # between transactions the database may begin to count anew
        count(connection)
        return begin(self, connection)

    def end_counting(self: Leases, connection: psycopg.Connection[Any], writes: Any) -> list[str]:
        made = end(self, connection, writes)
        count(connection)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Batches, "begin", begin_counting)
        patch.setattr(Leases, "begin", end_counting)
        store.write([AddEvents("m1", 0, first, 1, b"event")])
    before, after = counts
    return after - before


def test_a_commit_looks_at_no_more_pages_when_many_came_before_it_during_a_dump(cluster: Cluster) -> None:
    database = cluster.new_database()
    with (
        PostgresStore.open(cluster.url(database), WallClock()) as store,
        psycopg.connect(cluster.url(database).text) as dump,
    ):
        store.write(begun("m1"))
        dump.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        dump.execute("SELECT count(*) FROM heat.servers")
        pages = pages_of_a_commit(store, 4)
        for first in range(5, 800):
            store.write([AddEvents("m1", 0, first, 1, b"event")])
        assert pages_of_a_commit(store, 800) <= pages + 2
