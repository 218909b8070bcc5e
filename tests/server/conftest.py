"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heat_server.room.journal import Journal
from heat_server.room.race_clock import RaceClock
from heat_server.room.state import RoomState
from heat_server.store.postgres import leases
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import SaveRoom, SaveSessions, Write
from tests.server.fleets import Fleet
from tests.server.postgres import Cluster, started
from tests.server.stores import open_store


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests of this process."""
    with started() as cluster:
        yield cluster


@pytest.fixture
def fleet(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fleet]:
    """Several servers, of which each may claim as soon as it is connected."""
    monkeypatch.setattr(leases, "LEASE_SECONDS", 60.0)
    monkeypatch.setattr(leases, "SETTLING_SECONDS", 0.0)
    fleet = Fleet(cluster)
    yield fleet
    fleet.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty store in a file."""
    with open_store(tmp_path / "store.sqlite3") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _unnoted_changes_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every test here a room is looked at whole after each step: what was not noted is an error."""
    changes = Journal.changes

    def checked(journal: Journal, state: RoomState, now: float) -> list[Write]:
        writes = changes(journal, state, now)
        state.is_changed = True
        room_writes = [
            one for one in changes(journal, state, now) if isinstance(one, (SaveRoom, SaveSessions))
        ]
        assert room_writes == []
        return writes

    monkeypatch.setattr(Journal, "changes", checked)


@pytest.fixture(autouse=True)
def _unnoted_absence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every test here all drivers are looked at whenever it is asked who is away."""
    away = RaceClock.away

    def checked(race: RaceClock) -> tuple[int, ...]:
        known = away(race)
        race._attendance_seen = -1
        assert away(race) == known
        return known

    monkeypatch.setattr(RaceClock, "away", checked)


@pytest.fixture
def seed(monkeypatch: pytest.MonkeyPatch) -> str:
    """The seed of each race and championship of a test: what it counts comes out the same each time."""
    text = "a seed that nobody may read before the end"
    for module in ("room.handlers.lobby", "room.season"):
        monkeypatch.setattr(f"heat_server.{module}.new_seed", lambda: text)
    return text
