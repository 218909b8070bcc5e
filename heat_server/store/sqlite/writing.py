"""How each write becomes rows. A write without the row that it needs is refused."""

from __future__ import annotations

import sqlite3
from typing import Any, Final, assert_never

from msgspec.structs import asdict

from heat_server.store import checksums
from heat_server.store.errors import BadWrites
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

_SAVE_ROOM: Final = """
    INSERT INTO matches (match, code, phase, title, state, checksum, begun_at_ms, changed_at_ms)
    VALUES (:match, :code, :phase, :title, :state, :checksum, :now, :now)
    ON CONFLICT (match) DO UPDATE SET
        code = excluded.code, phase = excluded.phase, title = excluded.title, state = excluded.state,
        checksum = excluded.checksum, changed_at_ms = excluded.changed_at_ms
    WHERE outcome IS NULL
"""

_SAVE_CLOCKS: Final = """
    INSERT INTO clocks (match, clocks, checksum)
    SELECT number, :clocks, :checksum FROM matches WHERE match = :match AND outcome IS NULL
    ON CONFLICT (match) DO UPDATE SET clocks = excluded.clocks, checksum = excluded.checksum
"""

_SAVE_SEASON: Final = """
    INSERT INTO seasons (match, season, checksum)
    SELECT number, :season, :checksum FROM matches WHERE match = :match AND outcome IS NULL
    ON CONFLICT (match) DO UPDATE SET season = excluded.season, checksum = excluded.checksum
"""

_BEGIN_RACE: Final = """
    INSERT INTO races (match, race, setup, drivers, checksum, begun_at_ms)
    SELECT number, :race, :setup, :drivers, :checksum, :now FROM matches
    WHERE match = :match AND outcome IS NULL
        AND NOT EXISTS (SELECT 1 FROM races WHERE races.match = matches.number AND race >= :race)
"""

_NEWEST_RACE: Final = """
    SELECT races.number, ended_at_ms, last
    FROM matches
        JOIN races ON races.match = matches.number
        JOIN progress ON progress.race = races.number
    WHERE matches.match = :match AND outcome IS NULL AND races.race = :race
        AND races.race = (SELECT max(race) FROM races WHERE match = matches.number)
"""

_ADD_EVENTS: Final = """
    INSERT INTO steps (race, first, count, at_ms, events, checksum) VALUES (?, ?, ?, ?, ?, ?)
"""

_MOVE_ON: Final = "UPDATE progress SET last = ? WHERE race = ?"

_END_RACE: Final = "UPDATE races SET ended_at_ms = ?, reason = ?, result = ? WHERE number = ?"

_CLOSE_MATCH: Final = "UPDATE matches SET outcome = ?, reason = ?, changed_at_ms = ? WHERE number = ?"


def apply_write(connection: sqlite3.Connection, write: Write, now_ms: int) -> None:
    """Do one write within a transaction that the caller began, and rolls back if this raises.

    Args:
        connection: Of the store.
        write: What to do.
        now_ms: The server's wall clock.

    Raises:
        BadWrites: It does not fit what is there.
        sqlite3.Error: The file or the disk failed.
    """
    match write:
        case AddEvents():
            _add_events(connection, write, now_ms)
        case SaveClocks():
            _expect_row(connection.execute(_SAVE_CLOCKS, _values(write, now_ms)), write)
        case SaveRoom():
            _expect_row(connection.execute(_SAVE_ROOM, _values(write, now_ms)), write)
        case SaveSessions(keys=keys, left=left):
            number = _open_match(connection, write)
            connection.execute("DELETE FROM sessions WHERE match = ?", (number,))
            rows = [(number, key, key in left) for key in dict.fromkeys(keys)]
            connection.executemany("INSERT INTO sessions (match, key, has_left) VALUES (?, ?, ?)", rows)
        case SaveSeason():
            _expect_row(connection.execute(_SAVE_SEASON, _values(write, now_ms)), write)
        case BeginRace():
            _begin_race(connection, write, now_ms)
        case EndRace(reason=reason, result=result):
            number, _ = _running_race(connection, write)
            connection.execute(_END_RACE, (now_ms, reason, result, number))
        case CloseMatch():
            _close_match(connection, write, now_ms)
        case _:
            assert_never(write)


