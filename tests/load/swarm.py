"""Rooms full of scripted clients, paced or as quick as the server answers."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections import deque
from typing import NamedTuple

import msgspec

from heat_core.wire.messages import Create, Join, Rematch, RoomOptions, Start, TakeSeat, Watch
from tests.load.client import Client, Counts

WARM_UP_SECONDS = 2.0
"""At first all are asked at once, which no evening among friends does."""

OPTIONS = RoomOptions(track="usa", laps=2)


class Figures(NamedTuple):
    """What a swarm measured.

    Attributes:
        seconds: How long it raced.
        commands: Acts that were answered.
        per_second: The same in a second.
        median_ms: From an act to its answer.
        slow_ms: The 99th percentile of that.
        races: Seats that saw their race end.
        errors: By code.
    """

    seconds: float
    commands: int
    per_second: float
    median_ms: float
    slow_ms: float
    races: int
    errors: dict[str, int]


class Swarm:
    """Some rooms of clients in one process.

    Attributes:
        counts: What they have seen.
        clients: The drivers of each room.
    """

    def __init__(
        self,
        port: int,
        rooms: int,
        seats: int,
        per_second: float | None,
        seed: int = 1,
        *,
        options: RoomOptions | None = None,
        watchers: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Prepare the clients.

        Args:
            port: Of a server on this machine.
            rooms: How many.
            seats: In each, all driven by clients.
            per_second: How many acts in a second; None: at once.
            seed: For the latencies.
            options: Of each room; None: the usual ones.
            watchers: How many spectators each room has, besides.
            tls: By which the clients encrypt; None: they do not.
        """
        self.counts = Counts()
        self._port = port
        self._rooms = rooms
        self._seats = seats
        self._per_second = per_second
        self._stream = random.Random(seed)
        self._queue: deque[Client] = deque()
        self.clients: list[list[Client]] = []
        self._watchers: list[Client] = []
        self._watchers_of_a_room = watchers
        self._tls = tls
        self._options = options or (OPTIONS if seats > 1 else msgspec.structs.replace(OPTIONS, legends=1))

    def _wait_turn(self, client: Client) -> None:
        if self._per_second is None:
            client.act()
        else:
            self._queue.append(client)

    async def _pace(self) -> None:
        """Let clients act in turn, at the agreed pace with a little jitter."""
        assert self._per_second is not None
        due = time.perf_counter()
        while True:
            now = time.perf_counter()
            while self._queue and due <= now:
                self._queue.popleft().act()
                due += self._stream.uniform(0.5, 1.5) / self._per_second
            if not self._queue:
                due = max(due, now)
            await asyncio.sleep(max(0.0005, due - now))

    async def sit_down(self, *, start: bool = True) -> None:
        """Connect everybody and fill the rooms.

        Args:
            start: Whether the races begin.
        """
        loop = asyncio.get_running_loop()

        async def connect() -> Client:
            _, client = await loop.create_connection(
                lambda: Client(self.counts, self._wait_turn), "127.0.0.1", self._port, ssl=self._tls
            )
            await client.hello()
            return client

        async def fill(number: int) -> None:
            clients = [await connect() for _ in range(self._seats)]
            self.clients.append(clients)
            made = await clients[0].ask(Create(0, "p0", None, self._options))
            assert made.code is not None, made
            for seat, client in enumerate(clients[1:], 1):
                await client.ask(Join(0, made.code, f"p{seat}"))
                await client.ask(TakeSeat(0, ready=True))
            watchers = [await connect() for _ in range(self._watchers_of_a_room)]
            self._watchers += watchers
            for number, client in enumerate(watchers):
                await client.ask(Watch(0, made.code, f"w{number}"))
            if start:
                await clients[0].ask(Start(0))

        for first in range(0, self._rooms, 20):
            await asyncio.gather(*(fill(n) for n in range(first, min(first + 20, self._rooms))))

    async def start(self) -> None:
        """Begin the races of all rooms that `sit_down` has filled without starting them."""
        await asyncio.gather(*(clients[0].ask(Start(0)) for clients in self.clients))

    async def race(self, seconds: float, *, hang_up: bool = True) -> Figures:
        """Race for a time after a short start, again where a race ends before; then hang up."""
        pacing = [] if self._per_second is None else [asyncio.create_task(self._pace())]
        keeping = asyncio.create_task(self._race_again())
        await asyncio.sleep(WARM_UP_SECONDS)
        began = time.perf_counter()
        first = len(self.counts.answers)
        await asyncio.sleep(seconds)
        passed = time.perf_counter() - began
        for task in (*pacing, keeping):
            task.cancel()
        answers = sorted(self.counts.answers[first:]) or [0.0]
        if hang_up:
            self.hang_up()
        return Figures(
            passed,
            len(answers),
            len(answers) / passed,
            answers[len(answers) // 2] * 1000,
            answers[len(answers) * 99 // 100] * 1000,
            self.counts.races,
            self.counts.errors,
        )

    def hang_up(self) -> None:
        """Close all connections."""
        for clients in (*self.clients, self._watchers):
            for client in clients:
                client.close()

    async def _race_again(self) -> None:
        """Have a rematch wherever a race has ended."""
        while True:
            await asyncio.sleep(0.25)
            for clients in self.clients:
                if all(client.is_over for client in clients):
                    for client in clients:
                        client.is_over = False
                    await clients[0].ask(Rematch(0))
                    for client in clients[1:]:
                        await client.ask(TakeSeat(0, ready=True))
                    await clients[0].ask(Start(0))
