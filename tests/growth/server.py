"""What a command costs a real server, by rooms, seats, spectators and the events so far.

The server runs in a process of its own with its store; scripted clients act as soon as they are asked.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from heat_core.wire.messages import RoomOptions
from tests.growth.fit import Point
from tests.load.server import Running, running_server
from tests.load.swarm import Swarm

_EIGHT_ALLOWED: Final = {"most_cars": "8"}
_ROOMS_SO_FAR: Final = 20
_WINDOW_SECONDS: Final = 0.5
_LONGEST_SECONDS: Final = 600.0
"""No crowd races for so long."""
_MEBIBYTE: Final = 2**20


class Crowd(NamedTuple):
    """Who is there.

    Attributes:
        rooms: How many.
        seats: Drivers in each, all of them clients.
        watchers: Spectators of each.
    """

    rooms: int
    seats: int = 6
    watchers: int = 0


class Load(NamedTuple):
    """What a crowd makes of a server.

    Attributes:
        per_second: Commands a second that are answered.
        milliseconds: Processor time of the server for one of them.
        seated_mebibytes: What the server holds more than before anybody came, when all sit in their lobbies.
        mebibytes: The same at the end of the time.
    """

    per_second: float
    milliseconds: float
    seated_mebibytes: float
    mebibytes: float


@contextmanager
def _server() -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder) / "store.sqlite3") as server:
        yield server


def _options(cars: int, laps: int) -> RoomOptions:
    return RoomOptions(track="usa", laps=laps, cars=cars, settings=_EIGHT_ALLOWED)


def load(crowd: Crowd, seconds: float) -> Load:
    """Have a crowd race for a time."""

    async def race(server: Running) -> Load:
        before = server.memory_bytes()
        swarm = Swarm(
            server.port,
            crowd.rooms,
            crowd.seats,
            None,
            options=_options(crowd.seats, 2),
            watchers=crowd.watchers,
        )
        await swarm.sit_down(start=False)
        seated = server.memory_bytes() - before
        await swarm.start()
        racing = asyncio.create_task(swarm.race(_LONGEST_SECONDS, hang_up=False))
        # What the start of the races costs is over when each client has answered about three times.
        while len(swarm.counts.answers) < 3 * crowd.rooms * crowd.seats:  # noqa: ASYNC110  # clients only count
            await asyncio.sleep(0.1)
        commands, worked = len(swarm.counts.answers), server.cpu_seconds()
        await asyncio.sleep(seconds)
        commands, worked = len(swarm.counts.answers) - commands, server.cpu_seconds() - worked
        grown = server.memory_bytes() - before
        racing.cancel()
        swarm.hang_up()
        return Load(commands / seconds, worked / commands * 1000, seated / _MEBIBYTE, grown / _MEBIBYTE)

    with _server() as server:
        return asyncio.run(race(server))


def by_events_so_far(most_seconds: float) -> list[Point]:
    """Give milliseconds of the server for a command, by the mean number of events that the races have had.

    Races of eight cars over 4 laps, until the first is over.

    Args:
        most_seconds: Whether they are over by then or not.
    """

    async def race(server: Running) -> list[Point]:
        swarm = Swarm(server.port, _ROOMS_SO_FAR, 8, None, options=_options(8, 4))
        await swarm.sit_down()
        loop = asyncio.get_running_loop()
        ends = loop.time() + most_seconds
        hosts = [clients[0] for clients in swarm.clients]
        points: list[Point] = []
        while loop.time() < ends and not any(host.is_over for host in hosts):
            commands, worked = len(swarm.counts.answers), server.cpu_seconds()
            await asyncio.sleep(_WINDOW_SECONDS)
            commands, worked = len(swarm.counts.answers) - commands, server.cpu_seconds() - worked
            if commands:
                events = sum(host.events for host in hosts) / len(hosts)
                points.append((events, worked / commands * 1000))
        swarm.hang_up()
        return points

    with _server() as server:
        return asyncio.run(race(server))
