"""Numbers of addresses as sockets give them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address


def number_of(host: str) -> IPv4Address | IPv6Address:
    """Read a number as a socket gives it: an IPv6 one may add the interface, and writes IPv4 in its own form.

    Raises:
        ValueError: It is none.
    """
    return unmapped(ip_address(host.partition("%")[0]))


def unmapped(number: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Give an IPv4 number as one, if it is written as one of IPv6."""
    mapped = number.ipv4_mapped if isinstance(number, IPv6Address) else None
    return mapped or number
