"""Where a server listens, and by which numbers others reach it there."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Final, NamedTuple

import trio

from heat_core.wire.address import Address
from heat_server.config import ServerConfig
from heat_server.net.certificate import Certificate
from heat_server.net.tls import tls_address


class Listening(NamedTuple):
    """Where a server listens.

    Attributes:
        addresses: Of its sockets, all at one port.
        hosts: The numbers behind them, as `hosts_of` lists them.
        certificate: By which it speaks TLS; None: it does not.
    """

    addresses: Sequence[tuple[str, int]]
    hosts: Sequence[str]
    certificate: Certificate | None = None

    @classmethod
    def of(cls, listeners: Iterable[trio.SocketListener], certificate: Certificate | None) -> Listening:
        """Look where sockets listen.

        Args:
            listeners: The sockets.
            certificate: By which they speak TLS; None: they do not.
        """
        addresses = addresses_of(listeners)
        return cls(addresses, hosts_of(addresses), certificate)

    @property
    def port(self) -> int:
        """The port of all sockets."""
        return self.addresses[0][1]

    def invitation(self, host: str) -> str:
        """Write what clients type to connect to one of the hosts."""
        return tls_address(Address(host, self.port), self.certificate).invitation


async def open_listeners(config: ServerConfig) -> list[trio.SocketListener]:
    """Listen on the configured port: on the given address, or on all of IPv4 and, where it exists, IPv6.

    Raises:
        OSError: The port is in use, or the address is not one of this machine.
    """
    if config.host is not None:
        return list(await trio.open_tcp_listeners(config.port, host=config.host))
    listeners = list(await trio.open_tcp_listeners(config.port, host="0.0.0.0"))
    port = listeners[0].socket.getsockname()[1]
    try:
        listeners += await trio.open_tcp_listeners(port, host="::")
    except OSError as error:
        if error.errno not in _NO_IPV6:
            for listener in listeners:
                await listener.aclose()
            raise
    return listeners


_NO_IPV6: Final = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT})


def addresses_of(listeners: Iterable[trio.SocketListener]) -> list[tuple[str, int]]:
    """List address and port of each listener."""
    return [listener.socket.getsockname()[:2] for listener in listeners]


def hosts_of(addresses: Sequence[tuple[str, int]]) -> list[str]:
    """List the numbers to connect to; those of the machine's own loop only where there are no others.

    Args:
        addresses: Where the server listens; one for all interfaces means each of them.
    """
    import ifaddr

    hosts = [host.partition("%")[0] for host, _ in addresses]
    if not any(ip_address(host).is_unspecified for host in hosts):
        return hosts
    try:
        found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    except OSError:  # the system does not say, as in some containers: no reason not to serve
        return []
    return [host for host in found if not ip_address(host).is_loopback] or found
