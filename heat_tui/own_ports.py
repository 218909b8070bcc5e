"""Which ports of this machine are free."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Final

PORTS_TRIED: Final = 20


class NoFreePort(Exception):
    """All ports of a row are in use; the text says so in one sentence."""


def is_free(port: int, host: str = "") -> bool:
    """Tell whether a program could listen on a port now; without a host, at every address (IPv4)."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((host, port))
            attempt.listen(1)
        except OSError:
            return False
    return True


def free_ports(first: int, host: str = "") -> Iterator[int]:
    """Give a port and the next ones, as far as they are free; see `is_free`.

    Raises:
        NoFreePort: There are no more in a row of `PORTS_TRIED`.
    """
    for port in range(first, first + PORTS_TRIED):
        if is_free(port, host):
            yield port
    raise NoFreePort(f"The ports {first} to {first + PORTS_TRIED - 1} are all in use.")
