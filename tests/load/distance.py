"""`python -m tests.load.distance SOCKET MILLISECONDS`: a way to a database that is some milliseconds away.

It runs as a process of its own: on the loop of those who measure, what it carries would wait for them.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PIECE_BYTES = 65_536


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    """Hand on each piece so much later, however many are under way."""
    loop = asyncio.get_running_loop()
    while data := await reader.read(PIECE_BYTES):
        loop.call_later(seconds, writer.write, data)
    loop.call_later(seconds, writer.close)


async def _serve(path: str, one_way_seconds: float) -> None:
    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_unix_connection(path)
            await asyncio.gather(
                _carry(reader, far_writer, one_way_seconds), _carry(far_reader, writer, one_way_seconds)
            )

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


@contextmanager
def at_a_distance(socket: Path, milliseconds: float) -> Iterator[int]:
    """Lead to a socket from a port of this machine.

    Args:
        socket: Where the database listens.
        milliseconds: There and back.

    Yields:
        The port.
    """
    command = [sys.executable, "-m", "tests.load.distance", str(socket), str(milliseconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], float(sys.argv[2]) / 2000))
