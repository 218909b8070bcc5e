"""The server's rows: a real server with its store, and scripted clients over TCP in this process.

Both processes need a core of their own; on a machine that has other work to do the figures say little.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from heat_core.wire.messages import Create, RoomOptions, Start
from tests.load.client import Client, Counts
from tests.load.server import Running, running_server
from tests.load.swarm import Figures, Swarm

ROOMS = 100
SEATS = 6
OPEN_MATCHES = 1_000


@contextmanager
def _server() -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder:
        with running_server(Path(folder) / "store.sqlite3") as server:
            yield server


async def _raced(port: int, per_second: float | None, seconds: float) -> Figures:
    swarm = Swarm(port, ROOMS, SEATS, per_second)
    await swarm.sit_down()
    return await swarm.race(seconds)


def commands_per_second() -> float:
    """Commands a second that are answered, all clients acting as soon as they are asked."""
    with _server() as server:
        return asyncio.run(_raced(server.port, None, 10)).per_second


@cache
def _paced() -> Figures:
    with _server() as server:
        return asyncio.run(_raced(server.port, 1_000, 10))


def median_milliseconds() -> float:
    """The time from a command to its answer at 1,000 commands a second."""
    return _paced().median_ms


def slow_milliseconds() -> float:
    """The 99th percentile of the same."""
    return _paced().slow_ms


def seated_client_kibibytes() -> float:
    """What the server holds for each client that sits in a lobby."""

    async def sit(port: int, server: Running) -> float:
        swarm = Swarm(port, ROOMS, SEATS, None)
        before = server.memory_bytes()
        await swarm.sit_down(start=False)
        grown = server.memory_bytes() - before
        swarm.hang_up()
        return grown / 1024 / (ROOMS * SEATS)

    with _server() as server:
        return asyncio.run(sit(server.port, server))


async def _open_matches(port: int, count: int) -> None:
    """Start races of one person against a Legend, one after another, and leave each as it is."""
    loop = asyncio.get_running_loop()

    async def start_one() -> None:
        _, client = await loop.create_connection(lambda: Client(Counts(), lambda _: None), "127.0.0.1", port)
        await client.hello()
        options = RoomOptions(track="usa", laps=2, legends=5)
        await client.ask(Create(0, "ana", None, options))
        await client.ask(Start(0))
        client.close()
        await client.closed

    for first in range(0, count, 50):
        await asyncio.gather(*(start_one() for _ in range(first, min(first + 50, count))))


def restart_seconds() -> float:
    """From the start of the program to its answering port, with 1,000 races in its store."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite3"
        with running_server(store) as server:
            asyncio.run(_open_matches(server.port, OPEN_MATCHES))
        began = time.perf_counter()
        with running_server(store):
            return time.perf_counter() - began
