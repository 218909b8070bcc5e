"""Fresh sockets: what is set on them, and where their clients come from, before anything of a client is read.

Theory of operation. Clients come in at the port, or at the door socket: a socket on this machine's disk for
doors, which let guests play from elsewhere (`heat_tui.doors`). A door and the proxies that the settings name
say where each client is by a PROXY header; what limits and bans count by is that address.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from math import inf
from typing import Final, TypeAlias

import trio

from heat_core.wire.codes import ByeCode
from heat_core.wire.ip_numbers import number_of
from heat_server.config import ServerConfig
from heat_server.local_socket import is_own_user
from heat_server.metrics import Figures
from heat_server.net.admission import Admission, peer_of
from heat_server.net.arrival import Arrival, Proxies, address_of
from heat_server.net.certificate import Certificate
from heat_server.net.tls import Tls, tls_address
from heat_server.networks import peer_name

SEND_BUFFER_BYTES: Final = 65_536

VANISHED_SECONDS: Final = 30
"""After so long without a sign of a client's machine, the connection is lost."""

KEEP_ALIVE: Final = tuple(
    (getattr(socket, name), value)
    for name, value in (
        ("TCP_KEEPIDLE", 10),
        ("TCP_KEEPINTVL", 10),
        ("TCP_KEEPCNT", 2),
        # While something sent is not acknowledged, the kernel sends no such signs: for a quarter of an hour.
        ("TCP_USER_TIMEOUT", 1000 * VANISHED_SECONDS),
    )
    if hasattr(socket, name)  # not every system can set them
)
"""Adds up to `VANISHED_SECONDS`, whatever is under way."""

Serve: TypeAlias = Callable[[trio.abc.Stream, Arrival, Tls | None], Awaitable[None]]
"""Serves a connection until it ends; None: it is not encrypted."""


class Incoming:
    """Takes sockets, and hands them on as connections."""

    def __init__(
        self,
        config: ServerConfig,
        figures: Figures,
        serve: Serve,
        count: Callable[[], int],
        certificate: Certificate | None,
        admission: Admission,
    ) -> None:
        """Prepare.

        Args:
            config: All settings.
            figures: Where headers that are none are counted.
            serve: Serves a connection.
            count: Gives how many connections are open.
            certificate: By which the port speaks TLS; None: it does not.
            admission: Knows who comes too often.
        """
        self._figures = figures
        self._admission = admission
        self._proxies = Proxies(config, figures)
        self._serve = serve
        self._count = count
        self._certificate = certificate

    def queue_of(self, host: str, port: int) -> str | None:
        """Name whom a fresh connection waits in turn with: its address, or nobody where that has no limits.

        Args:
            host: The number of the address that it comes from.
            port: The same of the port.

        Returns:
            None: its address comes far too often; it is counted, and to be closed.
        """
        number = number_of(host)
        peer = peer_name(number)
        if self._proxies.named(number) or self._admission.factor_of(peer) == inf:
            return f"{host} {port}"
        if self._admission.is_unheard(peer, trio.current_time()):
            self._figures.note_bye(ByeCode.TOO_OFTEN)
            return None
        return peer

    async def from_port(self, stream: trio.SocketStream) -> None:
        """Serve one connection that came over TCP."""
        try:
            # A small buffer shows soon who does not read; signs of life show whose cable is pulled.
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in KEEP_ALIVE:
                stream.setsockopt(socket.IPPROTO_TCP, option, value)
        except OSError:  # gone already: reading will say so
            pass
        arrival = Arrival(peer_of(stream), address_of(stream), b"")
        if self._proxies.sent(stream):
            proxied = await self._proxies.read_arrival(stream, self._count())
            if proxied is None:
                return
            arrival = proxied
        certificate = self._certificate
        await self._serve(stream, self._invite(arrival), None if certificate is None else Tls(certificate))

    async def from_door(self, stream: trio.SocketStream, port: int) -> None:
        """Serve one connection that a door on this machine made for a guest.

        Args:
            stream: At whose other end the door says first where the guest is.
            port: Of the server, for the invitations that the guest reads.
        """
        if not is_own_user(stream):
            await trio.aclose_forcefully(stream)
            return
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        arrival = await self._proxies.read_arrival(stream, self._count(), door_port=port)
        if arrival is not None:
            await self._serve(stream, self._invite(arrival), None)  # it does not leave the machine

    def _invite(self, arrival: Arrival) -> Arrival:
        """Write the address where a client came in as friends are to type it."""
        if arrival.address is None:
            return arrival
        return arrival._replace(address=tls_address(arrival.address, self._certificate))
