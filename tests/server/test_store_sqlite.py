"""What the store in a SQLite file does besides what every store must."""

from __future__ import annotations

from pathlib import Path

from heat_server.store.writes import CloseMatch, SaveClocks, SaveSeason, SaveSessions
from tests.server.stores import WallClock, begun, open_store


def test_nothing_of_a_deleted_match_is_left_in_any_table(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db", WallClock(0)) as store:
        for match in ("m1", "m2"):
            store.write([*begun(match), SaveSeason(match, b"standings")])
            store.write([SaveClocks(match, b"60 s"), SaveSessions(match, (b"a",))])
        store.write([CloseMatch("m1", "ended", "over")])
        assert store.prune(1) == 1
        tables = ("matches", "races", "steps", "progress", "seasons", "clocks", "sessions")
        counts = [
            store._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables
        ]
        assert counts == [1] * len(tables)


def test_no_writes_are_no_transaction(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        store.write(begun("m1"))
        before = store._connection.total_changes
        store.write([])
        assert store._connection.total_changes == before
