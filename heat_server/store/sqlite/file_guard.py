"""Whether a store's files are still what they were, and a copy of what was saved if they are not.

Theory of operation. A file that was removed or replaced can be written on by who has it open, but nobody will
find it again: what is committed then is lost with the process. So each commit looks first. A file cannot lose
its name without a change of the folder's time, so one look at the folder is enough for most commits: each
look costs the worker thread its turn with the interpreter. All else is looked at when the folder changed, and
once a second. If a name is lost, what the open files hold is copied to a new file beside them, once, and
nothing is committed from then on. A file that is brought back under its name is good again.

A log that was cut in place has lost commits, though SQLite still shows their pages from memory. Its size
shows it, which only grows, up to `LOG_BYTES`; or its beginning, if it was emptied and written on since.
Another program may empty the log after it moved all pages to the store; SQLite then confirms that. A cut in
the middle stays unnoticed if the log grew by as much before the next look.

A hard link loses nothing by itself, but a program that opens the store by it has a log of its own. So it is
only told in the log.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

import structlog

from heat_core.files import shown_path
from heat_server.store.errors import StoreMoved
from heat_server.store.sqlite.faults import what_failed
from heat_server.store.sqlite.opening import LOCK_SUFFIX, LOG_BYTES, LOG_SUFFIX

_INDEX_SUFFIX: Final = "-shm"
_COPY_SUFFIX: Final = ".rescued"

_LOG_BEGINNING: Final = b"\x37\x7f\x06"
"""Of each write-ahead log, whatever the order of its checksums' bytes."""

_SETTLED_NANOSECONDS: Final = 1_000_000_000
"""A folder's time is trusted once it is this old: two changes in one tick of its clock look like one."""

LOOK_SECONDS: Final = 1.0
"""So often all files are looked at, though nothing changed in their folder."""

Identity: TypeAlias = tuple[int, int]
"""Device and number of a file."""

FolderState: TypeAlias = tuple[Identity, int]
"""Which folder it is, and when a name in it last changed, in nanoseconds since 1970."""

log = structlog.get_logger()


