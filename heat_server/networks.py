"""Addresses and networks: what limits count by, and lists of networks as people write them.

An IPv4 address counts by itself. A household with IPv6 has at least a /64 network and can use any address
in it; customers of many providers have a /56 or a /48 and can use any /64 in it. So limits count by all
three, and the wider ones allow more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from math import inf
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from heat_core.wire.ip_numbers import unmapped

Network: TypeAlias = IPv4Network | IPv6Network
Value = TypeVar("Value")

IPV6_WIDTHS: Final = {64: 1, 56: 2, 48: 4}
"""By length of the prefix: how many times the limits of one address such a network has."""

NARROWEST_IPV6: Final = 64

_MAPPED_WIDTH: Final = 96
"""Bits before an IPv4 address that is written as one of IPv6."""

MOST_NETWORK_CHARACTERS: Final = 64


class BadNetwork(ValueError):
    """Text that is no address or network; the message says in one line what is wrong with it."""


class Home(NamedTuple):
    """A network that limits count by.

    Attributes:
        name: As in the log.
        factor: How many times the limits of one address it has; infinite: no limit.
    """

    name: str
    factor: float


def peer_name(address: IPv4Address | IPv6Address) -> str:
    """Name whom an address counts for: itself, in IPv4 however it is written, or its /64 network."""
    address = unmapped(address)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), NARROWEST_IPV6), strict=False))
    return str(address)


@lru_cache(maxsize=8192)
def homes_of(peer: str) -> tuple[Home, ...]:
    """List the networks that a peer is counted in, the narrowest first; the factors are those of the width.

    Args:
        peer: What `peer_name` gave. Any other text is a home by itself, "" none.
    """
    if not peer:
        return ()
    try:
        network = ip_network(peer)
    except ValueError:
        return (Home(peer, 1),)
    if isinstance(network, IPv4Network):
        return (Home(peer, 1),)
    return tuple(
        Home(str(network.supernet(new_prefix=width)), factor)
        for width, factor in IPV6_WIDTHS.items()
        if width <= network.prefixlen
    )


def is_within(peer: str, home: Home) -> bool:
    """Tell whether a peer is counted in a network."""
    return peer == home.name or any(home.name == one.name for one in homes_of(peer)[1:])


def parse_network(text: str) -> Network:
    """Read an address or a network; of IPv6 at least a /64, which is what limits count by.

    Raises:
        BadNetwork: It is none.
    """
    network = _parse_exact(text)
    if isinstance(network, IPv6Network) and network.prefixlen > NARROWEST_IPV6:
        return network.supernet(new_prefix=NARROWEST_IPV6)
    return network


def _parse_exact(text: str) -> Network:
    """Read an address or a network as it is written.

    Raises:
        BadNetwork: It is none.
    """
    text = text.strip()
    shown = ascii(text[:MOST_NETWORK_CHARACTERS])
    try:
        network = ip_network(text)
    except ValueError:
        try:
            wider = ip_network(text, strict=False)
        except ValueError:
            raise BadNetwork(
                f"{shown} is not an address or network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48"
            ) from None
        raise BadNetwork(f"{shown} is an address within a network; {wider} is the whole network") from None
    if isinstance(network, IPv4Network):
        return network
    mapped, width = network.network_address.ipv4_mapped, network.prefixlen - _MAPPED_WIDTH
    if mapped is not None and width >= 0:
        return IPv4Network((mapped, width))
    return network


def network_text(network: Network) -> str:
    """Write a network as people do: a single address without the length of its prefix."""
    return str(network.network_address) if network.prefixlen == network.max_prefixlen else str(network)


def in_order(network: Network) -> tuple[int, int, int]:
    """Give what networks are sorted by: IPv4 first, then the address, the wider one first."""
    return network.version, int(network.network_address), network.prefixlen


class NetworkTable(Generic[Value]):
    """Networks with a value each; an address has that of the narrowest one it lies in."""

    def __init__(self, entries: Iterable[tuple[Network, Value]] = ()) -> None:
        """Begin with some entries; of two for one network the later one counts."""
        self._by_width: dict[tuple[int, int], dict[Network, Value]] = {}
        for network, value in entries:
            self.put(network, value)

    def __iter__(self) -> Iterator[tuple[Network, Value]]:
        return (entry for values in self._by_width.values() for entry in values.items())

    def __len__(self) -> int:
        return sum(map(len, self._by_width.values()))

    def __contains__(self, network: Network) -> bool:
        """Tell whether exactly this network is there."""
        return network in self._by_width.get((network.version, network.prefixlen), {})

    def put(self, network: Network, value: Value) -> None:
        """Add a network, or give it another value."""
        self._by_width.setdefault((network.version, network.prefixlen), {})[network] = value

    def remove(self, network: Network) -> bool:
        """Take a network out; tell whether it was there."""
        return self._by_width.get((network.version, network.prefixlen), {}).pop(network, None) is not None

    def find(self, peer: str) -> Value | None:
        """Give the value of the narrowest network that a peer lies in; None: it lies in none.

        Args:
            peer: An address, or what `peer_name` gave; any other text lies in none.
        """
        try:
            own = ip_network(peer)
        except ValueError:
            return None
        widths = sorted((width for version, width in self._by_width if version == own.version), reverse=True)
        for width in widths:
            if width <= own.prefixlen:
                value = self._by_width[own.version, width].get(own.supernet(new_prefix=width))
                if value is not None:
                    return value
        return None


def parse_networks(text: str) -> NetworkTable[bool]:
    """Read a list of networks, separated by commas; an address of IPv6 is that address alone.

    Raises:
        BadNetwork: One of them is none.
    """
    return NetworkTable((_parse_exact(part), True) for part in text.split(","))


def parse_address_limits(text: str) -> NetworkTable[float]:
    """Read a list of networks with the factor of their limits each: `192.0.2.7=5, 10.0.0.0/8=off`.

    Raises:
        BadNetwork: It is none.
    """
    return NetworkTable(_parse_limit(part) for part in text.split(","))


def _parse_limit(part: str) -> tuple[Network, float]:
    network, equals, word = (word.strip() for word in part.partition("="))
    if not equals:
        raise BadNetwork(
            f"{part.strip()[:MOST_NETWORK_CHARACTERS]!a} is not a limit such as 192.0.2.7=5 or 10.0.0.0/8=off"
        )
    if word == "off":
        return parse_network(network), inf
    try:
        factor = float(word)
    except ValueError:
        factor = 0
    if not 1 <= factor <= 1000:
        raise BadNetwork(f"{word[:40]!a} is not a number from 1 to 1000, or off")
    return parse_network(network), factor
