"""`python -m tests.load.watch`: a server under a light load for hours, and whether its memory stays flat.

Beside rooms that race on and on, there are visitors of all kinds: who opens a room and leaves it, who starts
a race and vanishes, who comes back to it, who hangs up at once, who sends rubbish. Each minute brings a line.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from heat_core.wire.messages import AskView, Create, Leave, RoomOptions, Start
from tests.load.client import Client, Counts
from tests.load.server import Running, running_server
from tests.load.swarm import Swarm

OPTIONS = ["--deserted", "300", "--sleep", "20", "--empty-lobby", "30", "--hello-time", "5"]
SOLO = RoomOptions(track="italy", laps=1, legends=2)


class Visitors:
    """People and others who come and go."""

    def __init__(self, port: int, seed: int) -> None:
        """Prepare them.

        Args:
            port: Of the server.
            seed: For who comes when.
        """
        self._port = port
        self._stream = random.Random(seed)
        self._tokens: list[str] = []
        self.visits = 0

    async def come_and_go(self) -> None:
        """Send one visitor after another, until cancelled."""
        kinds: list[Callable[[], Awaitable[None]]] = [
            self._open_and_leave,
            self._start_and_vanish,
            self._come_back,
            self._hang_up,
            self._send_rubbish,
        ]
        while True:
            await asyncio.sleep(self._stream.uniform(0.1, 0.9))
            with contextlib.suppress(OSError, ConnectionResetError):
                await self._stream.choice(kinds)()
            self.visits += 1

    async def _connect(self) -> Client:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(
            lambda: Client(Counts(), lambda _: None), "127.0.0.1", self._port
        )
        return client

    async def _open_and_leave(self) -> None:
        client = await self._connect()
        await client.hello()
        await client.ask(Create(0, "visitor", None, SOLO))
        await client.ask(Leave(0))
        client.close()

    async def _start_and_vanish(self) -> None:
        client = await self._connect()
        await client.hello()
        await client.ask(Create(0, "visitor", None, SOLO))
        await client.ask(Start(0))
        self._tokens.append(client.token)
        client.close()

    async def _come_back(self) -> None:
        if not self._tokens:
            return
        client = await self._connect()
        token = self._tokens.pop(self._stream.randrange(len(self._tokens)))
        answer = await client.try_hello(token)
        if answer.token is not None:
            await client.ask(AskView(0))
        client.close()

    async def _hang_up(self) -> None:
        (await self._connect()).close()

    async def _send_rubbish(self) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(self._stream.randbytes(self._stream.randrange(1, 5_000)))
        with contextlib.suppress(OSError):
            await writer.drain()
        writer.close()


async def _watch(server: Running, store: Path, arguments: argparse.Namespace) -> None:
    swarm = Swarm(server.port, arguments.rooms, 3, arguments.pace)
    await swarm.sit_down()
    visitors = Visitors(server.port, 1)
    visiting = asyncio.create_task(visitors.come_and_go())
    racing = asyncio.create_task(swarm.race(arguments.minutes * 60))
    began = time.monotonic()
    while not racing.done():
        await asyncio.wait([racing], timeout=60)
        size = sum(file.stat().st_size for file in store.parent.glob(f"{store.name}*") if file.is_file())
        print(
            f"{(time.monotonic() - began) / 60:6.1f} min  server {server.memory_bytes() / 2**20:6.1f} MiB, "
            f"{server.cpu_seconds():7.1f} s of work, store {size / 2**20:6.1f} MiB, "
            f"{len(swarm.counts.answers):8,} commands, {swarm.counts.races:5} races seen, "
            f"{visitors.visits:6} visits",
            flush=True,
        )
    visiting.cancel()
    figures = await racing
    print(
        f"errors: {figures.errors or 'none'}; median {figures.median_ms:.1f} ms, 99th {figures.slow_ms:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--rooms", type=int, default=12)
    parser.add_argument("--pace", type=float, default=40, help="acts in a second over all")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite3"
        with running_server(store, *OPTIONS) as server:
            asyncio.run(_watch(server, store, arguments))


if __name__ == "__main__":
    main()
