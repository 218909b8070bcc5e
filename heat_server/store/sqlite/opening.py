"""How a store is opened: a lock that keeps a second server out, checks, and the settings of its connection.

The file itself is opened by SQLite alone. Closing any other descriptor of it in this process would drop the
locks that SQLite holds on it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
import stat
from pathlib import Path
from typing import Final

from heat_core.files import shown_path
from heat_server.default_paths import default_store
from heat_server.store.errors import StoreRefused
from heat_server.store.sqlite.faults import is_damage, what_failed, what_is
from heat_server.store.sqlite.schema import VERSION, bring_up_to_date, has_our_tables, newer, version_of

LOCK_SUFFIX: Final = ".lock"

LOG_SUFFIX: Final = "-wal"

_SMALLEST_PAGE_BYTES: Final = 512

BUSY_SECONDS: Final = 5.0
"""How long a program that holds the file for a moment is waited for."""

LOG_BYTES: Final = 64 * 1024 * 1024
"""What the write-ahead log may keep of the disk after it was once larger."""

_CACHE_KIBIBYTES: Final = 16 * 1024

_DAMAGED: Final = "the file is damaged; move it away to start with a new one"

_AT_ONCE_CHECKED: Final = ("sqlite_schema", "matches", "sessions")
"""The tables that a start reads whole; the others are checked as they are read."""


def open_file(path: Path, *, read_only: bool, alone: bool) -> tuple[sqlite3.Connection, int | None]:
    """Open a store, make it or bring it up to date.

    Args:
        path: The file; it need not exist unless `read_only`.
        read_only: Come in beside a server, and change nothing.
        alone: The caller is no server; a server that uses the file must stop first.

    Returns:
        The connection, in autocommit mode; and the descriptor that holds the lock, None if `read_only`.

    Raises:
        StoreRefused: It cannot be used; the text names the file.
    """
    shown = shown_path(path)
    lock: int | None = None
    connection: sqlite3.Connection | None = None
    try:
        if not read_only and path == default_store():
            path.parent.mkdir(parents=True, exist_ok=True)  # nobody who named no place has made one
        path = Path(os.path.realpath(path))  # two names of one file have one lock
        if read_only or path.exists():
            _check_kind(path, read_only)
        if not read_only:
            lock = _take_lock(path, alone)
            _make_file(path)
        connection = _connect(path, read_only)
        _check(path, connection, read_only)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if lock is not None:
            os.close(lock)
        if isinstance(error, StoreRefused):
            raise StoreRefused(f"{shown}: {error}") from None
        if isinstance(error, sqlite3.Error):
            reason = _DAMAGED if is_damage(error) else what_failed(error)
            raise StoreRefused(f"{shown}: {reason}") from None
        if isinstance(error, UnicodeDecodeError):
            raise StoreRefused(f"{shown}: {_DAMAGED}") from None
        if isinstance(error, (OSError, ValueError)):
            raise StoreRefused(f"{shown}: {_what_is_in_the_way(path, error)}") from None
        raise
    return connection, lock


def _what_is_in_the_way(path: Path, error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return "a file cannot have that name"
    folder = shown_path(path.parent)
    match error.errno:
        case errno.ENOENT if not path.parent.exists():
            return f"the folder {folder} does not exist"
        case errno.ENOENT:
            return "the file does not exist"
        case errno.ENOTDIR:
            return f"{folder} is not a folder"
        case errno.EACCES | errno.EPERM:
            return f"you have no permission for the file or its folder {folder}"
        case errno.EROFS:
            return f"the folder {folder} cannot be written"
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full"
        case _:
            return error.strerror or str(error)


def _take_lock(path: Path, alone: bool) -> int:
    """Lock the side file. It is never removed: a second server could hold the one that is gone."""
    side = f"{path}{LOCK_SUFFIX}"
    descriptor = os.open(side, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        if alone:
            raise StoreRefused("a server uses this file; stop it first") from None
        raise StoreRefused("another server uses this file; choose another with --store") from None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _make_file(path: Path) -> None:
    """Make an empty file where there is none. Only its owner reads it: seeds and hands are in it."""
    size = path.stat().st_size if path.exists() else 0
    if size == 0 and _has_log(path):
        # SQLite would take it for a new one, and delete the log.
        log = shown_path(f"{path.name}{LOG_SUFFIX}")
        raise StoreRefused(f"the file is empty, but its log {log} is not: it is damaged")
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _has_log(path: Path) -> bool:
    log = Path(f"{path}{LOG_SUFFIX}")
    return log.exists() and log.stat().st_size > 0


def _check_kind(path: Path, read_only: bool) -> None:
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise StoreRefused("it is a folder, not a file")
    if not stat.S_ISREG(found.st_mode):
        raise StoreRefused("it is not a regular file")
    if found.st_nlink > 1 and not read_only:  # under each name SQLite would keep a log of its own
        raise StoreRefused(
            f"the file has {found.st_nlink} names (hard links), which another server could use; "
            "remove the others, or copy the file"
        )
    if 0 < found.st_size < _SMALLEST_PAGE_BYTES:  # SQLite would take it for a new one
        raise StoreRefused(what_is(sqlite3.SQLITE_NOTADB))


def _check_size(path: Path, connection: sqlite3.Connection) -> None:
    """Find a file that was cut within its last page, which SQLite fills up with zeros."""
    page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
    # With a log, somebody may be writing, and the log has what the file lacks.
    if path.stat().st_size % page_bytes and not _has_log(path):
        raise StoreRefused(_DAMAGED)


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    address = path.as_uri() + ("?mode=ro" if read_only else "?mode=rw")
    connection = _connect_to(address)
    if not read_only:
        return connection
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        if _has_log(path):
            raise StoreRefused("its log can only be read by a user who can write to its folder") from None
        # A folder that cannot be written, and no log that holds newer pages.
        connection = _connect_to(address + "&immutable=1")
    return connection


def _connect_to(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions begin where the store says so
        check_same_thread=False,
    )


def _check(path: Path, connection: sqlite3.Connection, read_only: bool) -> None:
    """Check a file, and make it ready.

    Raises:
        StoreRefused: It is not to be used; the text does not name the file.
        sqlite3.Error: SQLite says so.
    """
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
    connection.execute("PRAGMA trusted_schema = OFF")
    version = version_of(connection)
    _check_size(path, connection)
    if read_only:
        if version == 0:
            raise StoreRefused("the file is empty")
        if version < VERSION:
            raise StoreRefused(
                f"an older heat-server wrote the file (version {version}; this one reads {VERSION});"
                " start the server once, it brings the file up to date"
            )
    if version > VERSION:
        raise newer(version, VERSION)
    if not read_only:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StoreRefused("a write-ahead log is not possible there; use a local disk")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        bring_up_to_date(connection)
        connection.execute("PRAGMA foreign_keys = ON")
    if not has_our_tables(connection):
        raise StoreRefused(_DAMAGED)
    for table in _AT_ONCE_CHECKED:
        found = connection.execute(f"PRAGMA quick_check({table})").fetchone()
        if found != ("ok",):
            raise StoreRefused(_DAMAGED)
