"""Which store a server has: the one place that knows all kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heat_server.store.contract import Store
from heat_server.store.nothing import NoStore
from heat_server.store.sqlite.store import SqliteStore


def open_store(path: Path | None, now_ms: Callable[[], int], *, read_only: bool = False) -> Store:
    """Open the store that the settings name.

    Args:
        path: Its file; None: nothing is saved.
        now_ms: The wall clock: milliseconds since 1970.
        read_only: Read beside a server that has it open, and change nothing.

    Raises:
        StoreRefused: It cannot be used; the text is one sentence that names it.
    """
    return NoStore() if path is None else SqliteStore.open(path, now_ms, read_only=read_only)
