"""Drivers who come back to their race by themselves, with the pauses of real clients."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Final

from heat_core.wire.messages import AskView, Create, Join, RoomOptions, Start, TakeSeat
from heat_tui.client.backoff import growing_pause, move_pause, soon_pause
from heat_tui.client.fleet import MOST_TRIED
from tests.load.client import Client, Counts

_AT_ONCE: Final = 20
OPTIONS: Final = RoomOptions(track="usa", laps=3)


class Comer:
    """One driver, at whatever server.

    Attributes:
        room: Which one it is in, by number.
        counts: What it has seen.
        back_at: When it last came back to its room, by the monotonic clock; 0: it never had to.
        tries: How often it has said hello to come back.
    """

    def __init__(self, room: int, ports: Sequence[int], pause_seconds: float, stream: random.Random) -> None:
        """Prepare a driver.

        Args:
            room: Which one, by number.
            ports: Of all servers, its first one in front.
            pause_seconds: How long it thinks about each decision, on average.
            stream: For thoughts and for the choice of a server.
        """
        self.room = room
        self.counts = Counts()
        self.back_at = 0.0
        self.tries = 0
        self._ports = list(ports)
        self._pause_seconds = pause_seconds
        self._stream = stream
        self._client: Client
        self._keeping: asyncio.Task[None] | None = None

    @property
    def client(self) -> Client:
        """Its connection of now."""
        return self._client

    async def begin(self) -> None:
        """Connect as somebody new; from now on it comes back by itself."""
        self._client = await self._connect(self._ports[0])
        await self._client.hello()
        self._keeping = asyncio.create_task(self._keep())

    async def end(self) -> None:
        """Hang up."""
        assert self._keeping is not None
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        self._client.close()

    async def _connect(self, port: int) -> Client:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(lambda: Client(self.counts, self._think), "127.0.0.1", port)
        return client

    def _think(self, client: Client) -> None:
        """Act after a while; at once where the driver has just come back."""
        thought = self._stream.uniform(0.5, 1.5) * self._pause_seconds if client.acts else 0.0
        asyncio.get_running_loop().call_later(thought, self._act, client)

    def _act(self, client: Client) -> None:
        if client is self._client and not client.closed.done():
            client.act()

    async def _keep(self) -> None:
        while True:
            await self._client.closed
            token, known, attempt = self._client.token, self._client.events, 0
            if self._client.moved_to:
                self._ports.sort(key=lambda port: port != _port_of(self._client.moved_to))
            while True:
                pause = soon_pause(growing_pause, attempt)
                await asyncio.sleep(move_pause() if self._client.moved_to and not attempt else pause)
                attempt += 1
                if await self._come_back(token, known):
                    break
            self.back_at = time.monotonic()

    async def _come_back(self, token: str, known: int) -> bool:
        """Make one attempt, as the link of a real client does: its own server first, then some others."""
        others = self._ports[1:]
        self._stream.shuffle(others)
        for first in (self._ports[0], *others)[:MOST_TRIED]:
            port: int | None = first
            while port is not None:
                try:
                    client = await self._connect(port)
                except OSError:
                    break
                self.tries += 1
                try:
                    answer = await client.try_hello(token)
                    if answer.token is not None:
                        self._client = client
                        viewed = await client.ask(AskView(0, known))
                        if viewed.type != "error":
                            self._ports.remove(port)
                            self._ports.insert(0, port)
                            return True
                except ConnectionResetError:
                    break
                client.close()
                moved = answer.data.moved_to if answer.data is not None else None
                port = _port_of(moved) if moved else None
        return False


def _port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


async def seated(
    rooms: int, seats: int, ports: Sequence[int], pause_seconds: float, seed: int = 1
) -> list[list[Comer]]:
    """Fill rooms of the first server with drivers, and start their races."""
    stream = random.Random(seed)

    async def fill(number: int) -> list[Comer]:
        comers = [Comer(number, ports, pause_seconds, stream) for _ in range(seats)]
        for comer in comers:
            await comer.begin()
        made = await comers[0].client.ask(Create(0, "p0", None, OPTIONS))
        assert made.code is not None, made
        for seat, comer in enumerate(comers[1:], 1):
            await comer.client.ask(Join(0, made.code, f"p{seat}"))
            await comer.client.ask(TakeSeat(0, ready=True))
        await comers[0].client.ask(Start(0))
        return comers

    found: list[list[Comer]] = []
    for first in range(0, rooms, _AT_ONCE):
        found += await asyncio.gather(*(fill(n) for n in range(first, min(first + _AT_ONCE, rooms))))
    return found
