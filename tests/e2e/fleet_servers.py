"""The servers of a fleet, each a process at an address of its own, which end and come again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from heat_core.wire.address import Address
from heat_server.store.address import DatabaseUrl
from tests.load.server import Running, running_server

HERE = "127.0.0.1"


class FleetServers:
    """Servers on one database, by number.

    Attributes:
        running: The newest process of each.
        sockets: Where the operator of each asks.
    """

    def __init__(self, url: DatabaseUrl, folder: Path, number: int) -> None:
        """Start them.

        Args:
            url: Of the database.
            folder: For their logs.
            number: How many there are.
        """
        self._url = url
        self._logs = [folder / f"log-{place}" for place in range(number)]
        self.sockets = [folder / f"operator-{place}" for place in range(number)]
        self._lives = [ExitStack() for _ in range(number)]
        self.running: list[Running] = []
        for place in range(number):
            self.running.append(self._live(place, 0))

    def _live(self, place: int, port: int) -> Running:
        options = ("--log-file", str(self._logs[place]), "--log-level", "info")
        return self._lives[place].enter_context(
            running_server(self._url, *options, port=port, operator_socket=self.sockets[place])
        )

    @property
    def places(self) -> range:
        return range(len(self._lives))

    @property
    def addresses(self) -> list[Address]:
        return [Address(HERE, running.port) for running in self.running]

    def place_at(self, port: int) -> int:
        """Find the server that listens at a port."""
        return [running.port for running in self.running].index(port)

    def send(self, place: int, number: signal.Signals) -> None:
        """Send a server a signal."""
        self.running[place].process.send_signal(number)

    def end(self, place: int, number: signal.Signals) -> None:
        """End a server by a signal, and wait until it has ended."""
        self.send(place, number)
        self.running[place].process.wait()
        self._lives[place].close()

    def start_again(self, place: int) -> None:
        """Start a server that has ended, at the same address."""
        self.running[place] = self._live(place, self.running[place].port)

    def close(self) -> None:
        """Kill them.

        Raises:
            AssertionError: One of them has had a fault, by its log.
        """
        for life in self._lives:
            life.close()
        for log in self._logs:
            lines = log.read_text(encoding="utf-8").splitlines()
            assert [line for line in lines if "crashed" in line or "cannot be brought back" in line] == []


@contextmanager
def fleet_servers(url: DatabaseUrl, folder: Path, number: int = 3) -> Iterator[FleetServers]:
    """Run servers; at the end none of them has had a fault."""
    servers = FleetServers(url, folder, number)
    try:
        yield servers
    finally:
        servers.close()
