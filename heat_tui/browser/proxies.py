"""Where a request came from: of a named proxy its headers are believed, of nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

from heat_core.wire.ip_numbers import number_of
from heat_tui.browser.settings import Network


def is_among(number: IPv4Address | IPv6Address, proxies: Sequence[Network]) -> bool:
    """Tell whether a number belongs to a named proxy."""
    return any(number in network for network in proxies)


def origin_number(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Give the number that a request came from.

    Each proxy adds to the end of the list whom it heard. So the last one that is no named proxy is the last
    that anybody trustworthy has seen; what stands before it may be made up.

    Args:
        peer: The number of the connection.
        forwarded: The values of `X-Forwarded-For`, as they came.
        proxies: The named ones.
    """
    number = number_of(peer)
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while hops and is_among(number, proxies):
        try:
            number = number_of(hops.pop())
        except ValueError:  # it is no number: nothing before it is believed
            break
    return str(number)
