"""TLS at the game port, without I/O.

Theory of operation. A `Tls` stands between the stream of a connection and its frames: `Connection` seals each
frame as it puts it into the outbox, and opens what it reads. So what waits in the outbox, is written past
trio's stream and counts for the limits are the bytes of the stream, with TLS as without. A connection is
counted and limited before anything of TLS is done for it. Who is turned away before the handshake is through
gets an alert in place of a `bye`. What is read first shows whether the client speaks TLS at all.
"""

from __future__ import annotations

import contextlib
import ssl
from typing import Final

from heat_core.wire.address import Address
from heat_server.net.certificate import Certificate

ACCESS_DENIED: Final = bytes.fromhex("15 03 03 00 02 02 31")
"""A fatal alert that a client reads before any handshake, which would cost much more."""

HUNG_UP: Final = "tls/hung_up"
PLAIN: Final = "tls/plain"
UNFINISHED: Final = "tls/unfinished"

_HANDSHAKE: Final = 0x16
"""The first byte of a client that speaks TLS. Frames of the protocol begin with 0, for they are short."""

_READ_BYTES: Final = 65_536


class Tls:
    """One connection's TLS, the server's end.

    Attributes:
        is_ready: Whether the handshake is through.
        is_over: Whether the client has said that nothing more comes.
    """

    def __init__(self, certificate: Certificate) -> None:
        """Begin before the handshake."""
        self._came, self._goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._ends = certificate.context.wrap_bio(self._came, self._goes, server_side=True)
        self.is_ready = self.is_over = False

    def take(self, data: bytes | bytearray) -> str:
        """Go on with the handshake by what has come; `pending` has what is to be sent then.

        Returns:
            Why there will be no handshake, as a code with OpenSSL's reason; "": it goes on, or is through.
        """
        self._came.write(data)
        try:
            self._ends.do_handshake()
            self.is_ready = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as error:
            return f"tls/{(error.reason or 'other').lower()}"
        return ""

    def seal(self, data: bytes) -> bytes:
        """Encrypt."""
        self._ends.write(data)
        return self._goes.read()

    def open(self, data: bytes | bytearray) -> bytes:
        """Decrypt what has come so far; `pending` may have something to be sent then.

        Raises:
            ssl.SSLError: It was changed on its way, or is no TLS.
        """
        self._came.write(data)
        parts = []
        try:
            while part := self._ends.read(_READ_BYTES):
                parts.append(part)
            self.is_over = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.is_over = True
        return b"".join(parts)

    def pending(self) -> bytes:
        """Give what TLS itself has to send."""
        return self._goes.read()

    def end(self) -> bytes:
        """Give what says that nothing more is sent."""
        with contextlib.suppress(ssl.SSLError):  # it would wait for the client's answer
            self._ends.unwrap()
        return self._goes.read()


def speaks_tls(data: bytes | bytearray) -> bool:
    """Tell by the first bytes of a client."""
    return data[:1] == bytes((_HANDSHAKE,))


def tls_address(address: Address, certificate: Certificate | None) -> Address:
    """Give an address as clients type it where the server speaks TLS.

    Args:
        address: Of a server.
        certificate: The server's; None: it speaks no TLS, and the address stays as it is.
    """
    if certificate is None:
        return address
    return address._replace(is_tls=True, fingerprint=certificate.fingerprint if certificate.is_own else "")
