"""A match as a whole, with its races and times: read from one store and put into another."""

from __future__ import annotations

from heat_server.store import checksums
from heat_server.store.contract import WholeMatch, WholeRace
from heat_server.store.reading import expect, read_listed, read_races, read_value
from heat_server.store.rows import Connection


def read_whole(connection: Connection, match: str) -> WholeMatch:
    """Read all of a match, open or closed, within a transaction that the caller began.

    Raises:
        NoSuchMatch: There is none of that name.
        StoreDamaged: It is damaged; the text does not name the store.
    """
    listed, races = read_listed(connection, match), read_races(connection, match)
    question = "SELECT number, state, checksum FROM matches WHERE match = ?"
    number, state, total = connection.execute(question, (match,)).fetchone()
    found = checksums.of_room(match, listed.code, listed.phase, listed.title, state)
    expect(total, found, f"match {match!r}")
    others = connection.execute(
        "SELECT drivers, begun_at_ms, ended_at_ms FROM races WHERE match = ? ORDER BY race", (number,)
    ).fetchall()
    question = "SELECT key, has_left FROM sessions WHERE match = ? ORDER BY key"
    sessions = connection.execute(question, (number,)).fetchall()
    return WholeMatch(
        match,
        listed.code,
        listed.phase,
        listed.title,
        state,
        listed.begun_at_ms,
        listed.changed_at_ms,
        listed.outcome,
        listed.reason,
        read_value(connection, "clocks", number, match),
        read_value(connection, "seasons", number, match),
        [key for key, _ in sessions],
        [key for key, has_left in sessions if has_left],
        [WholeRace(race, *other) for race, other in zip(races, others, strict=True)],
    )


def put_whole(connection: Connection, whole: WholeMatch) -> None:
    """Put all of a match in place of what there is of it, within a transaction that the caller began."""
    connection.execute("DELETE FROM matches WHERE match = ?", (whole.match,))
    about = whole.match, whole.code, whole.phase, whole.title, whole.state
    times = whole.begun_at_ms, whole.changed_at_ms
    connection.execute(
        """
        INSERT INTO matches
            (match, code, phase, title, state, checksum, begun_at_ms, changed_at_ms, outcome, reason)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (*about, checksums.of_room(*about), *times, whole.outcome, whole.reason),
    )
    (number,) = connection.execute("SELECT number FROM matches WHERE match = ?", (whole.match,)).fetchone()
    for into, value in (("clocks (match, clocks", whole.clocks), ("seasons (match, season", whole.season)):
        if value is not None:
            statement = f"INSERT INTO {into}, checksum) VALUES (?, ?, ?)"
            connection.execute(statement, (number, value, checksums.of_part(whole.match, value)))
    left = frozenset(whole.left)
    for key in whole.keys:
        statement = "INSERT INTO sessions (match, key, has_left) VALUES (?, ?, ?)"
        connection.execute(statement, (number, key, key in left))
    for race in whole.races:
        _put_race(connection, whole.match, number, race)


def _put_race(connection: Connection, match: str, number: int, whole: WholeRace) -> None:
    race = whole.race
    about = race.number, race.setup, whole.drivers
    connection.execute(
        """
        INSERT INTO races
            (match, race, setup, drivers, checksum, begun_at_ms, ended_at_ms, reason, result)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            number,
            *about,
            checksums.of_race(match, *about),
            whole.begun_at_ms,
            whole.ended_at_ms,
            race.reason,
            race.result,
        ),
    )
    question = "SELECT number FROM races WHERE match = ? AND race = ?"
    (race_number,) = connection.execute(question, (number, race.number)).fetchone()
    last = 0
    for step in race.steps:
        values = step.first, step.count, step.at_ms, step.events
        connection.execute(
            "INSERT INTO steps (race, first, count, at_ms, events, checksum) VALUES (?, ?, ?, ?, ?, ?)",
            (race_number, *values, checksums.of_step(match, race.number, *values)),
        )
        last = step.first + step.count - 1
    connection.execute("INSERT INTO progress (race, last) VALUES (?, ?)", (race_number, last))