class FileGuard:
    """Knows which files an open store had at first, and finds out when one is another or gone."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Note which files have the names now; they must all be open.

        Args:
            path: The store; a link is followed each time, so that one that was turned elsewhere is found.
            connection: What has it open.
        """
        real = os.path.realpath(path)
        names = [str(path), *(f"{real}{suffix}" for suffix in (LOG_SUFFIX, _INDEX_SUFFIX, LOCK_SUFFIX))]
        self._path = path
        self._connection = connection
        self._identities = {name: _identity_of(name) for name in names}
        self._folders = {os.path.dirname(name) or os.curdir for name in [*_links_of(str(path)), *names]}
        self._unchanged: list[FolderState | None] = []
        self._next_look = 0.0
        self._log = f"{real}{LOG_SUFFIX}"
        self._log_bytes = 0
        self._has_links = False
        self._copy: Path | None = None

    def check(self) -> None:
        """Ask whether all files are still what they were.

        Raises:
            StoreMoved: One is not. What was saved has been copied, if that was possible; the text says so.
        """
        if (loss := self._loss()) is None:
            self._copy = None
            return
        sentence = f"{loss} while the server ran"
        if self._copy is not None:
            raise StoreMoved(f"{sentence}; {self._advice(self._copy)}")
        try:
            self._copy = _copy(self._connection, Path(os.path.realpath(self._path)))
        except (OSError, sqlite3.Error) as error:
            why = what_failed(error) if isinstance(error, sqlite3.Error) else error.strerror or str(error)
            folder = shown_path(os.path.dirname(os.path.realpath(self._path)))
            raise StoreMoved(
                f"{sentence}; nothing is saved any more, and what was saved could not be copied ({why}). "
                f"Do not stop the server yet: make sure that files can be written in {folder}, "
                "then the next change copies it"
            ) from None
        sentence = f"{sentence}; {self._advice(self._copy)}"
        log.error("store lost its files", store=shown_path(self._path), error=sentence)
        raise StoreMoved(sentence)

    def _loss(self) -> str | None:
        """Say which file is not what it was; None: all are."""
        folders, now = [_state_of(folder) for folder in self._folders], time.monotonic()
        if folders != self._unchanged or now >= self._next_look:
            self._unchanged = []
            for name, known in self._identities.items():
                if (found := _identity_of(name)) != known:
                    fate = "was removed" if found is None else "was replaced by another file"
                    return f"{shown_path(os.path.basename(name))} {fate}"
            if self._is_log_cut():
                return f"{shown_path(os.path.basename(self._log))} was cut"
            self._warn_of_links()
            settled = time.time_ns() - _SETTLED_NANOSECONDS
            if all(folder is not None and folder[1] < settled for folder in folders):
                self._unchanged = folders
            self._next_look = now + LOOK_SECONDS
        return None

    def _is_log_cut(self) -> bool:
        found = _stat(self._log)
        log_bytes = found.st_size if found is not None else 0
        if log_bytes > 0 and not _begins_as_log(self._log):
            return True
        if log_bytes < min(self._log_bytes, LOG_BYTES):
            try:
                is_busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            except sqlite3.Error:
                return True
            if is_busy:  # another program moves the pages just now: the next look asks again
                return False
        self._log_bytes = log_bytes
        return False

    def _warn_of_links(self) -> None:
        found = _stat(self._path)
        names = found.st_nlink if found is not None else 1
        if names > 1 and not self._has_links:
            remedy = "remove the others: a program that opens the store by one of them can damage it"
            log.warning("store has a second name", store=shown_path(self._path), names=names, remedy=remedy)
        self._has_links = names > 1

    def _advice(self, copy: Path) -> str:
        name = shown_path(self._path.name)
        return (
            f"nothing is saved any more. All that was saved is in {shown_path(copy)}: stop the server, "
            f"move that file to {name}, remove {name}{LOG_SUFFIX} and {name}{_INDEX_SUFFIX}, "
            "start the server"
        )


def _stat(name: str | Path) -> os.stat_result | None:
    """Look at the file or folder of a name; None: there is none."""
    try:
        return os.stat(name)
    except OSError:
        return None


def _begins_as_log(name: str) -> bool:
    """Tell whether a log has its beginning; closing it ends no lock of SQLite, which are on other files."""
    try:
        with open(name, "rb") as file:
            return file.read(len(_LOG_BEGINNING)) == _LOG_BEGINNING
    except OSError:
        return False


def _identity_of(name: str) -> Identity | None:
    """Give which file has a name; None: none has."""
    found = _stat(name)
    return found and (found.st_dev, found.st_ino)


def _links_of(name: str) -> Iterator[str]:
    """List the names on the way from a link to its file: each can be turned elsewhere."""
    while os.path.islink(name):
        name = os.path.join(os.path.dirname(name), os.readlink(name))
        yield name


def _state_of(folder: str) -> FolderState | None:
    """Give which folder has a name and when a name in it last changed; None: none has."""
    found = _stat(folder)  # st_mtime would not do: what copies or restores folders sets it back
    return found and ((found.st_dev, found.st_ino), found.st_ctime_ns)


def _copy(connection: sqlite3.Connection, path: Path) -> Path:
    """Copy all that was committed to a new file for its owner alone.

    Raises:
        OSError: No file can be made there.
        sqlite3.Error: It cannot be written.
    """
    number = 1
    while True:
        copy = path.with_name(f"{path.name}{_COPY_SUFFIX}{f'-{number}' if number > 1 else ''}")
        try:
            os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            break
        except FileExistsError:
            number += 1
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as target:
            connection.backup(target)
    except sqlite3.Error:
        copy.unlink(missing_ok=True)
        raise
    return copy
