"""A real `heat-server` in a process of its own, with room for a swarm."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from heat_server.store.address import DatabaseUrl


class Running(NamedTuple):
    """A server that takes connections.

    Attributes:
        port: On all addresses of this machine.
        process: What runs.
    """

    port: int
    process: subprocess.Popen[str]

    def memory_bytes(self) -> int:
        """Tell what the process holds."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * 4096

    def cpu_seconds(self) -> float:
        """Tell how long the process has worked, in all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


QUIET = ["--no-lan"]

ROOMY = """
    --connections 5000 --connections-per-address 5000 --hellos-per-minute 100000
    --rooms 2000 --rooms-per-address 2000 --messages-per-second 100000 --messages-per-address 1000000
    --messages-at-once 100000
    --log-level warning --no-lan --bot-time 0
""".split()  # noqa: SIM905  # a command line reads better as one


@contextmanager
def running_server(
    store: Path | DatabaseUrl | None,
    *options: str,
    port: int = 0,
    roomy: bool = True,
    operator_socket: Path | None = None,
    host: str = "127.0.0.1",
    prefix: Sequence[str] = (),
) -> Iterator[Running]:
    """Run a server; it is killed at the end.

    Args:
        store: Its store; None: without.
        options: More of its options.
        port: 0: any free one.
        roomy: Whether its limits make room for a swarm, which comes from one address.
        operator_socket: Where its operator asks; None: beside a store in a file, else nowhere.
        host: The address that it listens on.
        prefix: A command that runs it.
    """
    place = store.text if isinstance(store, DatabaseUrl) else store
    keeping = ["--no-store"] if place is None else ["--store", str(place)]
    if operator_socket is None and isinstance(store, Path):
        operator_socket = store.with_name(f"{store.name}.sock")
    status = ["--no-socket"] if operator_socket is None else ["--socket", str(operator_socket)]
    socket = ["--no-door-socket", *status]
    command = [*prefix, sys.executable, "-m", "heat_server", "--host", host, "--port", str(port)]
    with subprocess.Popen(
        [*command, *(ROOMY if roomy else QUIET), *keeping, *socket, *options],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("listening on"), line
            yield Running(int(line.split()[-1]), process)
        finally:
            process.kill()
