"""The measuring of statements measures what it says, in small."""

from __future__ import annotations

import pytest

from heat_server.store.postgres import leases
from tests.scale.filling import Sizes
from tests.scale.statements import Bench, bench, table


def test_all_is_measured_of_a_small_fleet_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "SETTLING_SECONDS", 0.0)
    sizes = Sizes(servers=3, rooms=80, closed=20, listed_bytes=100)
    with bench(sizes) as measured:
        measured.run()
        status = measured.store.fleet_status()
        owned = len(measured.store._leases._epochs)
        living = sum(server.rooms for server in status.servers if server.state == "running")
    assert owned >= sizes.rooms
    assert (status.rooms, status.rooms_without_owner) == (sizes.open, sizes.open - living)
    lines = table(measured.costs, sizes).splitlines()
    assert lines[0] == "3 servers, 240 open matches, 20 closed"
    assert len(lines) == len(measured.costs) + 3
    assert all(cost.milliseconds > 0 and cost.database_ms > 0 for cost in measured.costs)


def hits(measured: Bench, batch: list[str]) -> int:
    """Count the pages that the database looks at to see whether a server owns matches."""
    own = measured.store._leases
    epochs = [own._epochs[match] for match in batch]
    statement = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {leases._HELD}"
    connection = measured.store._link._connection
    assert connection is not None
    row = connection.execute(statement.encode(), (own.server, batch, epochs)).fetchone()
    assert row is not None
    return int(row[0][0]["Plan"]["Shared Hit Blocks"])


def test_a_commit_costs_no_more_where_a_new_server_has_taken_over_many_rooms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leases, "SETTLING_SECONDS", 0.0)
    with bench(Sizes(servers=2, rooms=1000, closed=20, listed_bytes=100)) as measured:
        measured.store.renew(measured.load())
        measured.renew_all()
        measured.expire(1)
        batch = [one.match for one in measured.store.claim()][:10]
        assert len(measured.store.claim()) > 100
        assert hits(measured, batch) < 300
