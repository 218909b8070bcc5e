"""Encrypted streams to servers, and how a server's certificate is checked before anything is said to it.

Theory of operation. A fingerprint that the address has, from an invitation, decides alone. So does one under
which the server is known from earlier, also where another server names it with another fingerprint. A server
that is met for the first time is checked by the authorities that the system trusts; if none of them has
signed its certificate, it is known by this one from then on. The streams are given out only after the check,
so no hello and no token goes to a server that failed it.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Final, TypeAlias

from heat_core.wire.address import Address
from heat_core.wire.fingerprint import fingerprint_of
from heat_tui.client.connect_failed import CertificateChanged, ConnectFailed
from heat_tui.client.known_servers import KnownServers

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_NO_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})
"""What OpenSSL says of an answer that is no TLS, by the version of OpenSSL and the first bytes."""

_TURNED_AWAY: Final = "TLSV1_ALERT_ACCESS_DENIED"


async def open_encrypted(
    address: Address, known: KnownServers, *, may_learn: bool = True
) -> tuple[Streams, str]:
    """Connect to a server, and check its certificate.

    Args:
        address: The server's.
        known: The servers met before.
        may_learn: Whether the player chose the server. If not, it may show no certificate that nobody has
            signed at the first visit, and its address's fingerprint does not replace a saved one.

    Returns:
        The streams, and what the player should read about the certificate; "": nothing.

    Raises:
        CertificateChanged: It is another than the one that the server is known by.
        ConnectFailed: There is no TLS, or the server turns this client away.
        OSError: There is no connection.
    """
    noted = known.find(address)
    expected = address.fingerprint or noted
    if noted and not may_learn:
        expected = noted
    if expected:
        streams, shown = await _open_unchecked(address)
        if shown != expected:
            streams[1].transport.abort()
            if address.fingerprint or not await _is_signed(address):
                raise CertificateChanged(address, expected, shown, is_invited=expected == address.fingerprint)
            return await _open(address, ssl.create_default_context()), ""
        if noted != shown:
            known.learn(address, shown)
        return streams, ""
    try:
        return await _open(address, ssl.create_default_context()), ""
    except ssl.SSLCertVerificationError:
        if not may_learn:
            raise ConnectFailed(
                f"The race is on {address}, whose certificate no authority has signed, so nothing was sent. "
                "Ask the host for an invitation to that server.",
                is_final=True,
            ) from None
        streams, shown = await _open_unchecked(address)
        known.learn(address, shown)
        return streams, (
            f"This is your first visit to {address}, and no authority has signed its certificate. Its "
            f"fingerprint, {shown}, is saved; you will be warned if it changes."
        )


async def _open_unchecked(address: Address) -> tuple[Streams, str]:
    """Connect without a check, and give the fingerprint of the certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    streams = await _open(address, context)
    certificate = streams[1].get_extra_info("ssl_object").getpeercert(binary_form=True)
    return streams, fingerprint_of(certificate)


async def _is_signed(address: Address) -> bool:
    """Tell whether an authority that the system trusts has signed a server's certificate for its name."""
    try:
        _, writer = await _open(address, ssl.create_default_context())
    except ssl.SSLCertVerificationError:
        return False
    writer.transport.abort()
    return True


async def _open(address: Address, context: ssl.SSLContext) -> Streams:
    """Connect by TLS; what OpenSSL says of a failure becomes a sentence, but for a certificate it refuses."""
    try:
        return await asyncio.open_connection(address.host, address.port, ssl=context)
    except ssl.SSLCertVerificationError:
        raise
    except ssl.SSLError as error:
        if error.reason in _NO_TLS:
            raise ConnectFailed(
                f"The server does not encrypt. Connect to {address.place} instead. Others may then read what "
                "you send; if the server encrypted before, ask its host first."
            ) from None
        if error.reason == _TURNED_AWAY:
            raise ConnectFailed(
                f"{address} turned you away: it is full, or it limits or bans your address. Try again later."
            ) from None
        words = (error.reason or "the server hung up").replace("_", " ").lower()
        raise ConnectFailed(f"{address}: the encrypted connection failed: {words}.") from None
