"""The servers that are measured: some on one database, or one with a file."""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from heat_server.store.address import DatabaseUrl
from tests.load.server import Running, running_server

ROOMY: Final = ("--connections=15000", "--connections-per-address=15000", "--hellos-per-minute=100000")
ROOMY_ROOMS: Final = ("--rooms=10000", "--rooms-per-address=10000", "--left-rooms-per-address=100000")

_ASLEEP: Final = re.compile(r"^heat_server_sleeping_rooms (\S+)$", re.MULTILINE)


class Server:
    """One server of a fleet.

    Attributes:
        running: Its process and port.
    """

    def __init__(self, running: Running, metrics_port: int) -> None:
        """Take note of a server that runs and answers by HTTP on a port."""
        self.running = running
        self._metrics = f"http://127.0.0.1:{metrics_port}/metrics"

    def sleeping_rooms(self) -> int:
        """Ask it how many of its rooms sleep."""
        with urllib.request.urlopen(self._metrics, timeout=10) as answer:
            found = _ASLEEP.search(answer.read().decode())
        assert found is not None
        return int(float(found[1]))

    def wait_for_sleeping(self, rooms: int, patience_seconds: float = 120) -> None:
        """Wait until so many of its rooms sleep.

        Raises:
            TimeoutError: They do not.
        """
        deadline = time.monotonic() + patience_seconds
        while (asleep := self.sleeping_rooms()) < rooms:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{asleep} of {rooms} rooms sleep")
            time.sleep(0.25)


@contextmanager
def fleet(store: Path | DatabaseUrl, number: int, *options: str) -> Iterator[list[Server]]:
    """Run servers that share a store; they are killed at the end."""
    with ExitStack() as stack:
        servers: list[Server] = []
        for _ in range(number):
            port = _free_port()
            metrics = ("--metrics", str(port))
            running = running_server(store, *ROOMY, *ROOMY_ROOMS, *metrics, *options)
            servers.append(Server(stack.enter_context(running), port))
        yield servers


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
