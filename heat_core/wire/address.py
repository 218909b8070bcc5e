"""What people type to find a race: server addresses, room codes.

An address is `HOST`, `HOST:PORT` or `[::1]:PORT`, with `heat://` before it or not. With `tls://` before it
the connection is encrypted, and `#` with a fingerprint behind it says which certificate the server has.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final, NamedTuple

from heat_core.wire.fingerprint import is_fingerprint
from heat_core.wire.messages import DEFAULT_PORT, MOST_CODE_CHARACTERS

LOOPBACK: Final = "127.0.0.1"
"""The number that only this machine reaches."""

MOST_HOST_CHARACTERS: Final = 253

_PLAIN, _TLS = "heat://", "tls://"

_ZONE: Final = r"[A-Za-z0-9._-]{1,32}"
"""Names the network of a link-local IPv6 address; by the standard, it could be any text."""


class BadAddress(ValueError):
    """Text that is no address; the message says in one line what is wrong with it."""


class Address(NamedTuple):
    """Where a server listens.

    Attributes:
        host: A name or a number, an IPv6 one without brackets.
        port: In [1, 65536).
        is_tls: Whether the connection is encrypted.
        fingerprint: Of the server's certificate; see `heat_core.wire.fingerprint`. "": it is known otherwise.
    """

    host: str
    port: int = DEFAULT_PORT
    is_tls: bool = False
    fingerprint: str = ""

    @property
    def place(self) -> str:
        """Host and port alone."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def __str__(self) -> str:
        """Write it so that `parse_address` reads it back, without the fingerprint."""
        return f"{_TLS}{self.place}" if self.is_tls else self.place

    @property
    def invitation(self) -> str:
        """What to pass on: the address with the fingerprint, if it has one."""
        return f"{self}#{self.fingerprint}" if self.fingerprint else str(self)


def parse_address(text: str, default_port: int = DEFAULT_PORT) -> Address:
    """Read an address.

    Args:
        text: What was typed or pasted.
        default_port: What it has where it names none.

    Raises:
        BadAddress: It is none.
    """
    text = text.strip()
    shown = ascii(text[:40])
    is_tls, fingerprint = text[: len(_TLS)].lower() == _TLS, ""
    if is_tls:
        text, mark, fingerprint = text[len(_TLS) :].partition("#")
        if mark and not is_fingerprint(fingerprint):
            raise BadAddress(f"{shown}: the fingerprint after # is not whole. Copy the line again.")
        text = text.removesuffix("/")
    elif text[: len(_PLAIN)].lower() == _PLAIN:
        text = text[len(_PLAIN) :].removesuffix("/")
    if not text:
        raise BadAddress("Type an address: HOST or HOST:PORT.")
    return Address(*_host_and_port(text, default_port, shown), is_tls, fingerprint)


def _host_and_port(text: str, default_port: int, shown: str) -> tuple[str, int]:
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise BadAddress(f"{shown} is not an address: write an IPv6 address with a port as [HOST]:PORT.")
        return _ipv6(host, shown), _port(rest[1:], shown) if rest else default_port
    if text.count(":") > 1:
        return _ipv6(text, shown), default_port
    host, colon, port = text.partition(":")
    if not re.fullmatch(r"[\w.-]+", host) or len(host) > MOST_HOST_CHARACTERS or ".." in host:
        raise BadAddress(f"{shown} is not an address: the host name is wrong or missing.")
    return host, _port(port, shown) if colon else default_port


def _ipv6(host: str, shown: str) -> str:
    address, mark, zone = host.partition("%")
    try:
        IPv6Address(address)
        if mark and not re.fullmatch(_ZONE, zone):
            raise AddressValueError
    except AddressValueError:
        raise BadAddress(
            f"{shown} is not an address: the part before the port is not an IPv6 address."
        ) from None
    return host


def _port(text: str, shown: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= 65535:
        raise BadAddress(f"{shown} is not an address: the port must be a number from 1 to 65535.")
    return int(text)


def parse_listening(text: str, default_host: str) -> Address:
    """Read where a program is to listen: `PORT` or `HOST:PORT`.

    Args:
        text: What was typed.
        default_host: Where it names none.

    Returns:
        The place; port 0 is any free one.

    Raises:
        BadAddress: It is none.
    """
    host, _, port = text.strip().rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) <= 65535):
        raise BadAddress(f"{text[:40]!a} has no port: write PORT or HOST:PORT")
    return Address(parse_address(host, 1).host if host else default_host, int(port))


def code_problem(code: str) -> str:
    """Say why a text can be no room's code, in one sentence; empty where it can."""
    if code.isascii() and code.isalnum() and len(code) <= MOST_CODE_CHARACTERS:
        return ""
    return f"The code of a room has letters and digits only, at most {MOST_CODE_CHARACTERS}."
