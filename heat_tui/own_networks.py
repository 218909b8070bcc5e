"""The networks that this machine is in."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv6Interface, ip_interface


def interfaces() -> list[IPv4Interface | IPv6Interface]:
    """List this machine's numbers with their networks, the loopback ones too."""
    import ifaddr  # takes its time

    found = [number for adapter in ifaddr.get_adapters() for number in adapter.ips]
    hosts = [number.ip if isinstance(number.ip, str) else number.ip[0] for number in found]
    return [
        ip_interface(f"{host}/{number.network_prefix}") for host, number in zip(hosts, found, strict=True)
    ]
