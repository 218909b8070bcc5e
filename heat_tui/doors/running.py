"""Doors that stand open until a signal closes them."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from heat_core.signals import heeded

EVERY_ADDRESS: Final = ("", "0.0.0.0", "::")
"""The hosts that stand for all addresses of this machine."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class NotOpened(Exception):
    """A door that cannot be opened; the text says why in one line."""


class PortInUse(NotOpened):
    """Another program listens at the port of the door."""


def listen(host: str, port: int, option: str) -> socket.socket:
    """Listen at an address, or with none, and for `::`, at every one of both kinds.

    Args:
        option: The one that names another port.

    Raises:
        NotOpened: That cannot be; `PortInUse` if another port could.
    """
    try:
        if host in ("", "::") and socket.has_dualstack_ipv6():
            return socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
        if not host:
            return socket.create_server(("", port))
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family)
    except socket.gaierror:
        raise NotOpened(f"There is no host named {host!a}.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(f"Port {port} is in use. Choose another with {option}.") from None
        if error.errno is None:
            why = str(error)
        else:
            why = f"Cannot listen at {host or 'any address'}, port {port}: {os.strerror(error.errno)}."
        raise NotOpened(why) from None


class Door(Protocol):
    """A way in.

    Attributes:
        is_broken: Set when nobody can come in any more.
    """

    is_broken: asyncio.Event

    async def open(self) -> list[str]:
        """Let people in from now on, and give the lines that say how.

        Raises:
            NotOpened: That cannot be; `close` is called all the same.
        """
        ...

    def shut(self) -> None:
        """Listen no more; also where `open` was not called, or failed."""

    async def close(self) -> None:
        """Listen no more, end all programs and wait for them; also where `open` was not called, or failed."""

    def hurry(self) -> None:
        """End all programs at once."""


async def close_all(doors: Sequence[Door]) -> None:
    """Close doors to one house, which ends all its programs: nobody may come in by another one meanwhile."""
    for door in doors:
        door.shut()
    for door in doors:
        await door.close()


async def keep_open(doors: Sequence[Door], tell: Callable[[Sequence[str]], None]) -> bool:
    """Open doors, and close them at a signal; a second one ends their programs at once.

    Args:
        tell: Is called with the lines that say how to come in, once all are open.

    Returns:
        Whether a signal closed them, and not a fault.

    Raises:
        NotOpened: One cannot be opened; the others are closed then.
    """
    loop = asyncio.get_running_loop()
    signalled = asyncio.Event()

    def heard() -> None:
        if signalled.is_set():
            for door in doors:
                door.hurry()
        signalled.set()

    try:
        lines = []
        for door in doors:
            lines += await door.open()
        for number in heeded(_SIGNALS):
            loop.add_signal_handler(number, heard)
        tell(lines)
        ends = [loop.create_task(event.wait()) for event in (signalled, *(door.is_broken for door in doors))]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
    finally:
        await close_all(doors)
    return signalled.is_set()
