"""Who uses a database: its servers share it, and a copy has it to itself, as the lock of a file does it.

Theory of operation. Each connection that may write has an advisory lock for as long as it lives: a server's
shares it, a copy's does not. So no server starts while a copy runs: it would play on what is about to be
replaced, or on what has been copied already. A server that died with its machine can leave a connection for
hours. So once its lease has long run out, a copy ends that connection; a server that was only frozen cannot
connect again before the copy has ended.
"""

from __future__ import annotations

from typing import Final

from psycopg.errors import LockNotAvailable

from heat_server.store.errors import StoreRefused
from heat_server.store.postgres.leases import LEASE_SECONDS
from heat_server.store.postgres.schema import Connection

COPY_LOCK: Final = 0x434F5059
"""The advisory lock: COPY in ASCII."""

# A lease that was renewed later than now is from before the clock was set back.
_HAS_SERVERS: Final = """
    SELECT 1 FROM servers WHERE lease_until > now() AND renewed_at <= now() + make_interval(secs => %s)
"""

_END_DEAD: Final = """
    SELECT pg_terminate_backend(pid)
    FROM pg_stat_activity JOIN servers ON application_name = %s || left(server, %s)
    WHERE datname = current_database() AND lease_until < now() - make_interval(secs => %s)
"""

NAME: Final = "heat-server "
NAME_CHARACTERS: Final = 12
"""What the database's administrator reads of a server: this, and the first characters of its name."""


def lock_shared(connection: Connection) -> None:
    """Use the database beside other servers, for as long as the connection lives.

    Raises:
        StoreRefused: A copy uses it; the text does not name it.
    """
    row = connection.execute("SELECT pg_try_advisory_lock_shared(%s)", (COPY_LOCK,)).fetchone()
    if row != (True,):
        raise StoreRefused("heat-server store copy uses this database; wait until it has ended")


def lock_alone(connection: Connection) -> None:
    """Keep all servers and other copies out, for as long as the connection lives.

    Raises:
        StoreRefused: One of them uses the database; the text does not name it.
    """
    if connection.execute(_HAS_SERVERS, (LEASE_SECONDS,)).fetchone() is not None:
        raise StoreRefused(
            f"a server uses this database, or did in the last {LEASE_SECONDS:.0f} seconds; stop it first"
        )
    connection.execute(_END_DEAD, (NAME, NAME_CHARACTERS, LEASE_SECONDS))
    try:
        connection.execute("SELECT pg_advisory_lock(%s)", (COPY_LOCK,))
    except LockNotAvailable:
        raise StoreRefused(
            "a server or another heat-server store copy uses this database; stop it first"
        ) from None
