"""Honest people who come to a server, look round, sit down in a lobby and go, all with a stopwatch."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from itertools import count
from typing import Final

from heat_core.wire.messages import Create, Join, Leave, ListRooms
from tests.load.client import Client, Counts
from tests.load.swarm import OPTIONS

ADDRESSES: Final = 40
"""From how many addresses they come."""

EACH_SECONDS: Final = 0.25
"""One of them comes in so many seconds."""

OPENS_A_ROOM: Final = 8
"""One of so many opens a room of their own."""

ASKS_FOR_HEALTH: Final = 4
"""With one of so many comes a program that asks for the server's health."""

PATIENCE_SECONDS: Final = 10.0


class Newcomers:
    """People who have no seat yet.

    Attributes:
        answers: Seconds from each question to its answer; connecting is part of the first one.
        refused: Codes of what they were refused, with how often.
    """

    def __init__(self, port: int, codes: Sequence[str], metrics: int) -> None:
        """Prepare them.

        Args:
            port: Of a server on this machine.
            codes: Of lobbies with free places.
            metrics: The port of its metrics.
        """
        self.answers: list[float] = []
        self.refused: Counter[str] = Counter()
        self._port = port
        self._codes = codes
        self._metrics = metrics
        self._numbers = count()

    async def come(self) -> None:
        """Come one after another, until cancelled; nobody waits for the one before."""
        async with asyncio.TaskGroup() as group:
            for number in self._numbers:
                group.create_task(self._visit(number))
                if number % ASKS_FOR_HEALTH == 0:
                    group.create_task(self._check_health())
                await asyncio.sleep(EACH_SECONDS)

    async def _visit(self, number: int) -> None:
        client: Client | None = None
        began = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                client = await self._connect(number)
                await self._timed(client.try_hello(), began)
                await self._timed(client.ask(ListRooms(0)))
                await self._timed(client.ask(Join(0, self._codes[number % len(self._codes)], f"n{number}")))
                await self._timed(client.ask(Leave(0)))
                if number % OPENS_A_ROOM == 0:
                    await self._timed(client.ask(Create(0, f"n{number}", None, OPTIONS)))
                    await self._timed(client.ask(Leave(0)))
        except TimeoutError:
            self.answers.append(time.perf_counter() - began)
            self.refused["no answer"] += 1
        except OSError:
            self.refused[client.bye if client is not None and client.bye else "hung up on"] += 1
        finally:
            if client is not None:
                self.refused.update(client.counts.errors)
                client.close()

    async def _check_health(self) -> None:
        began, answer = time.perf_counter(), b""
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._metrics)
                writer.write(b"GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = await reader.read()
                writer.close()
        self.answers.append(time.perf_counter() - began)
        if not answer.startswith(b"HTTP/1.1 200 "):
            self.refused["health"] += 1

    async def _connect(self, number: int) -> Client:
        _, client = await asyncio.get_running_loop().create_connection(
            lambda: Client(Counts(), lambda _: None),
            "127.0.0.1",
            self._port,
            local_addr=(f"127.0.2.{number % ADDRESSES + 1}", 0),
        )
        return client

    async def _timed(self, answer: Awaitable[object], began: float | None = None) -> None:
        if began is None:
            began = time.perf_counter()
        await answer
        self.answers.append(time.perf_counter() - began)
