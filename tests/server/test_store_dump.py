"""While a long dump runs, all versions of each row stay; a commit must not go through each of them."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from heat_server.store.postgres.batches import Batches
from heat_server.store.postgres.leases import Leases
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import AddEvents, SaveClocks, Write
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, begun

ROOMS = [f"m{number}" for number in range(30)]

STEPS = 100

_PAGES = """
    SELECT sum(pg_stat_get_xact_blocks_fetched(oid))::bigint FROM pg_class
    WHERE relnamespace = 'heat'::regnamespace
"""


def step(first: int) -> list[Write]:
    """Make a step of each room."""
    steps = [(AddEvents(match, 0, first, 1, b"e"), SaveClocks(match, b"c")) for match in ROOMS]
    return [write for both in steps for write in both]


def pages_of_a_step(store: PostgresStore, first: int) -> float:
    """Save a step of each room; count the pages that the database reads for one, indexes included."""
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
        store.write(step(first))
    before, after = counts
    return (after - before) / len(ROOMS)


def test_a_step_looks_at_hardly_more_pages_when_many_came_before_it_during_a_dump(cluster: Cluster) -> None:
    database = cluster.new_database()
    with (
        PostgresStore.open(cluster.url(database), WallClock()) as store,
        psycopg.connect(cluster.url(database).text) as dump,
    ):
        store.write([write for match in ROOMS for write in begun(match)])
        dump.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        dump.execute("SELECT count(*) FROM heat.servers")
        pages = pages_of_a_step(store, 4)
        for first in range(5, 5 + STEPS):
            store.write(step(first))
        assert pages_of_a_step(store, 5 + STEPS) - pages < STEPS / 3
