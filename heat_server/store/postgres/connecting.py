"""How a connection to the database is made, and what holds for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict

from heat_core.files import shown_path
from heat_server.store.address import DatabaseUrl
from heat_server.store.errors import StoreRefused
from heat_server.store.postgres.schema import SCHEMA, Connection

CONNECT_SECONDS: Final = 2
"""For each of several hosts; libpq knows no shorter time."""

VANISHED_SECONDS: Final = 3.0
"""After so long without a sign of the database's machine, the connection is lost. Then one more try to
reach it, and one to reach its standby, must fit into the time that a commit may take."""

STATEMENT_SECONDS: Final = 5.0
"""How long the database may work on one statement, or wait within a transaction for the next."""

LOCK_SECONDS: Final = 3.0
"""How long a statement waits for a row that another connection holds."""

_UNLESS_SAID: Final[dict[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    # Of several hosts, the one that takes writes; a standby that has just taken over, too.
    "target_session_attrs": "read-write",
    # A host that is gone, or a cut cable; the first ones are for a connection that waits for an answer.
    "keepalives": 1,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": round(VANISHED_SECONDS * 1000),
}
"""What the URL may set otherwise."""

_DURABLE: Final = frozenset({"on", "remote_apply"})

_MOST_PASSWORD_BYTES: Final = 4096

log = structlog.get_logger()


def connect(url: DatabaseUrl, password_file: Path | None, name: str, *, read_only: bool) -> Connection:
    """Connect, in autocommit mode; the caller continues with `set_up`.

    Args:
        url: Of the database.
        password_file: Its first line is the password; None: libpq looks in its usual places.
        name: What the database's administrator reads of the connection.
        read_only: Change nothing, at a standby too.

    Raises:
        StoreRefused: The database cannot be used at all; the text does not name it.
        psycopg.Error: It cannot be reached, or lets nobody in.
    """
    try:
        given = conninfo_to_dict(url.text)
    except psycopg.ProgrammingError as error:
        raise StoreRefused(f"it is not an address that libpq reads: {str(error).strip()}") from None
    words: dict[str, Any] = {**_UNLESS_SAID, **given, "application_name": name}
    if read_only and "target_session_attrs" not in given:
        words["target_session_attrs"] = "any"
    if password_file is not None:
        words["password"] = _read_password(password_file)
    return psycopg.connect(**words, autocommit=True)


def _read_password(path: Path) -> str:
    try:
        with path.open("rb") as file:
            lines = file.read(_MOST_PASSWORD_BYTES).decode().splitlines()
    except OSError as error:
        raise StoreRefused(f"its password file {shown_path(path)}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StoreRefused(f"its password file {shown_path(path)} is not UTF-8 text") from None
    if not lines or not lines[0]:
        raise StoreRefused(f"its password file {shown_path(path)} has nothing in its first line")
    return lines[0]


def set_up(connection: Connection, *, read_only: bool) -> None:
    """Set what each transaction relies on. Until then the database has no limit of time for an answer.

    Args:
        connection: A new one.
        read_only: Change nothing.

    Raises:
        StoreRefused: The database cannot be used at all; the text does not name it.
        psycopg.Error: It failed.
    """
    encoding, durable = _shown(connection, "server_encoding"), _shown(connection, "synchronous_commit")
    if encoding != "UTF8":
        raise StoreRefused(f"its encoding is {encoding}; create the database with ENCODING 'UTF8'")
    settings = {
        "search_path": SCHEMA,
        "client_encoding": "UTF8",
        "statement_timeout": _milliseconds(STATEMENT_SECONDS),
        "lock_timeout": _milliseconds(LOCK_SECONDS),
        "idle_in_transaction_session_timeout": _milliseconds(STATEMENT_SECONDS),
        "default_transaction_read_only": "on" if read_only else "off",
    }
    if not read_only:
        # A server's statements look rows up by an index, whatever the values are. To plan them anew for each
        # length of a list takes longer than to run them.
        settings["plan_cache_mode"] = "force_generic_plan"
    if durable not in _DURABLE:  # a commit that is not on disk, or not at the standby, is none
        settings["synchronous_commit"] = "on"
    for setting, value in settings.items():
        connection.execute("SELECT set_config(%s, %s, false)", (setting, value))
    if _shown(connection, "fsync") != "on" and not read_only:
        log.warning("database does not wait for its disk", setting="fsync = off")


def _shown(connection: Connection, setting: str) -> str:
    row = connection.execute("SELECT current_setting(%s)", (setting,)).fetchone()
    assert row is not None
    return str(row[0])


def _milliseconds(seconds: float) -> str:
    return f"{round(seconds * 1000)}ms"
