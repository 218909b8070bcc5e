"""`python -m tests.load.floods`: what honest players feel while somebody floods the server.

For each kind of flood a server with its usual limits is started. Drivers race there and newcomers come and
go, first undisturbed, then beside flooders from one address, or from many.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from heat_core.wire.messages import Create, RoomOptions
from heat_server.store.address import DatabaseUrl
from tests.load.client import Client, Counts
from tests.load.distance import at_a_distance
from tests.load.flooders import KINDS, MONITORING, STANDING
from tests.load.newcomers import Newcomers
from tests.load.server import Running, running_server
from tests.load.swarm import Swarm
from tests.server.postgres import USER, Cluster, started

ROOMS: Final = 5
PER_SECOND: Final = 20.0
"""How many commands the drivers of all rooms send."""

LOBBIES: Final = 60
"""Open rooms for the list, each from an address of its own."""

OPEN_LOBBY: Final = RoomOptions(cars=6)

LINES: Final = {1: 60, 64: 8}
"""How many connections each address has, by the number of addresses."""

STANDING_LINES: Final = {1: 150, 64: 20}
"""The same where flooders only stand there: more than the limits let in."""

DATABASE_MILLISECONDS: Final = 20.0

LOOK_SECONDS: Final = 0.01

ALONE: Final = ("setsid",)
"""Linux shares the processor between sessions first: flooders, server and honest players have one each."""

OPTIONS: Final = ("--log-level", "error", "--bot-time", "0")


class Felt(NamedTuple):
    """What honest players felt for a time.

    Attributes:
        answers: How many answers they got.
        median_ms: Of their times.
        slow_ms: The 99th percentile of the same.
        worst_ms: The longest of drivers in their races, with what was still waited for at the end.
        worst_newcomer_ms: The longest of people who had no seat.
        own_ms: The longest time for which this program itself was held up by the machine.
        refused: Codes of what they were refused.
        server_seconds: How long the server's processes worked.
        seconds: How long that was watched.
    """

    answers: int
    median_ms: float
    slow_ms: float
    worst_ms: float
    worst_newcomer_ms: float
    own_ms: float
    refused: dict[str, int]
    server_seconds: float
    seconds: float


class Flooded(NamedTuple):
    """One flood.

    Attributes:
        kind: Of flood.
        addresses: From how many addresses.
        before: What honest players felt without it.
        during: The same beside it.
        messages: What the server answered flooders.
    """

    kind: str
    addresses: int
    before: Felt
    during: Felt
    messages: int

    @property
    def ms_per_message(self) -> float:
        """The work of the server for one message of the flood, in milliseconds."""
        usual = self.before.server_seconds / self.before.seconds * self.during.seconds
        return 1000 * max(0.0, self.during.server_seconds - usual) / max(1, self.messages)


class _Honest:
    """Drivers, newcomers, people who wait in lobbies, and a program that watches the server."""

    def __init__(self, server: Running, metrics: int) -> None:
        self._server = server
        self._metrics = metrics
        self._swarm = Swarm(server.port, ROOMS, 2, PER_SECOND)
        self._waiting: list[Client] = []
        self._newcomers: Newcomers

    async def sit_down(self) -> None:
        codes = [await self._open_lobby(number) for number in range(LOBBIES)]
        self._newcomers = Newcomers(self._server.port, codes, self._metrics)
        await self._swarm.sit_down()

    async def _open_lobby(self, number: int) -> str:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(
            lambda: Client(Counts(), lambda _: None),
            "127.0.0.1",
            self._server.port,
            local_addr=(f"127.0.3.{number + 1}", 0),
        )
        self._waiting.append(client)
        await client.hello()
        made = await client.ask(Create(0, "host", None, OPEN_LOBBY))
        assert made.type == "ok", made
        assert made.code is not None
        return made.code

    async def feel(self, seconds: float) -> Felt:
        """Play for a time, and tell how that was."""
        counts, newcomers = self._swarm.counts, self._newcomers
        coming = asyncio.create_task(newcomers.come())
        racing = asyncio.create_task(self._swarm.race(seconds, hang_up=False))
        holding_up = asyncio.create_task(_watch_oneself(lags := [0.0]))
        firsts = len(counts.answers), len(newcomers.answers)
        refused = Counter(counts.errors) + newcomers.refused
        began, worked = time.perf_counter(), self._server.cpu_seconds()
        await racing
        worked, passed = self._server.cpu_seconds() - worked, time.perf_counter() - began
        for task in (coming, holding_up):
            task.cancel()
        await asyncio.gather(coming, holding_up, return_exceptions=True)
        waited = [client.waits_seconds for clients in self._swarm.clients for client in clients]
        drivers, others = counts.answers[firsts[0] :], newcomers.answers[firsts[1] :]
        answers = sorted([*drivers, *others]) or [0.0]
        lost = sum(client.closed.done() for clients in self._swarm.clients for client in clients)
        now = Counter(counts.errors) + newcomers.refused - refused
        return Felt(
            len(answers),
            answers[len(answers) // 2] * 1000,
            answers[len(answers) * 99 // 100] * 1000,
            max(*drivers, *waited) * 1000,
            max(others, default=0.0) * 1000,
            max(lags) * 1000,
            dict(now + Counter({"driver lost": lost})),
            worked,
            passed,
        )


async def _watch_oneself(lags: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(LOOK_SECONDS)
        lags.append(time.perf_counter() - began - LOOK_SECONDS)


async def flood(server: Running, metrics: int, kind: str, addresses: int, seconds: float) -> Flooded:
    """Have honest players at a server, first alone and then beside a flood from another process.

    Args:
        server: With the usual limits.
        metrics: The port of its metrics.
        kind: One of `KINDS`.
        addresses: One of `LINES`.
        seconds: How long each of both is.
    """
    honest = _Honest(server, metrics)
    await honest.sit_down()
    before = await honest.feel(seconds)
    lines = (STANDING_LINES if kind in STANDING else LINES)[addresses]
    port = metrics if kind in MONITORING else server.port
    words = [kind, str(port), "--addresses", str(addresses), "--lines", str(lines)]
    pipe = asyncio.subprocess.PIPE
    flooders = await asyncio.create_subprocess_exec(
        *ALONE, sys.executable, "-m", "tests.load.flooders", *words, stdin=pipe, stdout=pipe
    )
    during = await honest.feel(seconds)
    told, _ = await flooders.communicate(b"")
    return Flooded(kind, addresses, before, during, json.loads(told)["messages"])


@contextmanager
def stores(kind: str) -> Iterator[Path | Cluster]:
    """Give a folder for files, or a database."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        with started() as cluster:
            yield cluster


