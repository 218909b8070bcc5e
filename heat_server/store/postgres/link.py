"""The way to the database: one connection, made anew when it is lost, and no batch written twice or lost.

Theory of operation. Each transaction that writes has a number (`batches`). If the connection is lost, that
number tells over the next one whether the commit was done; what the lost connection began is ended first,
wherever it still lives. So a batch counts as done, is done once more, or is in doubt until the database can
be reached again; and nobody is answered before.

A database that took over from another one can lack numbers that were confirmed, and so commits. Then `losses`
goes up, and the store lets nobody write to a match that has not been read again.

What was lost is tried again with growing pauses, for `PATIENCE_SECONDS` in all. A caller gets an error after
that, as from a disk that fails, and until a connection is made again each caller makes one try.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import psycopg
import structlog

from heat_server.store.address import DatabaseUrl
from heat_server.store.errors import (
    StoreFailed,
    StoreRefused,
    StoreUnreachable,
)
from heat_server.store.postgres.batches import Batches
from heat_server.store.postgres.connecting import connect, set_up
from heat_server.store.postgres.copy_lock import NAME, NAME_CHARACTERS, lock_alone, lock_shared
from heat_server.store.postgres.faults import is_worth_another_try, kind_of, what_failed
from heat_server.store.postgres.membership import ServerIdentity, join
from heat_server.store.postgres.schema import (
    MIGRATION_SECONDS,
    Connection,
    bring_up_to_date,
    check_version,
)
from heat_server.store.postgres.watchdog import Watchdog

Answer = TypeVar("Answer")

PATIENCE_SECONDS: Final = 6.0
"""How long an operation is tried before it fails: shorter than a client waits for an answer."""

FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 1.0

ANSWER_SECONDS: Final = 6.0
"""How long the database may take for one operation with all its statements."""

UPGRADE_SECONDS: Final = 2.0 * MIGRATION_SECONDS
"""The same for a change of the tables: a wait for another server that changes them, then the change."""

_NO_ANSWER: Final = "it gives no answer"

log = structlog.get_logger()


class DatabaseLink:
    """The way to a database. It blocks, and serves one thread at a time.

    Attributes:
        trouble: Why the database cannot be reached, since the last try; None: it can. Any thread may read it.
        losses: How often the database came back without commits that it had confirmed.
    """

    def __init__(
        self,
        url: DatabaseUrl,
        password_file: Path | None,
        server: ServerIdentity,
        *,
        read_only: bool = False,
        alone: bool = False,
    ) -> None:
        """Connect, and make the tables or bring them up to date.

        Args:
            url: Where the database is.
            password_file: Its first line is the password; None: libpq looks in its usual places.
            server: Who connects.
            read_only: Change nothing, not even the tables.
            alone: Keep servers and other copies out for as long as the connection lives.

        Raises:
            StoreRefused: The database cannot be used; the text does not name it.
        """
        self.trouble: str | None = None
        self.losses = 0
        self._url = url
        self._password_file = password_file
        self._read_only = read_only
        self._alone = alone
        self._server = server
        kind = "reader" if read_only else f"copy {server.name}" if alone else server.name
        self._name = f"{NAME}{kind[:NAME_CHARACTERS]}"
        self._batches = Batches(server.name)
        self._lost_at: float | None = None
        self._tried_at = float("-inf")
        self._connection: Connection | None = None
        self._watchdog = Watchdog()
        try:
            self._connect(is_first=True)
        except psycopg.Error as error:
            self.close()
            raise StoreRefused(what_failed(error)) from None
        except BaseException:
            self.close()
            raise

    @property
    def can_write(self) -> bool:
        """Tell whether a write would not have to wait for the database."""
        return not self._read_only and self._connection is not None

    def close(self) -> None:
        """Close the connection and let others have the store."""
        self._watchdog.close()
        if self._connection is not None:
            self._hang_up()

    def read(self, body: Callable[[Connection], Answer]) -> Answer:
        """Let the body read, all of it as of one moment.

        Raises:
            StoreUnreachable: The database cannot be reached.
            StoreFailed: It failed in another way.
        """

        def attempt(connection: Connection) -> Answer:
            with connection.pipeline():  # the first question takes BEGIN with it
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                answer = body(connection)
                connection.execute("COMMIT")
            return answer

        return self._try(attempt)

    def ask(self, body: Callable[[Connection], Answer]) -> Answer:
        """Let the body read by a single statement: without a transaction it takes one way there and back.

        Raises:
            StoreUnreachable: The database cannot be reached.
            StoreFailed: It failed in another way.
        """
        return self._try(body)

    def write(self, body: Callable[[Connection], Answer]) -> Answer:
        """Let all that the body does become true and be on disk, or nothing of it. It may be called again.

        Raises:
            StoreUnreachable: The database cannot be reached. What the body did may be true: what is read next
                tells, once it can be reached.
            StoreFailed: It failed in another way. Nothing of it is true.
        """
        batch: int | None = None
        answer: Answer

        def attempt(connection: Connection) -> Answer:
            nonlocal batch, answer
            if batch is not None and self._batches.done >= batch:  # only the answer to the commit was lost
                return answer
            batch = self._batches.begin(connection)
            if batch is None:
                self._hang_up()  # the next connection finds out what the database has
                raise StoreFailed("a later connection of this server has written to the database")
            answer = body(connection)
            if (
                connection.execute("COMMIT").statusmessage != "COMMIT"
            ):  # what has failed is rolled back instead
                raise StoreFailed("the database has rolled the changes back")
            self._batches.note_done(batch)
            return answer

        return self._try(attempt)

    # --- trying again -----------------------------------------------------------------------------------

    def _try(self, attempt: Callable[[Connection], Answer]) -> Answer:
        """Make an attempt, and others while the connection is lost."""
        began = self._lost_at if self._lost_at is not None else time.monotonic()
        if self._is_given_up(began):
            raise self._unreachable()
        pause = FIRST_PAUSE_SECONDS
        while True:
            began_attempt = time.monotonic()
            try:
                connection = self._connection or self._connect()
                with self._watchdog.watching(connection.fileno(), ANSWER_SECONDS):
                    return self._roll_back_on_error(connection, attempt)
            except psycopg.Error as error:
                is_lost = self._connection is None or self._connection.closed
                if not is_lost and (self._read_only or not is_worth_another_try(error)):
                    raise kind_of(error)(what_failed(error)) from error
                why = _NO_ANSWER if is_lost and self._watchdog.has_hung_up else what_failed(error)
                self._note_loss(why, began_attempt)
            except StoreRefused as error:
                self._note_loss(str(error), began_attempt)
            if time.monotonic() + pause > began + PATIENCE_SECONDS:
                raise self._unreachable()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _roll_back_on_error(self, connection: Connection, attempt: Callable[[Connection], Answer]) -> Answer:
        try:
            return attempt(connection)
        except BaseException:
            if not connection.closed:
                connection.rollback()
            raise

    def _is_given_up(self, began: float) -> bool:
        """Tell whether a try just now has failed, long after the loss: many callers share one."""
        now = time.monotonic()
        return now > began + PATIENCE_SECONDS and now < self._tried_at + LONGEST_PAUSE_SECONDS

    def _unreachable(self) -> StoreUnreachable:
        return StoreUnreachable(f"the database cannot be reached: {self.trouble}")

    def _note_loss(self, why: str, since: float) -> None:
        """Note that an attempt has failed, and since when nothing was heard."""
        self._hang_up()
        self.trouble = why
        self._tried_at = time.monotonic()
        if self._lost_at is None:
            self._lost_at = since
            log.warning("database lost", store=str(self._url), why=self.trouble)

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- connecting -------------------------------------------------------------------------------------

    def _connect(self, *, is_first: bool = False) -> Connection:
        """Connect, and find out what became of the batch in doubt.

        Raises:
            psycopg.Error: That is not possible now.
            StoreRefused: Nor later.
        """
        connection = connect(self._url, self._password_file, self._name, read_only=self._read_only)
        try:
            with self._watchdog.watching(connection.fileno(), ANSWER_SECONDS):
                set_up(connection, read_only=self._read_only)
            if is_first and not self._read_only:
                with self._watchdog.watching(connection.fileno(), UPGRADE_SECONDS):
                    bring_up_to_date(connection)
            with self._watchdog.watching(connection.fileno(), ANSWER_SECONDS):
                check_version(connection)
                if not self._read_only:
                    self._take_over(connection, is_first=is_first)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        if self._lost_at is not None:
            seconds = round(time.monotonic() - self._lost_at, 1)
            log.info("database back", store=str(self._url), seconds=seconds)
        self.trouble = self._lost_at = None
        return connection

    def _take_over(self, connection: Connection, *, is_first: bool) -> None:
        """Make the newest connection of this server its only one, and let its batches go on."""
        if not is_first:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = %s AND pid <> pg_backend_pid()",
                (self._name,),
            )
        if self._alone:
            lock_alone(connection)
        else:
            lock_shared(connection)
        join(connection, self._server)
        if lost := self._batches.take_over(connection):
            self.losses += 1
            log.error("database lost commits", store=str(self._url), lost=lost)
