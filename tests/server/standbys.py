"""A standby of a PostgreSQL server of the tests, which takes over when it is told to."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from heat_server.store.address import DatabaseUrl
from tests.server.postgres import USER, CannotStart, Cluster


class Standby(Cluster):
    """A server that repeats what another one does."""

    def __init__(self, primary: Cluster, *settings: str) -> None:
        """Copy the primary's data and follow it.

        Args:
            primary: Whom it follows.
            settings: More of PostgreSQL's settings.

        Raises:
            CannotStart: That is not possible here.
        """
        self._primary = primary
        super().__init__("fsync=on", "full_page_writes=on", *settings)

    def _make_data(self) -> None:
        command = [str(self._programs / "pg_basebackup"), "-D", "data", "-R", "-X", "stream", "-c", "fast"]
        command += ["-d", f"host={self._primary.folder} user={USER} application_name=standby", "--no-sync"]
        made = subprocess.run(command, **self._as, capture_output=True, text=True, check=False)
        if made.returncode:
            raise CannotStart(f"pg_basebackup: {made.stderr.strip()}")

    def _make_template(self) -> None:
        """It comes with the copy."""

    def promote(self) -> None:
        """Take writes from now on."""
        with self.connected("postgres") as connection:
            connection.execute("SELECT pg_promote()")

    def catch_up(self) -> None:
        """Wait until all is here that the primary has now."""
        with self._primary.connected("postgres") as there, self.connected("postgres") as here:
            row = there.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
            assert row is not None
            while here.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", row).fetchone() != (False,):
                here.execute("SELECT pg_sleep(0.02)")

    def fall_behind(self) -> None:
        """Hear no more of the primary: all that it commits from now on is missing here."""
        with self.connected("postgres") as connection:
            connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SELECT 1 FROM pg_stat_wal_receiver").fetchone() is not None:
                connection.execute("SELECT pg_sleep(0.02)")


@contextmanager
def standby_of(primary: Cluster, *settings: str, is_synchronous: bool) -> Iterator[Standby]:
    """Start a standby.

    Args:
        primary: Whom it follows.
        settings: More of PostgreSQL's settings.
        is_synchronous: Whether a commit waits for it.
    """
    standby = Standby(primary, *settings)
    try:
        if is_synchronous:
            with primary.connected("postgres") as connection:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
                connection.execute("SELECT pg_reload_conf()")
                while (
                    connection.execute(
                        "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
                    ).fetchone()
                    is None
                ):
                    connection.execute("SELECT pg_sleep(0.05)")
        yield standby
    finally:
        standby.stop()


def url_of_both(first: Cluster, second: Cluster, database: str) -> DatabaseUrl:
    """Give the address of whichever of two servers takes writes."""
    return DatabaseUrl(f"postgresql://{USER}@/{database}?host={first.folder},{second.folder}")
