"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heat_server.store.sqlite.store import SqliteStore
from tests.server.stores import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store in a file."""
    with open_store(tmp_path / "store.sqlite3") as opened:
        yield opened


@pytest.fixture
def seed(monkeypatch: pytest.MonkeyPatch) -> str:
    """The seed of each race and championship of a test: what it counts comes out the same each time."""
    text = "a seed that nobody may read before the end"
    for module in ("room.handlers.lobby", "room.season"):
        monkeypatch.setattr(f"heat_server.{module}.new_seed", lambda: text)
    return text
