"""The clock of the database jumps by an hour: no room has two owners, and nobody waits for an hour."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.e2e.test_fleet_faults import (
    all_seen,
    choices_of,
    longest_break,
    raced_through,
    servers_on,
    watched,
)
from tests.e2e.test_fleet_kills import check_epochs, count_owners
from tests.server.turned_clock import started_with_clock

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(300), pytest.mark.soak]

HOUR = 3600
ROOMS = 3


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["forward", "back"])
async def test_races_go_on_where_they_are_when_the_databases_clock_jumps(
    seconds: int, tmp_path: Path
) -> None:
    with started_with_clock("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * 2, tmp_path) as places:
            what = f"the database's clock jumps by {seconds} s"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database), ROOMS) as rooms:
                for turned in range(3):
                    cluster.turn(seconds if turned % 2 == 0 else 0)
                    await choices_of(rooms, 10)
            assert "moving" not in all_seen(rooms)
            assert "reconnecting" not in all_seen(rooms)
        assert count_owners(cluster, database) == ROOMS
        check_epochs(cluster)


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["forward", "back"])
@pytest.mark.parametrize("is_dead_before", [True, False], ids=["dead before", "dies after"])
async def test_the_rooms_of_a_dead_server_are_taken_over_in_seconds_though_the_databases_clock_jumps(
    seconds: int, is_dead_before: bool, tmp_path: Path
) -> None:
    with started_with_clock("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * 2, tmp_path) as places:
            when = "just after" if is_dead_before else "before"
            what = f"the database's clock jumps by {seconds} s {when} a server is killed"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database), ROOMS) as rooms:
                if is_dead_before:
                    places[0].running.process.send_signal(signal.SIGKILL)
                    cluster.turn(seconds)
                else:
                    cluster.turn(seconds)
                    await choices_of(rooms, 10)
                    places[0].running.process.send_signal(signal.SIGKILL)
                await choices_of(rooms, 6)
            assert longest_break(rooms) < 20
        check_epochs(cluster)
