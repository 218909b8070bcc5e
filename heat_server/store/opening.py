"""Which store a server has: the one place that knows all kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heat_server.store.address import DatabaseUrl
from heat_server.store.contract import Store
from heat_server.store.errors import StoreRefused
from heat_server.store.no_store import NoStore
from heat_server.store.sqlite.store import SqliteStore


def open_store(
    place: Path | DatabaseUrl | None,
    now_ms: Callable[[], int],
    *,
    password_file: Path | None = None,
    read_only: bool = False,
    alone: bool = False,
) -> Store:
    """Open the store that the settings name.

    Args:
        place: Its file, or the address of its database; None: nothing is saved.
        now_ms: The wall clock: milliseconds since 1970.
        password_file: Its first line is the password of the database; None: libpq looks in its usual places.
        read_only: Read beside a server that has it open, and change nothing.
        alone: Refuse a store that others use, also one that can be shared, and keep them out.

    Raises:
        StoreRefused: It cannot be used; the text is one sentence that names it.
    """
    if place is None:
        return NoStore()
    if isinstance(place, Path):
        return SqliteStore.open(place, now_ms, read_only=read_only, alone=alone)
    try:
        from heat_server.store.postgres.store import PostgresStore
    except ImportError:
        raise StoreRefused(
            f"{place}: a store in PostgreSQL needs psycopg; install it with "
            "pip install 'heat-tui-race[postgres]', or with make fleet in a copy of the repository"
        ) from None
    return PostgresStore.open(place, now_ms, password_file=password_file, read_only=read_only, alone=alone)
