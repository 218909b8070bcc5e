"""What the database has of a match besides the match itself, when it was copied from another store."""

from __future__ import annotations

from heat_server.store.postgres.schema import Connection
from heat_server.store.postgres.writing import STEP_BYTES


def next_epoch(connection: Connection, match: str) -> int:
    """Give the epoch of a match's next owner."""
    row = connection.execute(
        "SELECT epoch + 1 FROM leases JOIN matches ON number = leases.match WHERE matches.match = %s",
        (match,),
    ).fetchone()
    return 1 if row is None else int(row[0])


def put_aside(connection: Connection, match: str, epoch: int, rules: int) -> None:
    """Let an open match be nobody's, in an epoch that it never had."""
    connection.execute(
        """
        INSERT INTO leases (match, epoch, rules)
        SELECT number, %s, %s FROM matches WHERE match = %s AND outcome IS NULL
        """,
        (epoch, rules, match),
    )


def count_bytes(connection: Connection, match: str) -> None:
    """Note about how much of the disk the races of a match take."""
    connection.execute(
        """
        UPDATE progress SET bytes = length(setup) + length(drivers) + (
            SELECT coalesce(sum(length(events) + %s), 0) FROM steps WHERE steps.race = races.number
        )
        FROM races JOIN matches ON matches.number = races.match
        WHERE progress.race = races.number AND matches.match = %s
        """,
        (STEP_BYTES, match),
    )
