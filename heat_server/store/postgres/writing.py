"""How each write becomes rows: one statement a write, sent together; each must find the row that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, assert_never

from msgspec.structs import asdict

from heat_server.store import checksums
from heat_server.store.errors import BadWrites
from heat_server.store.postgres.schema import Connection
from heat_server.store.writes import (
    AddEvents,
    BeginRace,
    CloseMatch,
    EndRace,
    SaveClocks,
    SaveRoom,
    SaveSeason,
    SaveSessions,
    Write,
    name_of_write,
)

STEP_BYTES: Final = 150
"""About what a step takes beside its events: the row's head, its key in the index, its numbers."""

DELETION_LOCK: Final = 0x4F4C44
"""The advisory lock of the server that deletes old matches: OLD in ASCII."""

_SAVE_ROOM: Final = """
    INSERT INTO matches (match, code, phase, title, state, checksum, begun_at_ms, changed_at_ms)
    VALUES (%(match)s, %(code)s, %(phase)s, %(title)s, %(state)s, %(checksum)s, %(now)s, %(now)s)
    ON CONFLICT (match) DO UPDATE SET
        code = excluded.code, phase = excluded.phase, title = excluded.title, state = excluded.state,
        checksum = excluded.checksum, changed_at_ms = excluded.changed_at_ms
    WHERE matches.outcome IS NULL
"""

# Not ON CONFLICT: that reads all versions that the index has of the row, and while a dump runs, all stay.
_SAVE_CLOCKS: Final = """
    WITH room AS (SELECT number FROM matches WHERE match = %(match)s AND outcome IS NULL),
    changed AS (
        UPDATE clocks SET clocks = %(clocks)s, checksum = %(checksum)s
        WHERE match = (SELECT number FROM room) RETURNING match
    ),
    made AS (
        INSERT INTO clocks (match, clocks, checksum)
        SELECT number, %(clocks)s, %(checksum)s FROM room WHERE NOT EXISTS (SELECT FROM changed)
        RETURNING match
    )
    SELECT match FROM changed UNION ALL SELECT match FROM made
"""

_SAVE_SEASON: Final = """
    INSERT INTO seasons (match, season, checksum)
    SELECT number, %(season)s, %(checksum)s FROM matches WHERE match = %(match)s AND outcome IS NULL
    ON CONFLICT (match) DO UPDATE SET season = excluded.season, checksum = excluded.checksum
"""

_SAVE_SESSIONS: Final = """
    WITH room AS (SELECT number FROM matches WHERE match = %(match)s AND outcome IS NULL),
    gone AS (DELETE FROM sessions USING room WHERE match = number AND key <> ALL (%(keys)s::bytea[])),
    come AS (
        INSERT INTO sessions (match, key, has_left)
        SELECT number, key, key = ANY (%(left)s::bytea[])
        FROM room, (SELECT DISTINCT unnest(%(keys)s::bytea[]) AS key) AS tokens
        ON CONFLICT (match, key) DO UPDATE SET has_left = excluded.has_left
        WHERE sessions.has_left <> excluded.has_left
    )
    SELECT number FROM room
"""

_BEGIN_RACE: Final = """
    WITH begun AS (
        INSERT INTO races (match, race, setup, drivers, checksum, begun_at_ms)
        SELECT number, %(race)s, %(setup)s, %(drivers)s, %(checksum)s, %(now)s FROM matches
        WHERE match = %(match)s AND outcome IS NULL
            AND NOT EXISTS (SELECT 1 FROM races WHERE races.match = matches.number AND race >= %(race)s)
        RETURNING number
    )
    INSERT INTO progress (race, last, bytes) SELECT number, 0, %(size)s FROM begun
"""

# A value, not a join: of tables that are new the database has no statistics, and would read the rows of all
# races for each step.
_NEWEST_RACE: Final = """(
    SELECT races.number FROM matches JOIN races ON races.match = matches.number
    WHERE matches.match = %(match)s AND outcome IS NULL AND races.race = %(race)s AND ended_at_ms IS NULL
        AND NOT EXISTS (
            SELECT 1 FROM races AS later WHERE later.match = matches.number AND later.race > %(race)s
        )
)"""

_ADD_EVENTS: Final = f"""
    WITH moved AS (
        UPDATE progress SET last = %(last)s, bytes = bytes + %(size)s
        WHERE race = {_NEWEST_RACE} AND last = %(before)s RETURNING race
    )
    INSERT INTO steps (race, first, count, at_ms, events, checksum)
    SELECT race, %(first)s, %(count)s, %(now)s, %(events)s, %(checksum)s FROM moved
"""

_END_RACE: Final = f"""
    UPDATE races SET ended_at_ms = %(now)s, reason = %(reason)s, result = %(result)s
    WHERE number = {_NEWEST_RACE}
"""

