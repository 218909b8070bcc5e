"""The store in PostgreSQL: every batch of writes is a transaction, on the database's disk at its end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from heat_server.store.address import DatabaseUrl
from heat_server.store.contract import (
    MOST_PRUNED_AT_ONCE,
    KeptMatch,
    KeptTitle,
    ListedMatch,
    Store,
    StoredRace,
    WholeMatch,
)
from heat_server.store.copying import put_whole, read_whole
from heat_server.store.errors import StoreFailed, StoreRefused
from heat_server.store.postgres.link import DatabaseLink
from heat_server.store.postgres.schema import Connection
from heat_server.store.postgres.writing import apply_writes, count_bytes, delete_old, delete_to_fit
from heat_server.store.reading import read_list, read_listed, read_match, read_races, read_sessions
from heat_server.store.rows import Rows
from heat_server.store.writes import Write

Answer = TypeVar("Answer")


class _Shared:
    """A connection for what both kinds of store share, where `?` stands for a value."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, parameters: Sequence[str | bytes | int | None] = (), /) -> Rows:
        return self._connection.execute(statement.replace("?", "%s").encode(), parameters)


class PostgresStore(Store):
    """An open store in a database; see `contract.Store`."""

    keeps: Final = True

    def __init__(self, url: DatabaseUrl, link: DatabaseLink, now_ms: Callable[[], int]) -> None:
        """Take over what `open` opened."""
        self._url = url
        self._link = link
        self._now_ms = now_ms

    @classmethod
    def open(
        cls,
        url: DatabaseUrl,
        now_ms: Callable[[], int],
        *,
        password_file: Path | None = None,
        read_only: bool = False,
    ) -> PostgresStore:
        """Open a store; a database without one gets its tables.

        Args:
            url: Where the database is; it must exist.
            now_ms: The wall clock: milliseconds since 1970.
            password_file: Its first line is the password; None: libpq looks in its usual places.
            read_only: Read beside a server that uses it, and change nothing; the tables must be there.

        Raises:
            StoreRefused: Another server uses it, a newer one wrote it, or it cannot be reached. The text is
                one sentence with the address.
        """
        try:
            return cls(url, DatabaseLink(url, password_file, read_only=read_only), now_ms)
        except StoreRefused as error:
            raise StoreRefused(f"{url}: {error}") from None

    @property
    def name(self) -> str:
        """Give its address, as it can be printed."""
        return str(self._url)

    @property
    def trouble(self) -> str | None:
        """Say why the database cannot be reached; None: it can."""
        return self._link.trouble

    def close(self) -> None:
        """Close the connection and let others have the store."""
        self._link.close()

    def write(self, writes: Sequence[Write]) -> None:
        """Do all writes in one transaction; see `Store`.

        Raises:
            StoreUnreachable: The database is lost. The writes may be there or not.
            StoreFailed: It fails in another way. Nothing of the writes is there.
            BadWrites: They do not fit what is there. Nothing of the writes is there.
        """
        if not writes:
            return
        now_ms = self._now_ms()
        with self._named():
            self._link.write(lambda connection: apply_writes(connection, writes, now_ms))

    def prune(self, before_ms: int, most_bytes: int | None = None, most: int = MOST_PRUNED_AT_ONCE) -> int:
        """Delete old matches; see `Store`."""

        def delete(connection: Connection) -> int:
            deleted = delete_old(connection, before_ms, most)
            if most_bytes is not None and deleted < most:
                deleted += delete_to_fit(connection, most_bytes, most - deleted)
            return deleted

        with self._named():
            return self._link.write(delete)

    def open_matches(self) -> list[KeptTitle]:
        """List the matches to bring back; see `Store`."""
        question = "SELECT match, code, phase FROM matches WHERE outcome IS NULL ORDER BY number"
        rows = self._read(lambda connection: connection.execute(question).fetchall())
        return [KeptTitle(*row) for row in rows]

    def sessions(self) -> list[tuple[bytes, str]]:
        """List which tokens belong to which matches; see `Store`."""
        return self._read(read_sessions)

    def load(self, match: str) -> KeptMatch:
        """Read an open match; see `Store`."""
        return self._read(lambda connection: read_match(connection, match))

    def races(self, match: str) -> list[StoredRace]:
        """Read all races of a match; see `Store`."""
        return self._read(lambda connection: read_races(connection, match))

    def find(self, match: str) -> ListedMatch:
        """Find a match; see `Store`."""
        return self._read(lambda connection: read_listed(connection, match))

    def list_matches(self, limit: int) -> list[ListedMatch]:
        """List the newest matches; see `Store`."""
        return self._read(lambda connection: read_list(connection, limit))

    def copy_out(self, match: str) -> WholeMatch:
        """Read all of a match; see `Store`."""
        return self._read(lambda connection: read_whole(connection, match))

    def copy_in(self, whole: WholeMatch) -> None:
        """Put a match of another store in; see `Store`."""

        def put(connection: Connection) -> None:
            put_whole(_Shared(connection), whole)
            count_bytes(connection, whole.match)

        with self._named():
            self._link.write(put)

    def _read(self, body: Callable[[_Shared], Answer]) -> Answer:
        with self._named():
            return self._link.read(lambda connection: body(_Shared(connection)))

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Let errors come out with the name of the store."""
        try:
            yield
        except StoreFailed as error:
            raise type(error)(f"{self.name}: {error}") from None
