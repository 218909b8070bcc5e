"""Each of three servers is drained, stopped and started again while rooms race: nothing is lost."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import trio

from heat_core.wire.messages import RoomOptions
from heat_core.wire.operator import AskDrain, Draining, StartDrain
from heat_server.operator.socket import ask_operator
from tests.e2e.fleet_harms import Harmer
from tests.e2e.fleet_servers import FleetServers
from tests.e2e.test_fleet_kills import EPOCHS_RISE, check_epochs, count_owners, ride_through
from tests.server.postgres import started
from tests.server.riders import Track, audit, team

pytestmark = [pytest.mark.trio, pytest.mark.soak, pytest.mark.timeout(600)]

ROOMS = 12
ROUNDS = 2
LOOK_SECONDS = 0.1


async def drained(path: Path) -> None:
    """Have a server drained at once, and wait until no rooms are left; others may not be up yet."""
    request: StartDrain | AskDrain = StartDrain(0)
    while True:
        answer = await trio.to_thread.run_sync(ask_operator, path, request)
        if isinstance(answer, Draining):
            request = AskDrain()
            if not answer.rooms_left:
                return
        await trio.sleep(LOOK_SECONDS)


class Replacement:
    """Replaces each server, one after the other, again and again.

    Attributes:
        is_over: Whether all of it is done.
    """

    def __init__(self, servers: FleetServers) -> None:
        self.is_over = False
        self._servers = servers

    async def run(self) -> None:
        for place in [*self._servers.places] * ROUNDS:
            await drained(self._servers.sockets[place])
            await trio.to_thread.run_sync(self._servers.end, place, signal.SIGTERM)
            await trio.to_thread.run_sync(self._servers.start_again, place)
        self.is_over = True


async def test_nothing_that_a_fleet_acknowledged_is_lost_while_each_server_is_replaced(
    tmp_path: Path,
) -> None:
    with started("fsync=on") as cluster:
        database = cluster.new_database()
        url = cluster.url(database)
        with cluster.connected(database) as connection:
            connection.execute(EPOCHS_RISE)
        servers = await trio.to_thread.run_sync(FleetServers, url, tmp_path, 3)
        harmer, replacement = Harmer(servers), Replacement(servers)

        def goes_on() -> bool:
            return not replacement.is_over

        options = RoomOptions(laps=1, cars=3, turn_milliseconds=60_000)
        tracks = [Track(options, goes_on, lambda: 0.3 if goes_on() else 0.0) for _ in range(ROOMS)]
        teams = [(track, team(harmer.connect, track, number)) for number, track in enumerate(tracks)]
        await ride_through(replacement.run, teams, servers)
        figures = audit(url, teams)
        owners = count_owners(cluster, database)
        print(f"{figures}, {owners} owners of epochs")
        assert owners > 2 * ROOMS
        check_epochs(cluster)
    assert figures.races >= ROOMS
    assert figures.acknowledged > 10 * ROOMS
