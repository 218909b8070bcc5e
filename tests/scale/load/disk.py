"""What races leave in a store, of either kind."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

import msgspec

from tests.scale.load.database import Database

STEPS_OF_ENDED_RACES: Final = (
    "SELECT count(DISTINCT races.number), count(*) FROM races "
    "JOIN steps ON steps.race = races.number WHERE ended_at_ms IS NOT NULL"
)

_TABLES: Final = (
    "clocks",
    "leases",
    "matches",
    "progress",
    "races",
    "seasons",
    "servers",
    "sessions",
    "steps",
)


class Disk(msgspec.Struct, frozen=True):
    """What a crowd left in the store.

    Attributes:
        rows: By table.
        size_bytes: Of everything, indexes included.
        table_bytes: By table, with its indexes; empty for a file.
        races: That have ended.
        steps_a_race: The mean of those; 0 where none has ended.
        bytes_a_step: All bytes by all steps.
    """

    rows: dict[str, int]
    size_bytes: int
    table_bytes: dict[str, int]
    races: int
    steps_a_race: float
    bytes_a_step: float


def disk_of_file(file: Path) -> Disk:
    """Look into a store in a file while a server uses it."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        rows = {
            name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
            for name in names
            if name in _TABLES
        }
        # Its log, which keeps its size, is not of the races.
        size = int(connection.execute("PRAGMA page_count").fetchone()[0])
        size *= int(connection.execute("PRAGMA page_size").fetchone()[0])
        races, steps = connection.execute(STEPS_OF_ENDED_RACES).fetchone()
    return _disk(rows, size, {}, races, steps)


def disk_of_database(database: Database) -> Disk:
    """Look into a store in a database."""
    tables = database.tables()
    races, steps = database.row("SET search_path = heat", STEPS_OF_ENDED_RACES)
    rows = {name: rows for name, (rows, _) in tables.items() if name in _TABLES}
    sizes = {name: size for name, (_, size) in tables.items()}
    return _disk(rows, sum(sizes.values()), sizes, races, steps)


def _disk(rows: dict[str, int], size: int, sizes: dict[str, int], races: int, steps: int) -> Disk:
    return Disk(rows, size, sizes, races, steps / max(1, races), size / max(1, rows["steps"]))
