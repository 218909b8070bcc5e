"""The header that a proxy or a door sends before the client's bytes: the PROXY protocol, versions 1 and 2.

https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt describes it. A header is read only from a proxy
that the settings name and from doors, and is required there: a client that could choose whether to send one
could choose its address. No I/O.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

from heat_core.wire.address import Address

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
"""How version 2 begins."""

TEXT_SIGNATURE: Final = b"PROXY "
"""How version 1 begins."""

MOST_TEXT_BYTES: Final = 107
"""Of version 1, by its definition."""

MOST_BINARY_BYTES: Final = 2048
"""Of version 2: addresses and what proxies add; the definition allows far more than any of them sends."""

_FIXED_BYTES: Final = 16
_LOCAL, _PROXY = 0x20, 0x21
_ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}
"""By family and transport of version 2: TCP over IPv4 and over IPv6."""


class BadHeader(Exception):
    """The bytes are not a header; the message says what is wrong, without quoting the peer."""


class ProxyHeader(NamedTuple):
    """A header.

    Attributes:
        length: Its bytes; what the client says begins behind them.
        source: Where the client is; None: the proxy speaks for itself, or does not say.
        destination: Where the client came in at the proxy; None: as above.
    """

    length: int
    source: IPv4Address | IPv6Address | None = None
    destination: Address | None = None


def parse_header(data: bytes) -> ProxyHeader | None:
    """Read the header at the beginning of a stream.

    Args:
        data: All bytes so far.

    Returns:
        None where more bytes are needed.

    Raises:
        BadHeader: No header begins so.
    """
    for signature, parse in ((SIGNATURE, _parse_binary), (TEXT_SIGNATURE, _parse_text)):
        if data.startswith(signature):
            return parse(data)
        if signature.startswith(data):
            return None
    raise BadHeader("no PROXY header")


def binary_header(source: IPv4Address | IPv6Address, destination: IPv4Address | IPv6Address | None) -> bytes:
    """Write a header of version 2 without ports, which `parse_header` reads back.

    Args:
        source: Where the client is.
        destination: Where the client came in; None, or of the other kind than the source: it is not said.
    """
    if destination is None or destination.version != source.version:
        destination = type(source)(0)
    body = source.packed + destination.packed + bytes(4)
    family = next(family for family, size in _ADDRESS_BYTES.items() if size == len(source.packed))
    return SIGNATURE + bytes((_PROXY, family)) + len(body).to_bytes(2, "big") + body


def _parse_text(data: bytes) -> ProxyHeader | None:
    end = data.find(b"\r\n", 0, MOST_TEXT_BYTES)
    if end < 0:
        if len(data) >= MOST_TEXT_BYTES:
            raise BadHeader("a PROXY header of version 1 without an end")
        return None
    try:
        words = data[:end].decode("ascii").split(" ")
    except UnicodeDecodeError:
        raise BadHeader("a PROXY header of version 1 that is not ASCII") from None
    if words[1] == "UNKNOWN":
        return ProxyHeader(end + 2)
    if words[1] not in ("TCP4", "TCP6") or len(words) != 6:
        raise BadHeader("a PROXY header of version 1 with other fields")
    kind: type[IPv4Address | IPv6Address] = IPv4Address if words[1] == "TCP4" else IPv6Address
    try:
        source, destination = kind(words[2]), kind(words[3])
        if b"%" in data[:end]:
            raise ValueError("a zone means nothing on another machine")
    except ValueError:
        raise BadHeader("a PROXY header of version 1 with wrong addresses") from None
    _port(words[4])
    return ProxyHeader(end + 2, source, Address(str(destination), _port(words[5])))


def _port(word: str) -> int:
    if not (word.isdecimal() and len(word) <= 5 and int(word) <= 65535 and str(int(word)) == word):
        raise BadHeader("a PROXY header of version 1 with wrong ports")
    return int(word)


def _parse_binary(data: bytes) -> ProxyHeader | None:
    if len(data) < _FIXED_BYTES:
        return None
    command, family = data[12], data[13]
    end = _FIXED_BYTES + int.from_bytes(data[14:16], "big")
    if command not in (_LOCAL, _PROXY):
        raise BadHeader("a PROXY header of another version or command")
    if end > MOST_BINARY_BYTES:
        raise BadHeader(f"a PROXY header of {end} bytes; {MOST_BINARY_BYTES} are allowed")
    size = _ADDRESS_BYTES.get(family)
    if command == _PROXY and size is not None and end < _FIXED_BYTES + 2 * size + 4:
        raise BadHeader("a PROXY header of version 2 that is too short for its addresses")
    if len(data) < end:
        return None
    if command == _LOCAL or size is None:
        return ProxyHeader(end)
    body = data[_FIXED_BYTES:end]
    port = int.from_bytes(body[2 * size + 2 : 2 * size + 4], "big")
    destination = Address(str(ip_address(body[size : 2 * size])), port)
    return ProxyHeader(end, ip_address(body[:size]), destination)
