"""Three servers on one database, killed, stopped and frozen at random: nothing acknowledged is lost."""

from __future__ import annotations

import random
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio

from heat_core.wire.messages import RoomOptions
from heat_server.store.address import DatabaseUrl
from tests.load.server import Running, running_server
from tests.server.postgres import Cluster, started
from tests.server.riders import Track, audit, team

pytestmark = [pytest.mark.trio, pytest.mark.soak, pytest.mark.timeout(900)]

FROZEN_SECONDS = 9.0
"""Longer than a lease."""

EPOCHS_RISE = """
    CREATE TABLE heat.owners (match BIGINT, epoch BIGINT, server TEXT, PRIMARY KEY (match, epoch));
    CREATE FUNCTION heat.note_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND NEW.epoch < OLD.epoch THEN RAISE EXCEPTION 'an epoch fell'; END IF;
        IF NEW.server IS NOT NULL THEN
            INSERT INTO heat.owners VALUES (NEW.match, NEW.epoch, NEW.server);
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER note_owner AFTER INSERT OR UPDATE ON heat.leases
        FOR EACH ROW EXECUTE FUNCTION heat.note_owner()
"""
"""No epoch has two owners, and none comes again."""


class Servers:
    """Servers that come and go, each with a port of its own."""

    def __init__(self, url: DatabaseUrl, folder: Path, number: int) -> None:
        self._url = url
        self._logs = [folder / f"log-{place}" for place in range(number)]
        self._lives = [ExitStack() for _ in range(number)]
        self._running: list[Running | None] = [None] * number
        self._is_up = [False] * number
        self._dice = random.Random(5)
        self.harm = 0

    async def live(self, place: int) -> None:
        before = self._running[place]
        options = ("--log-file", str(self._logs[place]), "--log-level", "error")
        server = running_server(self._url, *options, port=0 if before is None else before.port)
        self._running[place] = await trio.to_thread.run_sync(self._lives[place].enter_context, server)
        self._is_up[place] = True

    async def connect(self) -> trio.abc.Stream:
        up = [one for one, is_up in zip(self._running, self._is_up, strict=True) if is_up and one is not None]
        if not up:
            raise OSError("no server runs")
        return await trio.open_tcp_stream("127.0.0.1", self._dice.choice(up).port)

    async def end(self, place: int, number: signal.Signals) -> None:
        """Kill a server, or stop it."""
        running = self._running[place]
        assert running is not None
        self._is_up[place] = False
        running.process.send_signal(number)
        await trio.to_thread.run_sync(running.process.wait)
        await trio.to_thread.run_sync(self._lives[place].close)

    async def freeze(self, place: int) -> None:
        running = self._running[place]
        assert running is not None
        self._is_up[place] = False
        running.process.send_signal(signal.SIGSTOP)
        await trio.sleep(FROZEN_SECONDS)
        running.process.send_signal(signal.SIGCONT)
        self._is_up[place] = True

    async def suffer(self, times: int) -> None:
        """Do some harm, again and again, to one server after another."""
        while self.harm < times:
            await trio.sleep(self._dice.uniform(0.2, 1.5))
            place = self._dice.randrange(len(self._lives))
            match self._dice.randrange(3):
                case 0:
                    await self.end(place, signal.SIGKILL)
                    await self.live(place)
                case 1:
                    await self.end(place, signal.SIGTERM)
                    await self.live(place)
                case _:
                    await self.freeze(place)
            self.harm += 1

    async def close(self) -> None:
        for life in self._lives:
            await trio.to_thread.run_sync(life.close)
        for log in self._logs:
            lines = log.read_text(encoding="utf-8").splitlines()
            assert [line for line in lines if "crashed" in line or "brought back" in line] == []


def count_owners(cluster: Cluster, database: str) -> int:
    with cluster.connected(database) as connection:
        row = connection.execute("SELECT count(*) FROM heat.owners").fetchone()
    assert row is not None
    return int(row[0])


async def test_nothing_that_a_fleet_acknowledged_is_lost_whatever_happens_to_its_servers(
    tmp_path: Path,
) -> None:
    harm, rooms = 15, 12
    with started("fsync=on") as cluster:
        database = cluster.new_database()
        url = cluster.url(database)
        with cluster.connected(database) as connection:
            connection.execute(EPOCHS_RISE)
        servers = Servers(url, tmp_path, 3)
        for place in range(3):
            await servers.live(place)

        def goes_on() -> bool:
            return servers.harm < harm

        options = RoomOptions(laps=1, cars=3, turn_milliseconds=60_000)
        tracks = [Track(options, goes_on, lambda: 0.3 if goes_on() else 0.0) for _ in range(rooms)]
        teams = [(track, team(servers.connect, track, number)) for number, track in enumerate(tracks)]
        try:
            async with trio.open_nursery() as riding:
                for _, riders in teams:
                    for rider in riders:
                        riding.start_soon(rider.ride)
                riding.start_soon(servers.suffer, harm)
        finally:
            with trio.CancelScope(shield=True):
                await servers.close()
        figures = audit(url, teams)
        assert count_owners(cluster, database) > rooms + harm
    assert figures.races >= rooms
    assert figures.acknowledged > 10 * rooms
