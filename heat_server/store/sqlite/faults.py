"""What an error of SQLite means, in words that need no knowledge of it."""

from __future__ import annotations

import sqlite3
from typing import Final

from heat_core.shapes import printable

_MOST_REASON: Final = 200
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_SENTENCES: Final = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is not a store, or its first bytes are damaged",
    sqlite3.SQLITE_READONLY: "the file cannot be written",
    sqlite3.SQLITE_PERM: "the file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened, or its folder cannot be written",
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_LOCKED: "another program holds the file",
    sqlite3.SQLITE_NOLFS: "the file is too large for its disk",
    sqlite3.SQLITE_TOOBIG: "a value is too large for the file",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}
"""By SQLite's primary code of the error."""


def what_is(code: int) -> str:
    """Say what a primary code of SQLite means."""
    return _SENTENCES[code]


def what_failed(error: sqlite3.Error) -> str:
    """Say what an error of SQLite means."""
    code = _code_of(error)
    if code in _SENTENCES:
        return _SENTENCES[code]
    if is_damage(error):
        return _SENTENCES[sqlite3.SQLITE_CORRUPT]
    return printable(str(error)[:_MOST_REASON])


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether another program holds the file."""
    return _code_of(error) in _BUSY


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether the file does not hold what SQLite wrote."""
    return _code_of(error) == sqlite3.SQLITE_CORRUPT or "decode to UTF-8" in str(error)


def _code_of(error: sqlite3.Error) -> int:
    """Give the primary code; 0 for what Python's own part of SQLite raises."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
