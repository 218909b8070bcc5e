"""A copy has a database to itself: no server uses it when the copy begins, and none starts before it ends."""

from __future__ import annotations

import time

import pytest

from heat_server.store.contract import Store
from heat_server.store.errors import StoreRefused, StoreUnreachable
from heat_server.store.opening import open_store as open_any
from heat_server.store.postgres import connecting, link
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.writes import AddEvents
from tests.server.fleets import Fleet
from tests.server.stores import WallClock, begun

COPYING = "heat-server store copy uses this database; wait until it has ended"
IN_USE = "a server or another heat-server store copy uses this database; stop it first"


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(link, "LONGEST_PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.2)


def copying(fleet: Fleet) -> Store:
    return open_any(fleet.url, WallClock(), alone=True)


def test_a_copy_wants_no_server_to_use_the_database(fleet: Fleet) -> None:
    one = fleet.join()
    one.write(begun("m1"))
    with pytest.raises(StoreRefused, match="a server uses this database, or did in the last 6 seconds; stop"):
        copying(fleet)
    one.close()
    with copying(fleet) as copy:
        copy.copy_in(copy.copy_out("m1"))
    (row,) = fleet.rows("SELECT epoch FROM heat.leases")
    assert row == (2,)
    assert [claimed.match for claimed in fleet.join().claim()] == ["m1"]
    (row,) = fleet.rows("SELECT epoch FROM heat.leases")
    assert row == (3,), "an epoch never comes again"


def test_no_server_starts_while_a_copy_runs(fleet: Fleet) -> None:
    with copying(fleet):
        with pytest.raises(StoreRefused, match=COPYING):
            fleet.join()
        with open_any(fleet.url, WallClock(), read_only=True) as reader:
            assert reader.open_matches() == []
    fleet.join().write(begun("m1"))


def test_two_copies_do_not_run_at_once(fleet: Fleet) -> None:
    with copying(fleet) as copy:
        with pytest.raises(StoreRefused, match=IN_USE):
            copying(fleet)
        assert copy.open_matches() == []
    copying(fleet).close()


def test_a_server_that_has_just_started_keeps_a_copy_out(fleet: Fleet) -> None:
    with PostgresStore.open(fleet.url, WallClock()) as starting:  # it has no lease yet
        with pytest.raises(StoreRefused, match=IN_USE):
            copying(fleet)
        starting.write(begun("m1"))


def test_a_server_that_was_frozen_for_long_writes_nothing_while_a_copy_runs(fleet: Fleet) -> None:
    frozen = fleet.join()
    frozen.write(begun("m1"))
    step = [AddEvents("m1", 0, 4, 1, b"event")]
    fleet.execute("UPDATE heat.servers SET lease_until = now() - interval '1 hour'")
    with copying(fleet) as copy:
        before = copy.copy_out("m1")
        with pytest.raises(StoreUnreachable, match=COPYING):
            frozen.write(step)
        assert copy.copy_out("m1") == before
    time.sleep(link.LONGEST_PAUSE_SECONDS)  # who has just failed to connect does not try at once
    frozen.write(step)


def test_a_copy_whose_connection_was_lost_does_not_go_on_beside_a_server(fleet: Fleet) -> None:
    with copying(fleet) as copy:
        fleet.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'heat-server copy %' AND datname = current_database()"
        )
        fleet.join().write(begun("m1"))
        with pytest.raises(StoreUnreachable, match="cannot be reached: a server uses this database"):
            copy.copy_out("m1")
