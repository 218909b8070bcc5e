"""TLS at the game port.

Theory of operation. A connection is counted and limited before anything of TLS is done for it. Who is turned
away is refused by an alert, which costs nothing; a handshake would. What is read first shows whether the
client speaks TLS at all: one that does not reads in a `bye` what to type. The handshake is part of the time
that a client has to say hello. From then on a `TlsStream` stands in the place of the socket: `Connection`
finds no descriptor to write past it, so every byte goes by way of the outbox and its writer.
"""

from __future__ import annotations

import contextlib
import ssl
from typing import Final

import structlog
import trio

from heat_core.wire.address import Address
from heat_core.wire.codec import encode_server_message
from heat_core.wire.codes import ByeCode
from heat_core.wire.messages import Bye
from heat_server.metrics import Figures
from heat_server.net.arrival import Arrival
from heat_server.net.certificate import Certificate
from heat_server.net.connection import Connection

RECEIVE_BYTES: Final = 16_384

_HANDSHAKE: Final = 0x16
"""The first byte of a client that speaks TLS. Frames of the protocol begin with 0, for they are short."""

_ACCESS_DENIED: Final = bytes.fromhex("15 03 03 00 02 02 31")
"""A fatal alert, which a client reads before any handshake."""

_HUNG_UP: Final = "tls/hung_up"

log = structlog.get_logger()


class BegunStream(trio.abc.Stream):
    """A stream of which something has been read already."""

    def __init__(self, stream: trio.abc.Stream, data: bytes) -> None:
        """Put bytes back before a stream."""
        self._stream = stream
        self._data = data

    async def peek(self) -> bytes:
        """Wait for the next bytes, which `receive_some` gives again; none: the peer has closed its side."""
        if not self._data:
            self._data = bytes(await self._stream.receive_some(RECEIVE_BYTES))
        return self._data

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Give what was put back first."""
        if not self._data:
            return await self._stream.receive_some(max_bytes)
        await trio.lowlevel.checkpoint()
        count = len(self._data) if max_bytes is None else max_bytes
        data, self._data = self._data[:count], self._data[count:]
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send to the stream."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait for the stream."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


class TlsPort:
    """How the port speaks TLS."""

    def __init__(self, certificate: Certificate, announce: str | None, figures: Figures) -> None:
        """Speak with a certificate.

        Args:
            certificate: The server's.
            announce: The whole address that players are to type; None: the one where they came in.
            figures: Where handshakes are counted.
        """
        self.certificate = certificate
        self.announce = announce
        self.figures = figures

    def wrap(self, stream: trio.abc.Stream, arrival: Arrival) -> tuple[TlsStream, Arrival]:
        """Prepare a connection; nothing is read or sent."""
        return TlsStream(self, stream, arrival.data), self.invite(arrival)._replace(data=b"")

    def invite(self, arrival: Arrival) -> Arrival:
        """Write the address where a client came in as friends are to type it."""
        if arrival.address is None:
            return arrival
        return arrival._replace(address=tls_address(arrival.address, self.certificate))


class TlsStream(trio.abc.Stream):
    """The server's end of a connection over TLS."""

    def __init__(self, port: TlsPort, stream: trio.abc.Stream, data: bytes) -> None:
        """Prepare.

        Args:
            port: Where the client came in.
            stream: Nothing has been sent on it.
            data: What the client has said already.
        """
        self._port = port
        self._begun = BegunStream(stream, data)
        self._ssl = trio.SSLStream(self._begun, port.certificate.context, server_side=True)

    async def shake_hands(self, connection: Connection, deadline: float) -> bool:
        """Do the handshake, and count it; after a failure the connection ends.

        Args:
            connection: That has this stream.
            deadline: Until when, in seconds of trio's clock.
        """
        fault = "tls/late"
        with trio.move_on_at(deadline):
            try:
                fault = await self._try_handshake(connection.address)
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                fault = _fault_of(error)
        if not fault:
            self._port.figures.handshakes += 1
            return True
        self._port.figures.handshakes_failed[fault] += 1
        log.info("no handshake", connection=connection.number, peer=connection.peer, fault=fault)
        connection.scope.cancel()
        return False

    async def _try_handshake(self, address: str) -> str:
        first = await self._begun.peek()
        if not first:
            return _HUNG_UP
        if first[0] != _HANDSHAKE:
            # Without the fingerprint: somebody on the way could have written another.
            where = (self._port.announce or address or "tls://HOST").partition("#")[0]
            bye = Bye(ByeCode.NEEDS_TLS, f"This server encrypts. Type its address so: {where}")
            await self._begun.send_all(encode_server_message(bye))
            return "tls/plain"
        await self._ssl.do_handshake()
        return ""

    async def refuse(self) -> None:
        """Turn the client away before any handshake; the stream is of no use then."""
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._begun.send_all(_ACCESS_DENIED)

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Decrypt what has come."""
        return await self._ssl.receive_some(max_bytes)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send encrypted."""
        await self._ssl.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait for the stream."""
        await self._ssl.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Say that nothing more comes, and close the stream."""
        await self._ssl.aclose()


def _fault_of(error: BaseException) -> str:
    """Name why a handshake broke off, in OpenSSL's words where it has some."""
    cause = error.__cause__
    if not isinstance(cause, ssl.SSLError) or isinstance(cause, ssl.SSLEOFError):
        return _HUNG_UP
    return f"tls/{(cause.reason or 'other').lower()}"


def tls_address(address: Address, certificate: Certificate | None) -> Address:
    """Give an address as clients type it where the server speaks TLS.

    Args:
        address: Of a server.
        certificate: The server's; None: it speaks no TLS, and the address stays as it is.
    """
    if certificate is None:
        return address
    return address._replace(is_tls=True, fingerprint=certificate.fingerprint if certificate.is_own else "")
