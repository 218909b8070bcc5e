"""`python -m tests.load`: a server under load, for the figures and for long watches."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.load.server import Running, running_server
from tests.load.swarm import Figures, Swarm


async def _load(arguments: argparse.Namespace, server: Running) -> Figures:
    swarm = Swarm(server.port, arguments.rooms, arguments.seats, arguments.pace or None)
    await swarm.sit_down()
    own, theirs = time.process_time(), server.cpu_seconds()
    figures = await swarm.race(arguments.seconds)
    own, theirs = time.process_time() - own, server.cpu_seconds() - theirs
    each = 1000 / max(1, figures.commands)
    print(f"work a command: server {theirs * each:.3f} ms, clients {own * each:.3f} ms")
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seats", type=int, default=6, help="clients in each room")
    parser.add_argument("--pace", type=float, default=0, help="acts in a second over all; 0: at once")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--no-store", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = None if arguments.no_store else Path(folder) / "store.sqlite3"
        with running_server(store) as server:
            before = server.memory_bytes()
            figures = asyncio.run(_load(arguments, server))
            grown = server.memory_bytes() - before
    print(f"{figures.commands:,} commands in {figures.seconds:.1f} s: {figures.per_second:,.0f} a second")
    print(f"answers: median {figures.median_ms:.2f} ms, 99th percentile {figures.slow_ms:.2f} ms")
    print(f"races seen to the end by {figures.races} seats; errors {figures.errors or 'none'}")
    print(f"server: {before / 2**20:.1f} MiB at first, {grown / 2**20:.1f} MiB more")


main()
