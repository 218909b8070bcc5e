"""The tables of the store, and how a database of an earlier version becomes one of this.

A migration is a list of statements; version n of a database is what the first n migrations make of an empty
one. A released migration never changes: to change the tables, add one more. Names of tables and columns, and
what values are, are those of the store in SQLite: `store/reading.py` reads both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import psycopg
import structlog

from heat_server.store.errors import StoreRefused

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

SCHEMA: Final = "heat"
"""The namespace of the tables: a database may have those of other programs too."""

MIGRATION_LOCK: Final = 0x48454154
"""The advisory lock of who changes the tables: HEAT in ASCII."""

MIGRATION_SECONDS: Final = 60
"""How long a server waits for another one that changes the tables."""

Migration: TypeAlias = tuple[str, ...]

log = structlog.get_logger()

_FIRST: Final[Migration] = (
    """
    CREATE TABLE matches (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        match TEXT NOT NULL UNIQUE,
        code TEXT NOT NULL,
        phase TEXT NOT NULL,
        title TEXT NOT NULL,
        state BYTEA NOT NULL,
        checksum BIGINT NOT NULL,
        begun_at_ms BIGINT NOT NULL,
        changed_at_ms BIGINT NOT NULL,
        outcome TEXT CHECK (outcome IN ('ended', 'closed', 'faulted')),
        reason TEXT
    )
    """,
    "CREATE INDEX matches_by_time ON matches (changed_at_ms)",
    "CREATE INDEX open_matches ON matches (number) WHERE outcome IS NULL",
    # Apart from `matches`: each step writes it, and a changed row is written anew, a room's large state too.
    # Pages are left nearly empty: a new version that has room beside the old one needs no entry in the index,
    # and while a dump runs all versions stay, and each step would go through all entries.
    """
    CREATE TABLE clocks (
        match BIGINT PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        clocks BYTEA NOT NULL,
        checksum BIGINT NOT NULL
    ) WITH (fillfactor = 10)
    """,
    """
    CREATE TABLE sessions (
        match BIGINT NOT NULL REFERENCES matches ON DELETE CASCADE,
        key BYTEA NOT NULL,
        has_left BOOLEAN NOT NULL DEFAULT FALSE,
        PRIMARY KEY (match, key)
    )
    """,
    "CREATE INDEX sessions_by_key ON sessions (key)",
    """
    CREATE TABLE seasons (
        match BIGINT PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        season BYTEA NOT NULL,
        checksum BIGINT NOT NULL
    )
    """,
    """
    CREATE TABLE races (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        match BIGINT NOT NULL REFERENCES matches ON DELETE CASCADE,
        race BIGINT NOT NULL,
        setup BYTEA NOT NULL,
        drivers BYTEA NOT NULL,
        checksum BIGINT NOT NULL,
        begun_at_ms BIGINT NOT NULL,
        ended_at_ms BIGINT,
        reason TEXT,
        result TEXT,
        UNIQUE (match, race)
    )
    """,
    """
    CREATE TABLE steps (
        race BIGINT NOT NULL REFERENCES races ON DELETE CASCADE,
        first BIGINT NOT NULL,
        count BIGINT NOT NULL CHECK (count > 0),
        at_ms BIGINT NOT NULL,
        events BYTEA NOT NULL,
        checksum BIGINT NOT NULL,
        PRIMARY KEY (race, first)
    )
    """,
    # Each step changes the row: the number of the race's last event, and about how much of the disk the race
    # takes, since deleted rows keep their space for a while and the size of the tables does not tell. Pages
    # are left as empty as those of `clocks`.
    """
    CREATE TABLE progress (
        race BIGINT PRIMARY KEY REFERENCES races ON DELETE CASCADE,
        last BIGINT NOT NULL,
        bytes BIGINT NOT NULL DEFAULT 0
    ) WITH (fillfactor = 10)
    """,
    # A row for each start of a server. Until `lease_until` it owns the matches that `leases` has for it.
    # `listing` rises with each change of `listed`, so that others read it only then. All servers read what is
    # here and pass the addresses on, so nonsense in one row would keep the players of all of them away.
    """
    CREATE TABLE servers (
        server TEXT PRIMARY KEY,
        version TEXT NOT NULL,
        rules BIGINT NOT NULL,
        address TEXT NOT NULL DEFAULT ''
            CHECK (length(address) <= 300 AND address !~ '[[:space:][:cntrl:]]'),
        rooms BIGINT NOT NULL DEFAULT 0 CHECK (rooms BETWEEN 0 AND 1000000000),
        connections BIGINT NOT NULL DEFAULT 0 CHECK (connections BETWEEN 0 AND 1000000000),
        listed BYTEA NOT NULL DEFAULT '' CHECK (length(listed) <= 1048576),
        listing BIGINT NOT NULL DEFAULT 0,
        draining BOOLEAN NOT NULL DEFAULT FALSE,
        started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
        renewed_at TIMESTAMPTZ NOT NULL DEFAULT now(),
        lease_until TIMESTAMPTZ NOT NULL DEFAULT now(),
        CHECK (isfinite(started_at) AND isfinite(renewed_at) AND isfinite(lease_until))
    ) WITH (fillfactor = 50)
    """,
    # The numbers of each server's last batches. No reference to `servers`: a look there would go through all
    # versions of a row that each renewal changes.
    """
    CREATE TABLE batches (
        server TEXT NOT NULL,
        batch BIGINT NOT NULL,
        is_done BOOLEAN NOT NULL,
        PRIMARY KEY (server, batch)
    )
    """,
    # Who may write to an open match: the server that has it, in this epoch. Each new owner makes it one more.
    # `given_at`: since when a server has it that was given it by another one, and has not claimed it yet.
    """
    CREATE TABLE leases (
        match BIGINT PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        server TEXT REFERENCES servers ON DELETE SET NULL,
        epoch BIGINT NOT NULL,
        rules BIGINT NOT NULL,
        given_at TIMESTAMPTZ
    )
    """,
    "CREATE INDEX leases_by_server ON leases (server, match)",
    "CREATE INDEX free_leases ON leases (match) WHERE server IS NULL",
    # Changed together: servers that know the version of the list need not read it again.
    "CREATE TABLE bans (network CIDR PRIMARY KEY, note TEXT NOT NULL)",
    "CREATE TABLE ban_list (version UUID NOT NULL)",
    "INSERT INTO ban_list (version) VALUES (gen_random_uuid())",
    "CREATE UNIQUE INDEX open_codes ON matches (code) WHERE outcome IS NULL",
)

MIGRATIONS: Final[tuple[Migration, ...]] = (_FIRST,)

VERSION: Final = len(MIGRATIONS)


def check_version(connection: Connection) -> None:
    """Make sure that a database is of this version.

    Raises:
        StoreRefused: It is not; the text does not name the database.
        psycopg.Error: The database failed.
    """
    version = _version_of(connection)
    if version == 0:
        raise StoreRefused("the database has no store yet; start the server once, it makes one")
    if version < VERSION:
        raise StoreRefused(
            f"an older heat-server wrote the store (version {version}; this one reads {VERSION});"
            " start the server once, it brings the store up to date"
        )
    if version > VERSION:
        raise _newer(version, VERSION)


def _newer(version: int, own: int) -> StoreRefused:
    return StoreRefused(
        f"a newer heat-server wrote the store (version {version}; this one reads up to {own})"
    )


def _version_of(connection: Connection) -> int:
    """Give the version of a database, 0 of one without our tables."""
    found = connection.execute(f"SELECT to_regclass('{SCHEMA}.store') IS NOT NULL").fetchone()
    if found != (True,):
        return 0
    row = connection.execute("SELECT version FROM store").fetchone()
    return int(row[0]) if row is not None else 0


def bring_up_to_date(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Make a database one of this version, all steps in one transaction; one server at a time.

    Args:
        connection: In autocommit mode.
        migrations: All there are, first to last.

    Raises:
        StoreRefused: It is newer; the text does not name the database.
        psycopg.Error: A step failed; the database is as it was.
    """
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = '{MIGRATION_SECONDS}s'")
        connection.execute(f"SET LOCAL statement_timeout = '{MIGRATION_SECONDS}s'")
        free = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (MIGRATION_LOCK,)).fetchone()
        if free != (True,):
            log.info("waiting for another server that changes the tables", most_seconds=MIGRATION_SECONDS)
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        version = _version_of(connection)
        if version > len(migrations):
            raise _newer(version, len(migrations))
        if connection.execute("SELECT to_regnamespace(%s)", (SCHEMA,)).fetchone() == (None,):
            connection.execute(f"CREATE SCHEMA {SCHEMA}")
        if version == 0:
            connection.execute("CREATE TABLE IF NOT EXISTS store (version BIGINT NOT NULL)")
            connection.execute("INSERT INTO store (version) VALUES (0)")
        for migration in migrations[version:]:
            for statement in migration:
                connection.execute(statement.encode())
        if version < len(migrations):
            connection.execute("UPDATE store SET version = %s", (len(migrations),))
