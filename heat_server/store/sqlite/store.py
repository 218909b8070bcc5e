"""The store: one SQLite file, one connection; every batch of writes is a transaction, on disk at its end."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Self

from heat_core.files import shown_path
from heat_server.networks import Network
from heat_server.store.bans import StoredBans
from heat_server.store.contract import (
    MOST_PRUNED_AT_ONCE,
    ListedMatch,
    OpenMatch,
    RecordedRace,
    SavedMatch,
    Store,
    WholeMatch,
)
from heat_server.store.errors import StoreBusy, StoreDamaged, StoreFailed, StoreMoved
from heat_server.store.reading import read_list, read_listed, read_match, read_races, read_sessions
from heat_server.store.sqlite import ban_file
from heat_server.store.sqlite.faults import is_busy, is_damage, what_failed
from heat_server.store.sqlite.file_guard import FileGuard
from heat_server.store.sqlite.opening import open_file
from heat_server.store.sqlite.writing import apply_write, delete_closed, used_bytes
from heat_server.store.whole_match import put_whole, read_whole
from heat_server.store.writes import Write

_READING: Final = "BEGIN"
_WRITING: Final = "BEGIN IMMEDIATE"


class SqliteStore(Store):
    """An open store in a file; see `contract.Store`.

    Attributes:
        path: Its file.
    """

    saves: Final = True

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: int | None, now_ms: Callable[[], int]
    ) -> None:
        """Take over what `open` opened."""
        self.path = path
        self._connection = connection
        self._lock = lock
        self._now_ms = now_ms
        self._files = None if lock is None else FileGuard(path, connection)

    @classmethod
    def open(
        cls, path: Path, now_ms: Callable[[], int], *, read_only: bool = False, alone: bool = False
    ) -> Self:
        """Open a store; a file that is not there or empty becomes a new one.

        Args:
            path: The file. Beside it lie `-wal` and `-shm` of SQLite, and `.lock`.
            now_ms: The wall clock: milliseconds since 1970.
            read_only: Read beside a server that has it open, and change nothing; the file must be there.
            alone: The caller is no server; a server that uses the file must stop first.

        Raises:
            StoreRefused: Another server uses it, a newer one wrote it, it is damaged, another program's, or
                it cannot be read or written where it is. The text is one sentence with the path.
        """
        connection, lock = open_file(path, read_only=read_only, alone=alone)
        return cls(path, connection, lock, now_ms)

    @property
    def name(self) -> str:
        """Give its path, as it can be printed."""
        return shown_path(self.path)

    def close(self) -> None:
        """Close the file and let others have it."""
        if self._files is not None and self._lock is not None:
            with contextlib.suppress(StoreMoved):  # it has been logged, and copied
                self._files.check()
        with contextlib.suppress(sqlite3.Error):  # what was written is on disk already
            self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def write(self, writes: Sequence[Write]) -> None:
        """Do all writes, in their order, in one transaction; they are on disk when this returns.

        Raises:
            StoreMoved: A file of the store was removed or replaced. Nothing of the writes is there.
            StoreFailed: The disk is full or fails, or the file is damaged. Nothing of the writes is there.
            BadWrites: They do not fit what is there. Nothing of the writes is there.
        """
        if not writes:
            return
        with self._transaction(_WRITING):
            now_ms = self._now_ms()
            for write in writes:
                apply_write(self._connection, write, now_ms)

    def prune(self, before_ms: int, most_bytes: int | None = None, most: int = MOST_PRUNED_AT_ONCE) -> int:
        """Delete old matches; see `Store`."""
        with self._transaction(_WRITING):
            deleted = delete_closed(self._connection, before_ms, most)
            if most_bytes is not None:
                while deleted < most and used_bytes(self._connection) > most_bytes:
                    if not delete_closed(self._connection, None, 1):
                        break
                    deleted += 1
            return deleted

    def open_matches(self) -> list[OpenMatch]:
        """List the matches to bring back; see `Store`."""
        # Damaged ones too, however garbled: none may keep a server from starting with the others.
        question = """
            SELECT CAST(match AS BLOB), CAST(code AS BLOB), CAST(phase AS BLOB)
            FROM matches WHERE outcome IS NULL ORDER BY number
        """
        with self._transaction(_READING):
            rows = self._connection.execute(question).fetchall()
        return [OpenMatch(*(value.decode(errors="replace") for value in row)) for row in rows]

    def sessions(self) -> list[tuple[bytes, str]]:
        """List which tokens belong to which matches; see `Store`."""
        with self._transaction(_READING):
            return read_sessions(self._connection)

    def load(self, match: str) -> SavedMatch:
        """Read an open match; see `Store`."""
        with self._transaction(_READING):
            return read_match(self._connection, match)

    def races(self, match: str) -> list[RecordedRace]:
        """Read all races of a match; see `Store`."""
        with self._transaction(_READING):
            return read_races(self._connection, match)

    def find(self, match: str) -> ListedMatch:
        """Find a match; see `Store`."""
        with self._transaction(_READING):
            return read_listed(self._connection, match)

    def list_matches(self, limit: int) -> list[ListedMatch]:
        """List the newest matches; see `Store`."""
        with self._transaction(_READING):
            return read_list(self._connection, limit)

    def copy_out(self, match: str) -> WholeMatch:
        """Read all of a match; see `Store`."""
        with self._transaction(_READING):
            return read_whole(self._connection, match)

    def copy_in(self, whole: WholeMatch) -> None:
        """Put a match of another store in; see `Store`."""
        with self._transaction(_WRITING):
            put_whole(self._connection, whole)

    def bans(self, known: str | None = None) -> StoredBans | None:
        """Read all bans that are not known yet, from the file beside the store; see `BanStore`."""
        read = ban_file.read_bans(self._ban_file)
        return None if read.version == known else read

    def put_bans(self, notes: Mapping[Network, str]) -> None:
        """Ban networks; see `BanStore`."""
        ban_file.put_bans(self._ban_file, notes)

    def lift_ban(self, network: Network) -> bool:
        """Lift a ban; see `BanStore`."""
        return ban_file.lift_ban(self._ban_file, network)

    @property
    def _ban_file(self) -> Path:
        return ban_file.ban_file_of(self.path)

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        """Let all of the body become true, or nothing. Errors come out with the path."""
        try:
            if self._files is not None and begin == _WRITING:
                self._files.check()
            self._connection.execute(begin)
            yield
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            kind = StoreBusy if is_busy(error) else StoreDamaged if is_damage(error) else StoreFailed
            raise kind(f"{self.name}: {what_failed(error)}") from error
        except StoreFailed as error:
            raise type(error)(f"{self.name}: {error}") from None
        finally:
            if self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):  # SQLite then rolls back by itself
                    self._connection.execute("ROLLBACK")
