"""Real clients at three real servers, of which one is stopped: it sends them on, and they race on."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from statistics import median

import pytest

from tests.e2e.drivers import Driver
from tests.e2e.test_fleet_faults import all_seen, choices_of, raced_through, servers_on, watched
from tests.e2e.test_fleet_kills import check_epochs
from tests.server.postgres import started

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(180)]

ROOMS = 6

MOST_SECONDS = 1.0
USUAL_LOAD = 2.0
"""Programs that want a core: with more, all servers and clients of the test take longer."""


def seconds_away(driver: Driver) -> float:
    """Give how long a driver had no server, as their client shows it."""
    states = [seen for seen in driver.seen if seen.what.startswith(("connected", "moving", "reconnecting"))]
    number, left = next((n, seen) for n, seen in enumerate(states) if not seen.what.startswith("connected"))
    back = next(seen for seen in states[number:] if seen.what.startswith("connected"))
    return back.at - left.at


@pytest.mark.spec("FLEET-4")
async def test_players_of_a_server_that_is_stopped_are_sent_on_at_once_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    with started("fsync=on") as cluster:
        database = watched(cluster)
        with servers_on([cluster.url(database)] * 3, tmp_path) as places:
            what = "a server of three is stopped"
            async with raced_through(what, tmp_path, places, lambda: cluster.url(database), ROOMS) as rooms:
                process = places[0].running.process
                began = time.monotonic()
                process.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(process.wait) == 0
                ended = time.monotonic() - began
                await choices_of(rooms, 1)
            drivers = [driver for room in rooms for driver in room.drivers]
            away = sorted(map(seconds_away, drivers))
            load = os.getloadavg()[0] / (os.cpu_count() or 1)
            print(f"away {away[0]:.2f} to {away[-1]:.2f} s, ended after {ended:.2f} s, load {load:.1f}")
            assert median(away) < MOST_SECONDS * max(1.0, load / USUAL_LOAD)
            assert "reconnecting" not in all_seen(rooms), "nobody had to look for a server"
            assert {driver.stay.link.address for driver in drivers} == {place.address for place in places[1:]}
            assert len(places[0].lines("room moves")) == ROOMS
            assert sum(len(place.lines("room woken")) for place in places[1:]) == ROOMS
            check_epochs(cluster)
