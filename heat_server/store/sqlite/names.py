"""Whether a store's files are still those of their names, and a copy of what is kept where they are not.

Theory of operation. A file that was removed or replaced can be written on by who has it open, but nobody will
find it again: what is committed then is lost with the process. So each commit asks first. A file cannot lose
its name without a change of the folder's time, so one look at the folder is enough for most commits: each
look costs the worker thread its turn with the interpreter. Where a name is lost, what the open files hold is
copied to a new file beside them, once, and nothing is committed from then on. A file that is brought back
under its name is good again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

import structlog

from heat_core.files import shown_path
from heat_server.store.errors import StoreMoved
from heat_server.store.sqlite.faults import what_failed
from heat_server.store.sqlite.opening import LOCK_SUFFIX, LOG_SUFFIX

_INDEX_SUFFIX: Final = "-shm"
_COPY_SUFFIX: Final = ".rescued"

_SETTLED_NANOSECONDS: Final = 1_000_000_000
"""A folder's time is trusted once it is this old: two changes in one tick of its clock look like one."""

Identity: TypeAlias = tuple[int, int]
"""Device and number of a file."""

FolderState: TypeAlias = tuple[Identity, int]
"""Which folder it is, and when a name in it last changed, in nanoseconds since 1970."""

log = structlog.get_logger()


class Names:
    """The names of an open store's files, and which files they were at first."""

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
        self._folders = {os.path.dirname(name) or os.curdir for name in names}
        self._unchanged: list[FolderState | None] = []
        self._copy: Path | None = None

    def check(self) -> None:
        """Ask whether all names are still those of the files.

        Raises:
            StoreMoved: One is not. What is kept has been copied, if that was possible; the text says so.
        """
        folders = [_state_of(folder) for folder in self._folders]
        if folders == self._unchanged:
            return
        lost = next((name for name, known in self._identities.items() if _identity_of(name) != known), None)
        if lost is None:
            self._copy = None
            settled = time.time_ns() - _SETTLED_NANOSECONDS
            is_settled = all(folder is not None and folder[1] < settled for folder in folders)
            self._unchanged = folders if is_settled else []
            return
        self._unchanged = []
        fate = "was removed" if _identity_of(lost) is None else "was replaced by another file"
        sentence = f"{shown_path(os.path.basename(lost))} {fate} while the server ran"
        if self._copy is not None:
            raise StoreMoved(f"{sentence}; {self._advice(self._copy)}")
        try:
            self._copy = _copy(self._connection, Path(os.path.realpath(self._path)))
        except (OSError, sqlite3.Error) as error:
            why = what_failed(error) if isinstance(error, sqlite3.Error) else error.strerror or str(error)
            folder = shown_path(os.path.dirname(os.path.realpath(self._path)))
            raise StoreMoved(
                f"{sentence}; nothing is saved any more, and what was saved could not be copied ({why}). "
                f"Do not stop the server before it is: see to it that files can be written in {folder}, "
                "then the next change copies it"
            ) from None
        sentence = f"{sentence}; {self._advice(self._copy)}"
        log.error("store lost its files", store=shown_path(self._path), error=sentence)
        raise StoreMoved(sentence)

    def _advice(self, copy: Path) -> str:
        name = shown_path(self._path.name)
        return (
            f"nothing is saved any more. All that was saved is in {shown_path(copy)}: stop the server, "
            f"move that file to {name}, remove {name}{LOG_SUFFIX} and {name}{_INDEX_SUFFIX}, "
            "start the server"
        )


def _identity_of(name: str) -> Identity | None:
    """Give which file has a name; None: none has."""
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _state_of(folder: str) -> FolderState | None:
    """Give which folder has a name and when a name in it last changed; None: none has."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return (found.st_dev, found.st_ino), found.st_mtime_ns


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
