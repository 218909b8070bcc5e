"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heat_server.store.database import Store
from tests.server.stores import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file."""
    with open_store(tmp_path / "store.sqlite3") as opened:
        yield opened