@contextmanager
def flooded_server(place: Path | Cluster) -> Iterator[tuple[Running, int]]:
    """Run a server with its usual limits and a fresh store; a database is at a distance.

    Yields:
        The server, and the port of its metrics.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        metrics = listener.getsockname()[1]
    options = (*OPTIONS, "--metrics", str(metrics))
    if isinstance(place, Path):
        with running_server(
            place / f"{time.monotonic_ns()}.sqlite3", *options, roomy=False, prefix=ALONE
        ) as server:
            yield server, metrics
        return
    database = place.new_database()
    with at_a_distance(place.folder / ".s.PGSQL.5432", DATABASE_MILLISECONDS) as port:
        url = DatabaseUrl(f"postgresql://{USER}@127.0.0.1:{port}/{database}")
        with running_server(url, *options, roomy=False, prefix=ALONE) as server:
            yield server, metrics


def _line(store: str, what: str, felt: Felt, cost: str) -> str:
    refused = ", ".join(f"{count} {code}" for code, count in felt.refused.items()) or "nobody"
    share = 100 * felt.server_seconds / felt.seconds
    return (
        f"| {store} | {what} | {felt.median_ms:.1f} | {felt.slow_ms:.0f} | {felt.worst_ms:.0f} "
        f"| {felt.worst_newcomer_ms:.0f} | {felt.own_ms:.0f} | {refused} "
        f"| {share:.0f} % | {cost} |"
    )


HEAD: Final = """\
| store | flood | median ms | 99th ms | worst ms | newcomers' | own ms | refused | core | ms a message |
|---|---|---|---|---|---|---|---|---|---|"""


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, action="append", help="of flood; by default all")
    parser.add_argument("--store", choices=("sqlite", "postgres"), action="append", help="by default both")
    parser.add_argument("--addresses", type=int, choices=LINES, action="append", help="by default 1 and 64")
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args(words)
    print(HEAD, flush=True)
    for store in arguments.store or ("sqlite", "postgres"):
        with stores(store) as place:
            for kind in arguments.kind or KINDS:
                for addresses in arguments.addresses or LINES:
                    with flooded_server(place) as (server, metrics):
                        seen = asyncio.run(flood(server, metrics, kind, addresses, arguments.seconds))
                    print(_line(store, f"before {kind}", seen.before, ""))
                    cost = f"{seen.ms_per_message:.2f} ({seen.messages:,})"
                    print(_line(store, f"{kind}, {addresses}", seen.during, cost), flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
