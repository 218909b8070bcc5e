"""Opening the stream to a server, and why that failed in words."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Final, NamedTuple

from heat_core.wire.address import Address
from heat_core.wire.ip_numbers import number_of
from heat_tui.client.certificates import Streams, open_encrypted
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.known_servers import KnownServers
from heat_tui.door_way import DoorWay

CONNECT_SECONDS: Final = 8.0


class Reach(NamedTuple):
    """How a server is gone to.

    Attributes:
        seconds: How long reaching it may take.
        chosen: The server that the player chose, where another server named this one: no certificate is
            believed there at first sight, and it is not on this machine if the chosen one is elsewhere. None:
            it is the chosen one.
    """

    seconds: float = CONNECT_SECONDS
    chosen: Address | None = None


ANY_REACH: Final = Reach()
"""To a server that the player chose."""


class Dialler:
    """Opens the stream to servers, as one player reaches them from here.

    Attributes:
        news: What the player should read about the certificate of the last server; "": nothing.
    """

    def __init__(
        self, known: KnownServers, door_way: DoorWay | None = None, server: Address | None = None
    ) -> None:
        """Prepare.

        Args:
            known: The servers met before.
            door_way: How a guest reaches the server of a door; None: over the network.
            server: That of the door; None: any.
        """
        self.news = ""
        self._known = known
        self._door_way = door_way
        self._server = server

    def header_for(self, address: Address) -> bytes:
        """Give what is said to a server before the hello, in one piece with it."""
        way = self._way_to(address)
        return b"" if way is None else way.header

    def _way_to(self, address: Address) -> DoorWay | None:
        """Give the door to a server; the others of its fleet are reached over the network."""
        is_there = self._server is None or address.place == self._server.place
        return self._door_way if is_there else None

    async def dial(self, address: Address, reach: Reach = ANY_REACH) -> Streams:
        """Open the stream to a server; one over TLS only to one whose certificate is right.

        Raises:
            ConnectFailed: It cannot be opened.
        """
        nothing_there = (
            f"Nothing listens at {address}. Is heat-server running there?"
            if self._way_to(address) is None
            else "The server of this door is not running. Try again later."
        )
        try:
            async with asyncio.timeout(reach.seconds):
                return await self._open(address, reach)
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

    async def _open(self, address: Address, reach: Reach) -> Streams:
        if (way := self._way_to(address)) is not None:
            return await asyncio.open_unix_connection(os.fspath(way.socket))
        if address.is_tls:
            may_learn = reach.chosen is None
            streams, self.news = await open_encrypted(address, self._known, may_learn=may_learn)
        else:
            streams = await asyncio.open_connection(address.host, address.port)
        if reach.chosen is not None and _is_here(streams[1]) and not await self._is_chosen_here(reach.chosen):
            streams[1].transport.abort()
            raise ConnectFailed(
                f"Your server sent you to {address}, which is on your own machine, so nothing was sent.",
                is_final=True,
            )
        if (own := streams[1].get_extra_info("socket")) is not None:
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return streams

    async def _is_chosen_here(self, chosen: Address) -> bool:
        if self._way_to(chosen) is not None:
            return True
        try:
            found = await asyncio.get_running_loop().getaddrinfo(chosen.host, chosen.port)
        except OSError:
            return False
        return any(_is_own(str(place[0])) for *_, place in found)


def _is_here(writer: asyncio.StreamWriter) -> bool:
    """Tell whether the other end is on this machine, or beside it on the same cable."""
    peer = writer.get_extra_info("peername")
    return peer is not None and _is_own(peer[0])  # else it is gone by now


def _is_own(host: str) -> bool:
    number = number_of(host)
    return number.is_loopback or number.is_link_local


def reason_of(error: OSError) -> str:
    """Give the system's words for an error."""
    return error.strerror or type(error).__name__
