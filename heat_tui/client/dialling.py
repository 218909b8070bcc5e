"""Opening the stream to a server, and why that failed in words."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Final

from heat_core.wire.address import Address
from heat_tui.client.certificates import Streams, open_encrypted
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.known_servers import KnownServers
from heat_tui.door_way import DoorWay

CONNECT_SECONDS: Final = 8.0


class Dialler:
    """Opens the stream to servers, as one player reaches them from here.

    Attributes:
        news: What the player should read about the certificate of the last server; "": nothing.
    """

    def __init__(self, known: KnownServers, door_way: DoorWay | None = None) -> None:
        """Prepare.

        Args:
            known: The servers met before.
            door_way: How a guest reaches the server of a door; None: over the network.
        """
        self.news = ""
        self._known = known
        self._door_way = door_way

    @property
    def header(self) -> bytes:
        """What is said before the hello, in one piece with it."""
        return b"" if self._door_way is None else self._door_way.header

    async def dial(self, address: Address) -> Streams:
        """Open the stream to a server; one over TLS only to one whose certificate is right.

        Raises:
            ConnectFailed: It cannot be opened.
        """
        nothing_there = (
            f"Nothing listens at {address}. Is heat-server running there?"
            if self._door_way is None
            else "The server of this door is not running. Try again later."
        )
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await self._open(address)
        except TimeoutError:
            raise ConnectFailed(
                f"{address} does not answer. Check the address, and whether a firewall blocks it."
            ) from None
        except (socket.gaierror, UnicodeError):
            raise ConnectFailed(f"There is no host named {address.host!a}.") from None
        except (ConnectionRefusedError, FileNotFoundError):
            raise ConnectFailed(nothing_there) from None
        except OSError as error:
            # Where a name has several numbers, asyncio puts the errors of all into one.
            if "Connect call failed" in str(error):
                raise ConnectFailed(nothing_there) from None
            raise ConnectFailed(f"{address} cannot be reached: {reason_of(error)}.") from None

    async def _open(self, address: Address) -> Streams:
        if self._door_way is not None:
            return await asyncio.open_unix_connection(os.fspath(self._door_way.socket))
        if address.is_tls:
            streams, self.news = await open_encrypted(address, self._known)
        else:
            streams = await asyncio.open_connection(address.host, address.port)
        if (own := streams[1].get_extra_info("socket")) is not None:
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return streams


def reason_of(error: OSError) -> str:
    """Give the system's words for an error."""
    return error.strerror or type(error).__name__
