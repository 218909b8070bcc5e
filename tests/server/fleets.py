"""Several servers on one database, for tests."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from heat_server.store.address import DatabaseUrl
from heat_server.store.ownership import ServerLoad
from heat_server.store.postgres.store import PostgresStore
from tests.server.postgres import Cluster
from tests.server.stores import WallClock

LOAD = ServerLoad("a.example:7777", 3, 5)


class Fleet:
    """Servers on one database, by number, and the database's own clock turned on for one of them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._database = cluster.new_database()
        self._stores = ExitStack()
        self._connection = self._stores.enter_context(cluster.connected(self._database))

    @property
    def url(self) -> DatabaseUrl:
        return self._cluster.url(self._database)

    def join(self, load: ServerLoad = LOAD) -> PostgresStore:
        """Start one more server; it owns nothing yet."""
        store = self._stores.enter_context(PostgresStore.open(self.url, WallClock()))
        store.renew(load)
        return store

    def expire(self, store: PostgresStore) -> None:
        """Let so much time go by that a server's lease is over, and no other's."""
        self._connection.execute(
            "UPDATE heat.servers SET lease_until = now() - interval '1 ms' WHERE server = %s",
            (store._leases.server,),
        )

    def epoch(self, match: str) -> int:
        row = self._connection.execute(
            "SELECT epoch FROM heat.leases JOIN heat.matches ON number = leases.match WHERE code = %s",
            (match.upper(),),
        ).fetchone()
        assert row is not None
        return int(row[0])

    def owners(self) -> dict[str, str | None]:
        """Give the server of each open match, by the match."""
        question = "SELECT matches.match, server FROM heat.leases JOIN heat.matches ON number = leases.match"
        return dict(self._connection.execute(question).fetchall())

    def execute(self, statement: str) -> None:
        self._connection.execute(statement.encode())

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(question.encode()).fetchall()

    def close(self) -> None:
        self._stores.close()
