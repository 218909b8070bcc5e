"""Fills a database with the rows of a large fleet, by plain SQL: no server has to run for it."""

from __future__ import annotations

from typing import Any, Final, LiteralString, NamedTuple

import psycopg

from heat_core.race.rules_version import RULES_VERSION
from heat_core.version import program_version


class Sizes(NamedTuple):
    """How much there is.

    Attributes:
        servers: All of them with leases that run.
        rooms: Open matches of each server, each in a race.
        sessions: Tokens of each open match.
        closed: Matches that are over.
        listed_bytes: What each server lists for the others.
    """

    servers: int = 50
    rooms: int = 2_000
    sessions: int = 4
    closed: int = 300_000
    listed_bytes: int = 10_000

    @property
    def open(self) -> int:
        """How many matches are open."""
        return self.servers * self.rooms


_NOISE: Final = """(
    SELECT string_agg(decode(md5(n::text || part), 'hex'), '') FROM generate_series(1, 1000) AS part
)"""
"""Bytes that do not compress, as the lists of rooms hardly do."""

_SERVERS: Final = f"""
    INSERT INTO servers (server, version, rules, address, rooms, connections, listed, lease_until)
    SELECT 'server-' || n, %(version)s, %(rules)s, 's' || n || '.example:7777', %(rooms)s, 4 * %(rooms)s,
        substring({_NOISE} FOR %(listed_bytes)s), now() + interval '1 day'
    FROM generate_series(0, %(servers)s - 1) AS n
"""

# What is closed lies below what is open, as in a database that has grown.
_MATCHES: Final = """
    INSERT INTO matches
        (match, code, phase, title, state, checksum, begun_at_ms, changed_at_ms, outcome, reason)
    SELECT md5(n::text), lpad(to_hex(n), 5, '0'), 'racing', 'usa, 2 laps: Ana, Ben, Cy, Dee',
        repeat(md5(n::text), 30)::bytea, 0, n, n,
        CASE WHEN n <= %(closed)s THEN 'ended' END, CASE WHEN n <= %(closed)s THEN 'The race has ended.' END
    FROM generate_series(1, %(closed)s + %(open)s) AS n ORDER BY n
"""

_RACES: Final = """
    INSERT INTO races (match, race, setup, drivers, checksum, begun_at_ms)
    SELECT number, 0, repeat(md5(number::text), 30)::bytea, 'drivers', 0, begun_at_ms
    FROM matches ORDER BY number
"""

_STEPS: Final = """
    INSERT INTO steps (race, first, count, at_ms, events, checksum)
    SELECT number, 1, 3, begun_at_ms, repeat(md5(number::text), 4)::bytea, 0
    FROM races ORDER BY number
"""

_OPEN: Final = "SELECT number FROM matches WHERE outcome IS NULL"

_REST: Final[tuple[LiteralString, ...]] = (
    "INSERT INTO progress (race, last, bytes) SELECT number, 3, 2000 FROM races ORDER BY number",
    f"""
    INSERT INTO clocks (match, clocks, checksum)
    SELECT number, decode(md5(number::text), 'hex'), 0 FROM ({_OPEN} ORDER BY number) AS mine
    """,
    f"""
    INSERT INTO sessions (match, key) SELECT number, sha256((number || '-' || n)::bytea)
    FROM ({_OPEN} ORDER BY number) AS mine, generate_series(1, %(sessions)s) AS n
    """,
    f"""
    INSERT INTO leases (match, server, epoch, rules)
    SELECT number, 'server-' || number %% %(servers)s, 1, %(rules)s
    FROM ({_OPEN} ORDER BY number) AS mine
    """,
)


def fill(connection: psycopg.Connection[tuple[Any, ...]], sizes: Sizes) -> None:
    """Fill an empty store, and let the database gather its statistics.

    Args:
        connection: To a database with the tables of a store, in autocommit mode.
        sizes: How much of it.
    """
    values = {**sizes._asdict(), "open": sizes.open, "version": program_version(), "rules": RULES_VERSION}
    connection.execute("SET search_path TO heat")
    for statement in (_SERVERS, _MATCHES, _RACES, _STEPS, *_REST):
        connection.execute(statement, values)
    connection.execute("VACUUM ANALYZE")
