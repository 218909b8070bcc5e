"""`python -m tests.load.flooders`: floods of one kind from some addresses, until the input ends.

Each flooder is a connection that asks for one thing again and again, or only stands there; whoever is hung up
on comes again. What they were answered is counted and printed at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle
from typing import Final

from heat_core.wire.codec import HEADER_BYTES, encode_client_message
from heat_core.wire.messages import PROTOCOL, Create, Hello, Join, Leave, ListRooms, RoomOptions

HELLO: Final = encode_client_message(Hello(1, PROTOCOL, "flooder", "1"))
CREATE: Final = encode_client_message(Create(2, "flooder", None, RoomOptions(legends=1)))
LEAVE: Final = encode_client_message(Leave(3))
LIST: Final = encode_client_message(ListRooms(4))

CODE_SIGNS: Final = "FHKMRWXY34679"
QUESTION: Final = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"

AT_ONCE: Final = 20
"""How many questions of a flooder are under way: more than its server takes in a second."""

PAUSE_SECONDS: Final = 0.05
"""Before a flooder that could not connect tries again."""


class Line:
    """One connection of a flooder."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def frame(self) -> None:
        """Read one frame.

        Raises:
            asyncio.IncompleteReadError: The server has hung up.
        """
        header = await self._reader.readexactly(HEADER_BYTES)
        await self._reader.readexactly(int.from_bytes(header, "big"))

    async def end(self) -> None:
        """Read on until the server hangs up."""
        while await self._reader.read(65_536):
            pass


class Flood:
    """Some flooders.

    Attributes:
        messages: What the server has answered, or the connections that it took where nothing is asked.
        standing: How many are connected.
    """

    def __init__(self, port: int, kind: str, addresses: int, lines: int) -> None:
        """Prepare them.

        Args:
            port: Of a server on this machine; for floods of `MONITORING` that of its metrics.
            kind: One of `KINDS`.
            addresses: From how many addresses they come.
            lines: How many connections each address has at a time.
        """
        self.messages = 0
        self.standing = 0
        self._port = port
        self._way = KINDS[kind]
        self._addresses = addresses
        self._lines = lines

    async def hold(self) -> None:
        """Flood until cancelled."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._addresses * self._lines):
                group.create_task(self._come_again(f"127.0.1.{number % self._addresses + 1}", number))

    async def _come_again(self, address: str, number: int) -> None:
        chance = random.Random(number)
        while True:
            try:
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._port, local_addr=(address, 0)
                )
            except OSError:
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self.standing += 1
            try:
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    await self._way(self, Line(reader, writer), chance)
            finally:
                self.standing -= 1
                writer.transport.abort()

    async def _ask(self, line: Line, questions: Iterator[bytes]) -> None:
        """Say hello, and keep some questions under way."""
        line.write(HELLO)
        await line.frame()
        for _ in range(AT_ONCE):
            line.write(next(questions))
        while True:
            await line.frame()
            self.messages += 1
            line.write(next(questions))

    async def guess_codes(self, line: Line, chance: random.Random) -> None:
        """Ask for rooms that do not exist."""

        def guesses() -> Iterator[bytes]:
            while True:
                code = "".join(chance.choice(CODE_SIGNS) for _ in range(5))
                yield encode_client_message(Join(5, code, "flooder"))

        await self._ask(line, guesses())

    async def list_rooms(self, line: Line, chance: random.Random) -> None:
        """Ask for the list of rooms."""
        await self._ask(line, cycle([LIST]))

    async def open_and_leave(self, line: Line, chance: random.Random) -> None:
        """Open rooms and leave them."""
        await self._ask(line, cycle([CREATE, LEAVE]))

    async def hold_rooms(self, line: Line, chance: random.Random) -> None:
        """Open a room and stay; whoever gets none asks again."""
        await self._ask(line, cycle([CREATE]))

    async def say_hello(self, line: Line, chance: random.Random) -> None:
        """Say hello, hear the answer, and hang up."""
        self.messages += 1
        line.write(HELLO)
        await line.frame()

    async def stand_silent(self, line: Line, chance: random.Random) -> None:
        """Say nothing at all."""
        self.messages += 1
        await line.end()

    async def stand_idle(self, line: Line, chance: random.Random) -> None:
        """Say hello, and nothing else."""
        self.messages += 1
        line.write(HELLO)
        await line.end()

    async def scrape(self, line: Line, chance: random.Random) -> None:
        """Ask for the metrics, as Prometheus does."""
        await self._get(line, b"metrics")

    async def check_health(self, line: Line, chance: random.Random) -> None:
        """Ask whether the server takes players, as a balancer does."""
        await self._get(line, b"health/ready")

    async def _get(self, line: Line, page: bytes) -> None:
        line.write(QUESTION % page)
        await line.end()
        self.messages += 1


KINDS: Final[dict[str, Callable[[Flood, Line, random.Random], Awaitable[None]]]] = {
    "codes": Flood.guess_codes,
    "list": Flood.list_rooms,
    "create": Flood.open_and_leave,
    "rooms": Flood.hold_rooms,
    "hello": Flood.say_hello,
    "silent": Flood.stand_silent,
    "idle": Flood.stand_idle,
    "metrics": Flood.scrape,
    "health": Flood.check_health,
}

STANDING: Final = frozenset({"silent", "idle"})
"""Kinds whose flooders only stand there."""

MONITORING: Final = frozenset({"metrics", "health"})
"""Kinds that go to the address for metrics and health."""


async def _flood(arguments: argparse.Namespace) -> None:
    flood = Flood(arguments.port, arguments.kind, arguments.addresses, arguments.lines)
    holding = asyncio.create_task(flood.hold())
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    most = 0
    while not ended.done():
        most = max(most, flood.standing)
        await asyncio.wait([ended], timeout=0.05)
    print(json.dumps({"messages": flood.messages, "most_standing": most}), flush=True)
    holding.cancel()
    os._exit(0)  # hundreds in the middle of their work are not waited for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("port", type=int)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--lines", type=int, default=8, help="connections of each address at a time")
    arguments = parser.parse_args()
    os.nice(5)  # they would have machines of their own
    asyncio.run(_flood(arguments))


if __name__ == "__main__":
    main()
