"""Hundreds of hostile connections from many addresses of this machine, each misbehaving in its own way.

`python -m tests.load.siege` holds a server under siege while ten rooms race, and tells how these fared. The
ways are: frames that are none, values that no message has, floods, silence, and peers
that do not read.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import msgpack  # type: ignore[import-untyped]  # because it has no types of its own

from heat_core.race import commands as c
from heat_core.wire.codec import encode_client_message
from heat_core.wire.messages import (
    PROTOCOL,
    Act,
    AskView,
    ClientMessage,
    Create,
    Hello,
    Join,
    ListRooms,
    Ping,
    RoomOptions,
    Say,
    Start,
)
from tests.load.server import Running, running_server
from tests.load.swarm import Figures, Swarm

ADDRESSES = 45
"""How many of this machine's loopback addresses the besiegers come from."""

LONGEST_SECONDS = 6.0
"""How long a besieger keeps at it before they come anew, unless hung up on before."""

HELLO = encode_client_message(Hello(0, PROTOCOL, "besieger", "1"))

Way = Callable[[asyncio.StreamReader, asyncio.StreamWriter, random.Random], Awaitable[None]]


def frame(value: object) -> bytes:
    """Make a frame of any value."""
    payload: bytes = msgpack.packb(value)
    return struct.pack(">I", len(payload)) + payload


async def _read_all(reader: asyncio.StreamReader) -> None:
    while await reader.read(65_536):
        pass


