"""The networks that this machine is in, and the numbers by which others reach it there."""

from __future__ import annotations

import socket
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface

from heat_core.wire.address import LOOPBACK


def interfaces() -> list[IPv4Interface | IPv6Interface]:
    """List this machine's numbers with their networks, the loopback ones too."""
    import ifaddr  # takes its time

    found = [number for adapter in ifaddr.get_adapters() for number in adapter.ips]
    hosts = [number.ip if isinstance(number.ip, str) else number.ip[0] for number in found]
    return [
        ip_interface(f"{host}/{number.network_prefix}") for host, number in zip(hosts, found, strict=True)
    ]


def lan_hosts() -> list[str]:
    """List this machine's numbers on its networks (IPv4), likeliest first; without any the loopback one."""
    found = [str(own.ip) for own in interfaces() if own.version == 4]
    hosts = dict.fromkeys([_routed_host(), *found])
    return [host for host in hosts if not ip_address(host).is_loopback] or [LOOPBACK]


def lan_host() -> str:
    """Give this machine's likeliest number on its networks, or the loopback one where there is none."""
    return lan_hosts()[0]


def _routed_host() -> str:
    """Give the number that the way to other networks begins at, or the loopback one where there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: connecting a datagram socket only picks the interface.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK
