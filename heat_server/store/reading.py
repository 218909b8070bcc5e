"""What a store gives back: each row is compared with its checksum, and each race must have every event.

The tables have the same names and columns in every store, and the questions are SQL that SQLite and
PostgreSQL both understand; `?` stands for a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from heat_server.store import checksums
from heat_server.store.contract import ListedMatch, RecordedRace, SavedMatch, SavedRace, SavedStep
from heat_server.store.errors import NoSuchMatch, StoreDamaged
from heat_server.store.rows import Connection

# All that a match has one of, by one statement: the database may be far away.
_OPEN_MATCH: Final = """
    SELECT code, phase, title, state, matches.checksum, clocks, clocks.checksum, season, seasons.checksum,
        races.number, races.race, setup, drivers, races.checksum, last
    FROM matches LEFT JOIN clocks ON clocks.match = matches.number
        LEFT JOIN seasons ON seasons.match = matches.number
        LEFT JOIN races ON races.match = matches.number AND races.race = (
            SELECT max(newest.race) FROM races AS newest WHERE newest.match = matches.number
        )
        LEFT JOIN progress ON progress.race = races.number
    WHERE matches.match = ? AND outcome IS NULL
"""


def read_sessions(connection: Connection) -> list[tuple[bytes, str]]:
    """List which tokens belong to which open matches."""
    question = """
        SELECT key, matches.match FROM sessions JOIN matches ON matches.number = sessions.match
        ORDER BY matches.number, key
    """
    return [(key, match) for key, match in connection.execute(question)]


def read_match(connection: Connection, match: str) -> SavedMatch:
    """Read an open match within a transaction that the caller began.

    Raises:
        NoSuchMatch: There is none of that name that is open.
        StoreDamaged: It is damaged; the text does not name the store.
    """
    row = connection.execute(_OPEN_MATCH, (match,)).fetchone()
    if row is None:
        raise NoSuchMatch(f"there is no open match {match!r}")
    code, phase, title, state, total = row[:5]
    expect(total, checksums.of_room(match, code, phase, title, state), f"match {match!r}")
    clocks, season = _checked(row[5:7], match), _checked(row[7:9], match)
    return SavedMatch(match, code, state, clocks, season, _read_newest_race(connection, row[9:], match))


def _checked(part: Sequence[Any], match: str) -> bytes | None:
    """Give what a match has at most one of, from its columns; None: it has none.

    Raises:
        StoreDamaged: It is damaged; the text does not name the store.
    """
    value, total = part
    if total is None:
        return None
    expect(total, checksums.of_part(match, value), f"match {match!r}")
    assert isinstance(value, bytes)
    return value


def read_value(
    connection: Connection, table: Literal["clocks", "seasons"], number: int, match: str
) -> bytes | None:
    """Read what a match has at most one of; None: it has none.

    Raises:
        StoreDamaged: It is damaged; the text does not name the store.
    """
    column = "clocks" if table == "clocks" else "season"
    question = f"SELECT {column}, checksum FROM {table} WHERE match = ?"
    row = connection.execute(question, (number,)).fetchone()
    return None if row is None else _checked(row, match)


def _read_newest_race(connection: Connection, row: Sequence[Any], match: str) -> SavedRace | None:
    number, race, setup, drivers, total, last = row
    if number is None:
        return None
    expect(total, checksums.of_race(match, race, setup, drivers), f"race {race!r} of match {match!r}")
    steps = _read_steps(connection, number, match, race, last)
    return SavedRace(race, setup, drivers, [step.events for step in steps])


def _read_steps(
    connection: Connection, number: int, match: str, race: int, expected_last: int | None
) -> list[SavedStep]:
    question = "SELECT first, count, at_ms, events, checksum FROM steps WHERE race = ? ORDER BY first"
    steps, last = [], 0
    for first, count, at_ms, events, total in connection.execute(question, (number,)):
        what = f"event {first!r} of race {race!r} of match {match!r}"
        if first != last + 1:
            raise StoreDamaged(f"the store is damaged: {what} stands behind event {last}")
        expect(total, checksums.of_step(match, race, first, count, at_ms, events), what)
        steps.append(SavedStep(first, count, at_ms, events))
        last = first + count - 1
    if expected_last != last:
        raise StoreDamaged(f"the store is damaged: race {race!r} of match {match!r} ends at event {last}")
    return steps


def read_races(connection: Connection, match: str) -> list[RecordedRace]:
    """Read all races of a match, open or closed, within a transaction that the caller began.

    Raises:
        NoSuchMatch: There is none of that name.
        StoreDamaged: It is damaged; the text does not name the store.
    """
    found = connection.execute("SELECT number FROM matches WHERE match = ?", (match,)).fetchone()
    if found is None:
        raise NoSuchMatch(f"there is no match {match!r}")
    question = """
        SELECT number, races.race, setup, drivers, checksum, reason, result, last
        FROM races LEFT JOIN progress ON progress.race = number WHERE match = ? ORDER BY races.race
    """
    records = []
    rows = connection.execute(question, found).fetchall()
    for number, race, setup, drivers, total, reason, result, last in rows:
        expect(total, checksums.of_race(match, race, setup, drivers), f"race {race!r} of match {match!r}")
        records.append(
            RecordedRace(race, setup, reason, result, _read_steps(connection, number, match, race, last))
        )
    return records


def read_list(connection: Connection, limit: int) -> list[ListedMatch]:
    """List matches, open and closed, the newest first: copied ones have a place among the others.

    Raises:
        StoreDamaged: One of them is damaged; the text does not name the store.
    """
    newest = "ORDER BY begun_at_ms DESC, number DESC"
    question = f"{_LISTED} WHERE number IN (SELECT number FROM matches {newest} LIMIT ?) {newest}"
    return [_listed(row) for row in connection.execute(question, (limit,))]


def read_listed(connection: Connection, match: str) -> ListedMatch:
    """Find a match, open or closed.

    Raises:
        NoSuchMatch: There is none of that name.
        StoreDamaged: It is damaged; the text does not name the store.
    """
    row = connection.execute(_LISTED + "WHERE matches.match = ?", (match,)).fetchone()
    if row is None:
        raise NoSuchMatch(f"there is no match {match!r}")
    return _listed(row)


_LISTED: Final = """
    SELECT match, code, phase, title, begun_at_ms, changed_at_ms, outcome, matches.reason,
        (SELECT result FROM races WHERE races.match = matches.number AND result IS NOT NULL
         ORDER BY race DESC LIMIT 1)
    FROM matches
"""


def _listed(row: tuple[Any, ...]) -> ListedMatch:
    try:
        return msgspec.convert(row, ListedMatch)
    except msgspec.ValidationError as error:
        raise StoreDamaged(f"the store is damaged: match {row[0]!r}: {error}") from None


def expect(total: int, found: int, what: str) -> None:
    """Make sure that a row is as it was written.

    Args:
        total: Its checksum.
        found: The checksum of what it holds.
        what: What the row is, for people.

    Raises:
        StoreDamaged: Its checksum is another one; the text does not name the store.
    """
    if found != total:
        raise StoreDamaged(f"the store is damaged: {what} is not as it was written")
