"""What players type to join a server."""

from __future__ import annotations

from ipaddress import ip_address

from heat_core.wire.address import parse_address
from heat_server.listening import Listening
from heat_server.net.tls import tls_address


def announced_address(announce: str | None, listening: Listening) -> str | None:
    """Complete the address that players are to type by the port, where that is not said, and by TLS.

    Args:
        announce: As the settings have it; None: nothing is said.
        listening: Where the server listens.
    """
    if announce is None:
        return None
    return tls_address(parse_address(announce, listening.port), listening.certificate).invitation


def address_for_clients(announce: str | None, listening: Listening) -> str:
    """Give the address that clients of other servers are sent to, with the fingerprint of an own certificate.

    Args:
        announce: The whole address that players are to type; None: one of those of this machine.
        listening: Where the server listens.
    """
    if announce is not None:
        return announce
    return listening.invitation(listening.hosts[0] if listening.hosts else listening.addresses[0][0])


def line_for_friends(announce: str | None, listening: Listening) -> str:
    """Say in one line what friends type; or why they cannot come, and what to set.

    Args:
        announce: The whole address that players are to type; None: one of those of this machine.
        listening: Where the server listens.
    """
    reachable = [announce] if announce is not None else []
    reachable = reachable or [
        listening.invitation(host) for host in listening.hosts if not _is_loopback(host)
    ]
    if reachable:
        return f"friends type: heat-tui connect {' or '.join(reachable)}"
    if all(_is_loopback(host) for host, _ in listening.addresses):
        here = listening.invitation(listening.addresses[0][0])
        return (
            f"on this machine: heat-tui connect {here}; other machines cannot connect to that address: "
            "without --host the server listens on all addresses"
        )
    return (
        "friends cannot connect: this machine has no network address. Connect the machine to a network, or "
        f"set --announce to the address that forwards port {listening.port} to it"
    )


def line_for_fleet(address: str, *, is_announced: bool) -> str:
    """Say in one line where the other servers that share the store send players; and what to set, if need be.

    Args:
        address: Of this server, as `address_for_clients` gives it.
        is_announced: Whether the settings name it.
    """
    line = f"the other servers send players to {address}"
    if is_announced:
        return line
    if _is_loopback(parse_address(address).host):
        return (
            f"{line}, where only this machine can connect: set --announce to the address that players reach"
        )
    return f"{line}; if they reach this server by another address, set --announce"


def _is_loopback(host: str) -> bool:
    return ip_address(host.partition("%")[0]).is_loopback
