"""The measuring of statements measures what it says, in small."""

from __future__ import annotations

import pytest

from heat_server.store.postgres import leases
from tests.scale.filling import Sizes
from tests.scale.statements import bench, table


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