_CLOSE_MATCH: Final = """
    WITH room AS (SELECT number FROM matches WHERE match = %(match)s),
    closed AS (
        UPDATE matches SET outcome = %(outcome)s, reason = %(reason)s, changed_at_ms = %(now)s FROM room
        WHERE matches.number = room.number AND outcome IS NULL
    ),
    strangers AS (DELETE FROM sessions USING room WHERE match = number),
    stopped AS (DELETE FROM clocks USING room WHERE match = number),
    disowned AS (DELETE FROM leases USING room WHERE match = number)
    SELECT number FROM room
"""


def apply_writes(connection: Connection, writes: Sequence[Write], now_ms: int) -> None:
    """Do writes, in their order, within a transaction that the caller rolls back if this raises.

    Args:
        connection: Of the store.
        writes: What to do.
        now_ms: The server's wall clock.

    Raises:
        BadWrites: One of them does not fit what is there.
        psycopg.Error: The database failed.
    """
    with connection.pipeline():  # one way there and back for all of them
        done = [connection.execute(*_statement(write, now_ms)) for write in writes]
    for write, cursor in zip(writes, done, strict=True):
        if cursor.rowcount != 1:
            raise BadWrites(f"{name_of_write(write)}: {_what_is_missing(write)}")


def _statement(write: Write, now_ms: int) -> tuple[bytes, dict[str, Any]]:
    """Give what to run, and the values in it."""
    values = asdict(write) | {"now": now_ms, "checksum": checksums.of_write(write, now_ms)}
    match write:
        case AddEvents(first=first, count=count, events=events):
            if count < 1:
                raise BadWrites(f"{name_of_write(write)}: {count} events from {first} on")
            # Sums are made here: PostgreSQL would add two small numbers as 16 bits.
            values |= {"before": first - 1, "last": first + count - 1, "size": len(events) + STEP_BYTES}
            statement = _ADD_EVENTS
        case SaveClocks():
            statement = _SAVE_CLOCKS
        case SaveRoom():
            statement = _SAVE_ROOM
        case SaveSessions():
            values |= {"keys": list(write.keys), "left": list(write.left)}
            statement = _SAVE_SESSIONS
        case SaveSeason():
            statement = _SAVE_SEASON
        case BeginRace(setup=setup, drivers=drivers):
            values["size"] = len(setup) + len(drivers) + STEP_BYTES
            statement = _BEGIN_RACE
        case EndRace():
            statement = _END_RACE
        case CloseMatch():
            statement = _CLOSE_MATCH
        case _:
            assert_never(write)
    return statement.encode(), values


def _what_is_missing(write: Write) -> str:
    match write:
        case AddEvents(first=first, count=count):
            return f"{count} events from {first} on are not next in the newest race of an open match"
        case EndRace():
            return "that is not the newest race of an open match, or it is over"
        case CloseMatch():
            return "there is no such match"
        case _:
            return "there is no such open match, or a later race of it"


_DELETE_OLD: Final = """
    DELETE FROM matches WHERE number IN (
        SELECT number FROM matches WHERE outcome IS NOT NULL AND changed_at_ms < %s
        ORDER BY changed_at_ms, number LIMIT %s
    )
"""

_CLOSED_WITH_SIZES: Final = """
    SELECT closed.number, coalesce(sum(bytes), 0)::bigint
    FROM (
        SELECT number, changed_at_ms FROM matches WHERE outcome IS NOT NULL
        ORDER BY changed_at_ms, number LIMIT %s
    ) AS closed
        LEFT JOIN races ON races.match = closed.number
        LEFT JOIN progress ON progress.race = races.number
    GROUP BY closed.number, changed_at_ms ORDER BY changed_at_ms, closed.number
"""


def may_delete(connection: Connection) -> bool:
    """Let only this server delete old matches until the transaction ends; tell whether no other one does.

    Two at once would each make all the space that is wanted. To wait for the other would hold commits up.
    """
    row = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (DELETION_LOCK,)).fetchone()
    return row == (True,)


def delete_old(connection: Connection, before_ms: int, most: int) -> int:
    """Delete matches that were closed before a time, the oldest first, within the caller's transaction.

    Returns:
        How many were deleted, at most `most`.
    """
    return connection.execute(_DELETE_OLD, (before_ms, most)).rowcount


def delete_to_fit(connection: Connection, most_bytes: int, most: int) -> int:
    """Delete closed matches, the oldest first, until all fit, within the caller's transaction.

    Returns:
        How many were deleted, at most `most`.
    """
    row = connection.execute("SELECT coalesce(sum(bytes), 0)::bigint FROM progress").fetchone()
    too_much = (row[0] if row is not None else 0) - most_bytes
    numbers: list[int] = []
    connection.execute("SET LOCAL plan_cache_mode = auto")  # without the limit, all races would be read
    for number, size in connection.execute(_CLOSED_WITH_SIZES, (most,)) if too_much > 0 else ():
        if too_much <= 0:
            break
        numbers.append(number)
        too_much -= size
    if numbers:
        connection.execute("DELETE FROM matches WHERE number = ANY (%s)", (numbers,))
    return len(numbers)
