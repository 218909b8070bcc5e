"""The numbers of a server's batches: they tell it, after a lost connection, whether its last batch is there.

Theory of operation. Each transaction that writes adds a row with this server's next number before anything
else, and commits only after all statements have succeeded. If the connection is lost, the next one adds the
number of the batch in doubt once more, as one that is not done. The key lets that wait until the database has
done or undone what the lost connection began. Then the row tells: it is the batch's, or the number is now
used up, and what the lost connection may still send fails. That is a commit too: with a synchronous standby
it is answered only when all before it is there.

PostgreSQL's own number of a transaction would need no row. But one that was on no disk is given again after a
crash or a failover, and then tells what became of another server's transaction.

Rows are added and removed, and never changed while all is well: of a row that each commit changes, all
versions pile up while a dump runs, and each commit would go through them. They are removed by their exact
numbers, a hundred at a time, for the same reason.
"""

from __future__ import annotations

from typing import Final

import psycopg

from heat_server.store.postgres.schema import Connection

MOST_ROWS: Final = 100
"""So many rows a server leaves before it removes all but the newest."""

_ADD: Final = "INSERT INTO batches (server, batch, is_done) VALUES (%s, %s, TRUE)"

_REMOVE: Final = "DELETE FROM batches WHERE server = %s AND batch >= %s AND batch < %s"

_NEWEST: Final = "SELECT coalesce(max(batch), 0) FROM batches WHERE server = %s AND batch <= %s"

_USE_UP: Final = """
    INSERT INTO batches (server, batch, is_done) VALUES (%s, %s, FALSE)
    ON CONFLICT (server, batch) DO UPDATE SET is_done = batches.is_done RETURNING is_done
"""

_FORGET: Final = "DELETE FROM batches WHERE server NOT IN (SELECT server FROM servers)"


class Batches:
    """The numbers of one server's batches.

    Attributes:
        newest: The last number that the database has confirmed; 0 before the first.
        done: The last one of a batch that is known to be there.
    """

    def __init__(self, server: str) -> None:
        """Begin with none.

        Args:
            server: Its name, which no other start of a server has.
        """
        self.newest = 0
        self.done = 0
        self._server = server
        self._oldest = self._oldest_then = 1

    def begin(self, connection: Connection) -> int | None:
        """Begin a transaction, and number its batch before all else in it.

        Returns:
            The number; None: a later connection of this server has used it up.
        """
        batch = self.newest + 1
        try:
            with connection.pipeline():  # one way there and back
                connection.execute("BEGIN")
                connection.execute(_ADD, (self._server, batch))
        except psycopg.errors.UniqueViolation:
            return None
        self._oldest_then = self._oldest
        if self.newest - self._oldest >= MOST_ROWS:
            connection.execute(_REMOVE, (self._server, self._oldest, self.newest))
            self._oldest_then = self.newest
        return batch

    def note_done(self, batch: int) -> None:
        """Note that a batch is there."""
        self.newest = self.done = batch
        self._oldest = self._oldest_then

    def take_over(self, connection: Connection) -> int:
        """Find out over a new connection, in autocommit mode, what became of the batch in doubt.

        Returns:
            How many numbers are missing that the database had confirmed.
        """
        row = connection.execute(_NEWEST, (self._server, self.newest)).fetchone()
        assert row is not None
        lost: int = self.newest - row[0]
        used = connection.execute(_USE_UP, (self._server, self.newest + 1)).fetchone()
        self.newest += 1
        if used == (True,):
            self.done = self.newest
        return lost


def forget_old_batches(connection: Connection) -> None:
    """Remove the numbers of servers that ended."""
    connection.execute(_FORGET)