def _values(write: Write, now_ms: int) -> dict[str, Any]:
    """Give the values of a write by their names, with time and checksum."""
    return asdict(write) | {"now": now_ms, "checksum": checksums.of_write(write, now_ms)}


def _add_events(connection: sqlite3.Connection, write: AddEvents, now_ms: int) -> None:
    number, last = _running_race(connection, write)
    first, count = write.first, write.count
    if first != last + 1 or count < 1:
        raise BadWrites(f"{name_of_write(write)}: {count} events from {first} on behind event {last}")
    total = checksums.of_write(write, now_ms)
    connection.execute(_ADD_EVENTS, (number, first, count, now_ms, write.events, total))
    connection.execute(_MOVE_ON, (first + count - 1, number))


def _begin_race(connection: sqlite3.Connection, write: BeginRace, now_ms: int) -> None:
    begun = connection.execute(_BEGIN_RACE, _values(write, now_ms))
    _expect_row(begun, write)
    connection.execute("INSERT INTO progress (race, last) VALUES (?, 0)", (begun.lastrowid,))


def _close_match(connection: sqlite3.Connection, write: CloseMatch, now_ms: int) -> None:
    """Close a match; what only a return of it would need is forgotten."""
    question = "SELECT number, outcome FROM matches WHERE match = ?"
    row = connection.execute(question, (write.match,)).fetchone()
    if row is None:
        raise BadWrites(f"{name_of_write(write)}: there is no such match")
    number, outcome = row
    if outcome is not None:
        return
    connection.execute(_CLOSE_MATCH, (write.outcome, write.reason, now_ms, number))
    connection.execute("DELETE FROM sessions WHERE match = ?", (number,))
    connection.execute("DELETE FROM clocks WHERE match = ?", (number,))


def _open_match(connection: sqlite3.Connection, write: Write) -> int:
    question = "SELECT number FROM matches WHERE match = ? AND outcome IS NULL"
    row = connection.execute(question, (write.match,)).fetchone()
    if row is None:
        raise BadWrites(f"{name_of_write(write)}: there is no such open match")
    return int(row[0])


def _running_race(connection: sqlite3.Connection, write: AddEvents | EndRace) -> tuple[int, int]:
    """Find the race that a write is about.

    Returns:
        Its row, and the number of its last event (0: there is none).
    """
    row = connection.execute(_NEWEST_RACE, {"match": write.match, "race": write.race}).fetchone()
    if row is None:
        raise BadWrites(f"{name_of_write(write)}: that is not the newest race of an open match")
    number, ended_at_ms, last = row
    if ended_at_ms is not None:
        raise BadWrites(f"{name_of_write(write)}: that race is over")
    return number, last


def _expect_row(cursor: sqlite3.Cursor, write: Write) -> None:
    if cursor.rowcount != 1:
        raise BadWrites(f"{name_of_write(write)}: there is no such open match, or a later race of it")


def delete_closed(connection: sqlite3.Connection, before_ms: int | None, most: int) -> int:
    """Delete closed matches with all their races, the oldest first, within a transaction of the caller's.

    Args:
        connection: Of the store.
        before_ms: Those closed before; None: whenever they were.
        most: How many at most.

    Returns:
        How many were deleted.
    """
    statement = """
        DELETE FROM matches WHERE number IN (
            SELECT number FROM matches WHERE outcome IS NOT NULL AND (changed_at_ms < ?1 OR ?1 IS NULL)
            ORDER BY changed_at_ms LIMIT ?2
        )
    """
    return connection.execute(statement, (before_ms, most)).rowcount


def used_bytes(connection: sqlite3.Connection) -> int:
    """Give how much of the file holds something; what was deleted is used again before it grows."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
