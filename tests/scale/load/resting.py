"""Nobody races: what a fleet costs whose rooms sleep, or whose people sit and wait."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Final

import msgspec

from heat_core.wire.messages import Create, RoomOptions, Start
from tests.load.client import Client, Counts
from tests.scale.load.database import opened
from tests.scale.load.fleet import Server, fleet
from tests.server.postgres import Cluster

_AT_ONCE: Final = 20
_MEBIBYTE: Final = 2**20
_SETTLE_SECONDS: Final = 2.5
"""Longer than the time between two renewals."""

_LEFT: Final = RoomOptions(track="usa", laps=1, legends=1)
_WAITING: Final = RoomOptions(track="usa", laps=2)


class Rest(msgspec.Struct, frozen=True):
    """What rests.

    Attributes:
        servers: On one database.
        sleeping: Rooms of each that are on disk only.
        awake: Rooms of each in whose lobby somebody sits.
    """

    servers: int
    sleeping: int
    awake: int


class Rested(msgspec.Struct, frozen=True):
    """What a fleet at rest costs.

    Attributes:
        rest: What rested.
        server_ms: Processor time of each server in a second, in milliseconds.
        database_ms: That of all the database's processes, for each server.
        commits_per_second: Of each server.
        transactions_per_second: Of each server, those that only read too.
        wal_bytes_per_second: Of each server.
        server_mebibytes: Of each server, the mean.
        backend_mebibytes: Of each server's backend, the mean of what it shares with no other process.
        load: Of the machine, as of its last minute.
    """

    rest: Rest
    server_ms: float
    database_ms: float
    commits_per_second: float
    transactions_per_second: float
    wal_bytes_per_second: float
    server_mebibytes: float
    backend_mebibytes: float
    load: float


async def _connect(port: int) -> Client:
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: Client(Counts(), lambda _: None), "127.0.0.1", port)
    await client.hello()
    return client


async def _open_rooms(port: int, rooms: int, *, leave: bool) -> list[Client]:
    """Open rooms: races that are left at once, or lobbies whose people stay."""

    async def open_one() -> Client:
        client = await _connect(port)
        made = await client.ask(Create(0, "ana", None, _LEFT if leave else _WAITING))
        assert made.code is not None, made
        if leave:
            await client.ask(Start(0))
            client.close()
            await client.closed
        return client

    clients: list[Client] = []
    for first in range(0, rooms, _AT_ONCE):
        some = range(first, min(first + _AT_ONCE, rooms))
        clients += await asyncio.gather(*(open_one() for _ in some))
    return clients


async def leave_races(server: Server, rooms: int) -> None:
    """Begin races and leave them; they sleep soon, if the server's `--sleep` is short."""
    await _open_rooms(server.running.port, rooms, leave=True)


def rest(what: Rest, seconds: float, cluster: Cluster) -> Rested:
    """Let a fleet rest for a time."""
    with opened(cluster) as database, fleet(database.url, what.servers, "--sleep", "1") as servers:

        async def measure() -> Rested:
            waiting: list[Client] = []
            for server in servers:
                await leave_races(server, what.sleeping)
                waiting += await _open_rooms(server.running.port, what.awake, leave=False)
            for server in servers:
                await asyncio.to_thread(server.wait_for_sleeping, what.sleeping)
            await asyncio.sleep(_SETTLE_SECONDS)
            running = [server.running for server in servers]
            worked, before = sum(one.cpu_seconds() for one in running), database.counters()
            began = time.monotonic()
            await asyncio.sleep(seconds)
            passed = time.monotonic() - began
            worked, done = (
                sum(one.cpu_seconds() for one in running) - worked,
                database.counters().since(before),
            )
            each = passed * what.servers
            backends = database.backend_bytes()
            rested = Rested(
                what,
                worked * 1000 / each,
                (done.backends_seconds + done.others_seconds) * 1000 / each,
                done.commits / each,
                done.transactions / each,
                done.wal_bytes / each,
                sum(one.memory_bytes() for one in running) / _MEBIBYTE / what.servers,
                sum(backends) / _MEBIBYTE / max(1, len(backends)),
                os.getloadavg()[0],
            )
            for client in waiting:
                client.close()
            return rested

        return asyncio.run(measure())
