"""Opening the stream to a server, and why that failed in words."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Final, TypeAlias

from heat_core.wire.address import Address
from heat_tui.door_way import DoorWay

CONNECT_SECONDS: Final = 8.0

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class ConnectFailed(Exception):
    """No connection was made.

    Attributes:
        text: Why, in one line for people.
        is_final: Whether trying again is of no use.
    """

    def __init__(self, text: str, *, is_final: bool = False) -> None:
        """Note why."""
        super().__init__(text)
        self.text = text
        self.is_final = is_final


async def dial(
    address: Address, door_way: DoorWay | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open the stream to a server.

    Args:
        address: The server's.
        door_way: How a guest reaches it; None: over the network.

    Raises:
        ConnectFailed: It cannot be opened.
    """
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            if door_way is not None:
                return await asyncio.open_unix_connection(os.fspath(door_way.socket))
            reader, writer = await asyncio.open_connection(address.host, address.port)
    except TimeoutError:
        raise ConnectFailed(
            f"{address} does not answer. Check the address, and whether a firewall blocks it."
        ) from None
    except (socket.gaierror, UnicodeError):
        raise ConnectFailed(f"There is no host named {address.host!a}.") from None
    except (ConnectionRefusedError, FileNotFoundError):
        raise ConnectFailed(_nothing_there(address, door_way)) from None
    except OSError as error:
        # Where a name has several numbers, asyncio puts the errors of all into one.
        if "Connect call failed" in str(error):
            raise ConnectFailed(_nothing_there(address, door_way)) from None
        raise ConnectFailed(f"{address} cannot be reached: {reason_of(error)}.") from None
    sock = writer.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return reader, writer


def _nothing_there(address: Address, door_way: DoorWay | None) -> str:
    if door_way is not None:
        return "The server of this door is not running. Try again later."
    return f"Nothing listens at {address}. Is heat-server running there?"


def reason_of(error: OSError) -> str:
    """Give the system's words for an error."""
    return error.strerror or type(error).__name__