async def no_length(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Send a length that no frame has."""
    writer.write(struct.pack(">I", chance.choice([0, 65_537, 2**31, 2**32 - 1])) + b"x" * 100)
    await _read_all(reader)


async def half_a_header(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Begin a frame and fall silent."""
    writer.write(chance.choice([b"", b"\0", b"\0\0\1", HELLO[:-3]]))
    await _read_all(reader)


async def byte_by_byte(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Say hello, a byte now and then."""
    for number in range(len(HELLO)):
        writer.write(HELLO[number : number + 1])
        await asyncio.sleep(0.05)
    await _read_all(reader)


async def another_protocol(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Speak HTTP, TLS, telnet, or nothing that has a name."""
    http = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    tls = bytes.fromhex("160301020001000001fc0303") + chance.randbytes(500)
    writer.write(chance.choice([http, tls, b"\xff\xfb\x1f\r\nhelp\r\n", chance.randbytes(5_000)]))
    await _read_all(reader)


async def odd_values(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Say hello, then maps that are no messages, until it is too much."""
    writer.write(HELLO)
    deep: object = 0
    for _ in range(200):
        deep = [deep]
    odd: list[object] = [
        {"type": "create", "id": 1, "name": "x" * 60_000},
        {"type": "act", "id": -1, "decision": 10**18, "command": {"type": "GiveUp"}},
        {"type": "join", "id": True, "code": "FHK34", "name": None},
        {"type": "rooms", "id": 1.5},
        {"type": "nothing", "id": 1},
        {"type": "say", "id": 1, "text": deep},
        [1, 2, 3],
        "text",
        {1: 2},
    ]
    while True:
        writer.write(frame(chance.choice(odd)))
        writer.write(b"\0\0\0\5\xdd\xff\xff\xff\xff")  # a list that says it has 2^32 - 1 items
        await writer.drain()
        if not await reader.read(65_536):
            return


async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
    """Ask as fast as the line takes it."""
    writer.write(HELLO)
    questions: list[ClientMessage] = [Ping(1), ListRooms(1), AskView(1)]
    question = encode_client_message(chance.choice(questions))
    reading = asyncio.create_task(_read_all(reader))
    try:
        while not reading.done():
            writer.write(question * 100)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def never_read(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Ask on and on, and read nothing of the answers."""
    writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads can also pause
    writer.write(HELLO)
    while True:
        writer.write(encode_client_message(ListRooms(1)) * 50)
        await asyncio.wait_for(writer.drain(), LONGEST_SECONDS)
        await asyncio.sleep(0.02)


async def rooms_for_nobody(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Open a room, start its race, and go; or talk a lot in it."""
    writer.write(HELLO + encode_client_message(Create(1, "besieger", None, RoomOptions(legends=1, laps=1))))
    writer.write(encode_client_message(Start(2)))
    for number in range(chance.randrange(30)):
        writer.write(encode_client_message(Say(3 + number, "noise")))
        writer.write(encode_client_message(Act(50 + number, number, c.ShiftGear(4))))
    await writer.drain()
    await asyncio.sleep(chance.random())


async def strange_doors(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random
) -> None:
    """Guess codes and tokens."""
    writer.write(encode_client_message(Hello(0, PROTOCOL, "", "", chance.randbytes(20).hex())) + HELLO)
    while True:
        code = "".join(chance.choice("FHKMRWXY34679") for _ in range(5))
        writer.write(encode_client_message(Join(1, code, "besieger")))
        await writer.drain()
        if not await reader.read(4096):
            return


WAYS: tuple[Way, ...] = (
    no_length,
    half_a_header,
    byte_by_byte,
    another_protocol,
    odd_values,
    flood,
    never_read,
    rooms_for_nobody,
    strange_doors,
)


class Siege:
    """Besiegers who come again whenever they are hung up on.

    Attributes:
        visits: How often each way was tried.
        standing: How many connections stand now.
    """

    def __init__(self, port: int, besiegers: int, seed: int = 1) -> None:
        """Prepare a siege.

        Args:
            port: Of a server on this machine.
            besiegers: How many connections at a time.
            seed: For what they do.
        """
        self.visits: Counter[str] = Counter()
        self.standing = 0
        self._port = port
        self._besiegers = besiegers
        self._seed = seed

    async def hold(self) -> None:
        """Besiege until cancelled."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._besiegers):
                group.create_task(self._besiege(number))

    async def _besiege(self, number: int) -> None:
        chance = random.Random(f"{self._seed}/{number}")
        address = f"127.0.1.{number % ADDRESSES + 1}"
        await asyncio.sleep(chance.uniform(0, 2))
        while True:
            way = WAYS[(number + self.visits.total()) % len(WAYS)]
            self.visits[way.__name__] += 1
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self._visit(way, address, chance)
            await asyncio.sleep(chance.uniform(0.1, 1.0))

    async def _visit(self, way: Way, address: str, chance: random.Random) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))
        self.standing += 1
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await way(reader, writer, chance)
        except TimeoutError:
            pass
        finally:
            self.standing -= 1
            writer.transport.abort()


async def _hold(port: int, besiegers: int) -> None:
    """Besiege until the input ends; then tell how it was."""
    siege = Siege(port, besiegers)
    holding = asyncio.create_task(siege.hold())
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    most = 0
    while not ended.done():
        most = max(most, siege.standing)
        await asyncio.sleep(0.05)
    print(json.dumps({"most_standing": most, "visits": siege.visits}), flush=True)
    holding.cancel()
    os._exit(0)  # nine hundred at odds with their streams are not waited for


class Fared(NamedTuple):
    """How honest rooms fared.

    Attributes:
        before: Without a siege.
        during: Under it.
        most_standing: How many besiegers stood at a time, at the most.
        visits: How often each way was tried.
        grown_bytes: What the server holds more after the siege.
    """

    before: Figures
    during: Figures
    most_standing: int
    visits: dict[str, int]
    grown_bytes: int


async def besiege(server: Running, besiegers: int, seconds: float, rooms: int = 10) -> Fared:
    """Race in some rooms, first undisturbed and then under siege, which another process holds."""
    swarm = Swarm(server.port, rooms, 2, per_second=rooms * 4.0)
    await swarm.sit_down()
    before = await swarm.race(seconds, hang_up=False)
    held = server.memory_bytes()
    command = [
        sys.executable,
        "-m",
        "tests.load.siege",
        "--hold",
        str(server.port),
        "--besiegers",
        str(besiegers),
    ]
    pipe = asyncio.subprocess.PIPE
    siege = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    during = await swarm.race(seconds)
    told, _ = await siege.communicate(b"")
    visited = json.loads(told)
    return Fared(before, during, visited["most_standing"], visited["visits"], server.memory_bytes() - held)


OPTIONS = ("--rooms", "2000", "--connections", "1100", "--log-level", "error")
"""The defaults of a server, but for the number of connections; only what is a fault is logged."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--besiegers", type=int, default=900)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--hold", type=int, metavar="PORT", help="only besiege, until the input ends")
    arguments = parser.parse_args()
    if arguments.hold is not None:
        asyncio.run(_hold(arguments.hold, arguments.besiegers))
        return
    with tempfile.TemporaryDirectory() as folder:
        with running_server(Path(folder) / "store.sqlite3", *OPTIONS, roomy=False) as server:
            fared = asyncio.run(besiege(server, arguments.besiegers, arguments.seconds))
    for name, figures in (("before", fared.before), ("under siege", fared.during)):
        print(
            f"{name}: {figures.commands} commands, median {figures.median_ms:.1f} ms, "
            f"99th percentile {figures.slow_ms:.1f} ms, errors {figures.errors or 'none'}"
        )
    print(f"{fared.most_standing} besiegers at a time; {sum(fared.visits.values())} visits: {fared.visits}")
    print(f"the server holds {fared.grown_bytes / 2**20:.1f} MiB more")


if __name__ == "__main__":
    main()
