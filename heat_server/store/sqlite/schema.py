"""The tables of the store, and how a file of an earlier version becomes one of this.

A migration is a list of statements; version n of a file is what the first n migrations make of an empty
one. A released migration never changes: to change the tables, add one more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, TypeAlias

from heat_server.store.errors import StoreRefused

APPLICATION: Final = 0x48454154
"""Distinguishes a store of this game from other databases: HEAT in ASCII."""

Migration: TypeAlias = tuple[str, ...]

_FIRST: Final[Migration] = (
    # A checksum covers what its row was written with: SQLite notices damage to a page's structure, but not
    # a changed byte in the middle of a value.
    """
    CREATE TABLE matches (
        number INTEGER PRIMARY KEY,
        match TEXT NOT NULL UNIQUE,
        code TEXT NOT NULL,
        phase TEXT NOT NULL,
        title TEXT NOT NULL,
        state BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        begun_at_ms INTEGER NOT NULL,
        changed_at_ms INTEGER NOT NULL,
        outcome TEXT CHECK (outcome IN ('ended', 'closed', 'faulted')),
        reason TEXT
    )
    """,
    "CREATE INDEX matches_by_time ON matches (changed_at_ms)",
    "CREATE INDEX open_matches ON matches (number) WHERE outcome IS NULL",
    # Apart from `matches`: each step writes it, and a room's state is large.
    """
    CREATE TABLE clocks (
        match INTEGER PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        clocks BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE sessions (
        match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
        key BLOB NOT NULL,
        PRIMARY KEY (match, key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE seasons (
        match INTEGER PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        season BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE races (
        number INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
        race INTEGER NOT NULL,
        setup BLOB NOT NULL,
        drivers BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        begun_at_ms INTEGER NOT NULL,
        ended_at_ms INTEGER,
        reason TEXT,
        result TEXT,
        UNIQUE (match, race)
    )
    """,
    # In the order in which they come, not by race: the steps of a hundred rooms then share a few pages of a
    # commit (a third of its time, with a hundred rooms).
    """
    CREATE TABLE steps (
        number INTEGER PRIMARY KEY,
        race INTEGER NOT NULL REFERENCES races ON DELETE CASCADE,
        first INTEGER NOT NULL,
        count INTEGER NOT NULL CHECK (count > 0),
        at_ms INTEGER NOT NULL,
        events BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (race, first)
    )
    """,
    # The number of a race's last event: a step that an index has lost would not be missed else.
    """
    CREATE TABLE progress (
        race INTEGER PRIMARY KEY REFERENCES races ON DELETE CASCADE,
        last INTEGER NOT NULL
    )
    """,
)

_NAMED_PARTS: Final[Migration] = ()
"""Changes no table: events are written in another form from here on, which an older server cannot read."""

_WHO_HAS_LEFT: Final[Migration] = (
    "ALTER TABLE sessions ADD COLUMN has_left INTEGER NOT NULL DEFAULT 0 CHECK (has_left IN (0, 1))",
)
"""For a copy to a database, where it says which of two rooms a token leads to."""

MIGRATIONS: Final[tuple[Migration, ...]] = (_FIRST, _NAMED_PARTS, _WHO_HAS_LEFT)

VERSION: Final = len(MIGRATIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """Give the version of a file, 0 of an empty one.

    Raises:
        StoreRefused: Another program's data are in it; the text does not name the file.
    """
    version = _number(connection, "PRAGMA user_version")
    application = _number(connection, "PRAGMA application_id")
    tables = _number(connection, "SELECT count(*) FROM sqlite_schema")
    if application == APPLICATION and version > 0:
        return version
    if application == version == tables == 0:
        return 0
    raise StoreRefused("the file is another program's database")


def bring_up_to_date(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Make a file one of this version, all steps in one transaction.

    Args:
        connection: In autocommit mode, without foreign keys: a migration may rebuild a table.
        migrations: All there are, first to last.

    Raises:
        StoreRefused: The file is newer, or another program's; the text does not name the file.
        sqlite3.Error: A step failed; the file is as it was.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)
        if version > len(migrations):
            raise newer(version, len(migrations))
        for migration in migrations[version:]:
            for statement in migration:
                connection.execute(statement)
        # Always: a file that cannot be written lets a transaction begin, and fails only at the first write.
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def newer(version: int, own: int) -> StoreRefused:
    """Make the refusal of a file that a newer program wrote.

    Args:
        version: Of the file.
        own: The newest that this program reads.
    """
    return StoreRefused(f"a newer heat-server wrote the file (version {version}; this one reads up to {own})")


def has_our_tables(connection: sqlite3.Connection) -> bool:
    """Tell whether a file of this version has the tables and indexes of this version, to the letter."""
    pattern = sqlite3.connect(":memory:", isolation_level=None)
    try:
        bring_up_to_date(pattern)
        return _definitions(connection) == _definitions(pattern)
    finally:
        pattern.close()


def _definitions(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    # Names that begin with sqlite_ are SQLite's own, such as what ANALYZE leaves.
    question = """
        SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_%' OR tbl_name NOT LIKE 'sqlite_%'
    """
    return set(connection.execute(question))


def _number(connection: sqlite3.Connection, question: str) -> int:
    row = connection.execute(question).fetchone()
    assert row is not None
    return int(row[0])
