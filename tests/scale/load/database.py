"""A PostgreSQL server that is counted: its commits, its log, its processor time, what is in its tables."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import psycopg

from heat_server.store.address import DatabaseUrl
from tests.scale.load.processes import (
    children_of,
    private_bytes,
    processor_seconds,
    title_of,
    tree_seconds,
)
from tests.server.postgres import Cluster, started

AS_IN_EARNEST: Final = (
    "fsync=on",
    "full_page_writes=on",
    "shared_buffers=128MB",
    "max_wal_size=1GB",
    "max_connections=100",
    "track_wal_io_timing=on",
)
"""The cluster of the tests is small and forgetful; these are PostgreSQL's own defaults again."""

_SERVERS_NAME: Final = "heat-server %"

_TABLES: Final = (
    "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables "
    "WHERE schemaname = 'heat' ORDER BY relname"
)


class Counters(NamedTuple):
    """What the database has done so far.

    Attributes:
        commits: Transactions of servers that wrote, renewals among them.
        transactions: All of the database, those that only read too; up to a second old.
        wal_bytes: Written to its log.
        wal_syncs: How often it waited for its disk; up to a second old.
        wal_sync_seconds: How long it did.
        backends_seconds: Processor time of the servers' backends.
        others_seconds: That of all others: the log's writer, checkpoints, vacuum.
    """

    commits: int
    transactions: int
    wal_bytes: int
    wal_syncs: int
    wal_sync_seconds: float
    backends_seconds: float
    others_seconds: float

    def since(self, before: Counters) -> Counters:
        """Give what was done since an earlier moment."""
        return Counters(
            self.commits - before.commits,
            self.transactions - before.transactions,
            self.wal_bytes - before.wal_bytes,
            self.wal_syncs - before.wal_syncs,
            self.wal_sync_seconds - before.wal_sync_seconds,
            self.backends_seconds - before.backends_seconds,
            self.others_seconds - before.others_seconds,
        )


class Statement(msgspec.Struct, frozen=True):
    """What PostgreSQL counted of one kind of statement.

    Attributes:
        text: How it begins.
        calls: How often it ran.
        milliseconds: In all, waiting included.
        rows: Found or changed.
        wal_bytes: Written to the log.
    """

    text: str
    calls: int
    milliseconds: float
    rows: int
    wal_bytes: int


class Database:
    """One database of a cluster, watched over a connection of its own, whose work does not count.

    Attributes:
        url: For servers.
    """

    def __init__(self, cluster: Cluster, connection: psycopg.Connection[tuple[Any, ...]], name: str) -> None:
        """Watch a database; `opened` makes one."""
        self.url: DatabaseUrl = cluster.url(name)
        self._cluster = cluster
        self._connection = connection

    def counters(self) -> Counters:
        """Count what was done so far."""
        commits, transactions, wal, log = self.row(
            "SELECT (SELECT coalesce(sum(newest), 0)::bigint FROM ("
            "SELECT max(batch) AS newest FROM heat.batches GROUP BY server) AS mine), "
            "(SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()), "
            "(pg_current_wal_insert_lsn() - '0/0')::bigint, (SELECT to_jsonb(log) FROM pg_stat_wal AS log)"
        )
        own = self._connection.info.backend_pid
        backends = [pid for pid in children_of(self._cluster.pid) if "[local]" in title_of(pid)]
        ours = processor_seconds([own])
        in_backends = processor_seconds(backends) - ours
        in_all = tree_seconds(self._cluster.pid) - ours
        return Counters(
            commits,
            transactions,
            wal,
            log.get("wal_sync", 0),  # later versions count them elsewhere
            log.get("wal_sync_time", 0.0) / 1000,
            in_backends,
            in_all - in_backends,
        )

    def backend_bytes(self) -> list[int]:
        """Give the memory of each server's backend that it shares with no other process."""
        rows = self._connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE %s", (_SERVERS_NAME,)
        )
        return [private_bytes(pid) for (pid,) in rows]

    def tables(self) -> dict[str, tuple[int, int]]:
        """Give rows and bytes of each table, its indexes included."""
        sizes = self._connection.execute(_TABLES).fetchall()
        return {name: (*self.row(f"SELECT count(*) FROM heat.{name}"), size) for name, size in sizes}

    def owners(self, but: str) -> dict[str, int]:
        """Count the open rooms of each living server.

        Args:
            but: How the address of a server ends that is left out.
        """
        rows = self._connection.execute(
            "SELECT address, count(*) FROM heat.leases JOIN heat.matches ON number = leases.match "
            "JOIN heat.servers USING (server) WHERE outcome IS NULL AND lease_until > now() "
            "AND NOT address LIKE %s GROUP BY address",
            (f"%{but}",),
        )
        return dict(rows)

    def forget_statements(self) -> bool:
        """Count statements from now on; tell whether this PostgreSQL can."""
        (can,) = self.row(
            "SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_stat_statements' "
            "AND current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%'"
        )
        if can:
            self._connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            self._connection.execute("SELECT pg_stat_statements_reset()")
        return bool(can)

    def statements(self, most: int = 40) -> list[Statement]:
        """List the statements that took the most time."""
        rows = self._connection.execute(
            "SELECT regexp_replace(query, '\\s+', ' ', 'g'), calls, total_exec_time, rows, wal_bytes::bigint "
            "FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database "
            "WHERE datname = current_database()) ORDER BY total_exec_time DESC LIMIT %s",
            (most,),
        )
        return [Statement(*row) for row in rows]

    def row(self, *statements: str) -> tuple[Any, ...]:
        """Run statements; give the only row that the last one has."""
        *_, last = [self._connection.execute(statement.encode()) for statement in statements]
        (row,) = last.fetchall()
        return row


@contextmanager
def on_disk(*settings: str) -> Iterator[Cluster]:
    """Start a PostgreSQL server that waits for a real disk."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="heat-load-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)  # the server runs as another user
        yield stack.enter_context(started(*AS_IN_EARNEST, *settings, parent=folder))


@contextmanager
def opened(cluster: Cluster) -> Iterator[Database]:
    """Make a database with the empty tables of a store."""
    name = cluster.new_database()
    with cluster.connected(name) as connection:
        yield Database(cluster, connection, name)
