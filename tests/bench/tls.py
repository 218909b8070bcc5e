"""What encryption costs the server: `python -m tests.bench.tls` measures pairs, without TLS and with it.

All figures are processor time of the server's process, so other work on the machine changes them little.
"""

from __future__ import annotations

import asyncio
import ssl
import statistics
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.load.server import Running, running_server
from tests.load.swarm import Swarm

PAIRS: Final = 4
SECONDS: Final = 4.0
ROOMS: Final = 20
SEATS: Final = 6
HANDSHAKES: Final = 400


class Cost(NamedTuple):
    """What a server worked.

    Attributes:
        command_ms: For a command, in milliseconds.
        connection_ms: For a connection that says nothing: accepting it, handshake and end, in milliseconds.
    """

    command_ms: float
    connection_ms: float


def unchecked() -> ssl.SSLContext:
    """Make the clients' context: whom they speak to is known here."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def _cost(server: Running, tls: ssl.SSLContext | None) -> Cost:
    before = server.cpu_seconds()
    for _ in range(HANDSHAKES):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=tls)
        writer.transport.abort()
    connections = server.cpu_seconds() - before
    swarm = Swarm(server.port, ROOMS, SEATS, None, tls=tls)
    await swarm.sit_down()
    before, answered = server.cpu_seconds(), len(swarm.counts.answers)
    await swarm.race(SECONDS)
    worked = server.cpu_seconds() - before
    return Cost(worked / (len(swarm.counts.answers) - answered) * 1000, connections / HANDSHAKES * 1000)


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        own = ("--tls", "--tls-cert", str(Path(folder) / "certificate.pem"))
        pairs = []
        for _ in range(PAIRS):
            with running_server(None) as plain, running_server(None, *own) as encrypted:
                pairs.append((asyncio.run(_cost(plain, None)), asyncio.run(_cost(encrypted, unchecked()))))
    for name in Cost._fields:
        costs = [(getattr(plain, name), getattr(encrypted, name)) for plain, encrypted in pairs]
        without, with_tls = (statistics.median(cost[number] for cost in costs) for number in (0, 1))
        ratios = sorted(encrypted / plain for plain, encrypted in costs)
        print(
            f"{name:<13} {without:.3f} without, {with_tls:.3f} with TLS: {1000 / without:,.0f} and "
            f"{1000 / with_tls:,.0f} a second of one core; ratios {ratios[0]:.2f} to {ratios[-1]:.2f}"
        )


if __name__ == "__main__":
    main()
