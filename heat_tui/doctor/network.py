"""What the network allows: own addresses, free ports, announcements, and the answer of one server."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Mapping, Sequence
from typing import Final

from heat_core.text import counted
from heat_core.wire import messages as m
from heat_core.wire.address import LOOPBACK, Address
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import Connection
from heat_tui.client.dialling import Dialler
from heat_tui.client.known_servers import KnownServers
from heat_tui.doctor.findings import Finding
from heat_tui.nearby import NearbyServer, NoNetwork, watch_nearby
from heat_tui.own_networks import interfaces
from heat_tui.own_ports import is_free

LISTEN_SECONDS: Final = 2.0
"""How long announcements are waited for: a server answers within one."""
SERVER_SECONDS: Final = 3.0


async def network_findings(
    ports: Mapping[int, str], interfaces: Sequence[str] | None, server: Address | None
) -> list[Finding]:
    """Look at the network; takes some seconds at most.

    Args:
        ports: What each is for.
        interfaces: Where announcements are listened for; empty: everywhere; None: nowhere.
        server: One to be asked.
    """
    whole = [_addresses(), *await asyncio.gather(*(_port(port, use) for port, use in ports.items()))]
    asked = [_announcements(interfaces), *([] if server is None else [server_finding(server)])]
    return [*whole, *await asyncio.gather(*asked)]


def _addresses() -> Finding:
    """Name the addresses by which others reach this machine."""
    found = [own.ip for own in interfaces()]
    numbers = [str(number) for number in found if not (number.is_loopback or number.is_link_local)]
    if numbers:
        return Finding("addresses", ", ".join(numbers))
    advice = "Connect this machine to a network to race with others. Alone and at one keyboard you need none."
    return Finding("addresses", "only this machine itself", advice)


async def _port(port: int, use: str) -> Finding:
    """Say whether a port is free, and if not, whether a server of this game has it."""
    if is_free(port):
        return Finding(f"port {port}", f"free ({use})")
    with contextlib.suppress(ConnectFailed):
        welcome = await _greeted(Address(LOOPBACK, port))
        return Finding(f"port {port}", f"{_server_words(welcome)} has it ({use})")
    if await _speaks_tls(Address(LOOPBACK, port)):
        return Finding(f"port {port}", f"a program that encrypts (TLS) has it ({use})")
    return Finding(f"port {port}", f"another program has it ({use}); name another port, or end that program")


async def _announcements(interfaces: Sequence[str] | None) -> Finding:
    """Listen for servers that announce themselves."""
    name = "announcements"
    if interfaces is None:
        return Finding(name, "not listened for (--no-lan, or Settings)")
    heard: Sequence[NearbyServer] = ()

    def hear(servers: Sequence[NearbyServer]) -> None:
        nonlocal heard
        heard = servers

    try:
        async with asyncio.timeout(LISTEN_SECONDS):
            await watch_nearby(hear, interfaces)
    except NoNetwork as error:
        return Finding(name, f"cannot be heard: {error}", "Type the server's address: heat-tui connect HOST")
    except TimeoutError:
        pass
    if not heard:
        return Finding(
            name,
            f"no server heard in {LISTEN_SECONDS:.0f} seconds. If one runs, the network does not pass its "
            "announcement (multicast DNS) on, and you type its address: heat-tui connect HOST",
        )
    named = ", ".join(f"{server.name} at {server.address} ({server.version})" for server in heard)
    return Finding(name, f"{counted(len(heard), 'server')}: {named}")


async def server_finding(address: Address) -> Finding:
    """Say hello to a server, and say what it is."""
    try:
        welcome = await _greeted(address)
    except ConnectFailed as failed:
        if not address.is_tls and await _speaks_tls(address):
            return Finding("server", f"{address} encrypts (TLS)", f"Connect with tls://{address}")
        advice = "Ask whoever runs the server whether it runs, for its address, and for its firewall."
        return Finding("server", failed.text, advice)
    how = "with encryption (TLS)" if address.is_tls else "without encryption (no TLS)"
    return Finding("server", f"{address} is {_server_words(welcome)}, {how}")


def _server_words(welcome: m.Welcome) -> str:
    """Name a server; its version is a stranger's text."""
    version = "".join(sign for sign in welcome.version[:20] if sign.isprintable())
    return f"a heat-server {version} (protocol {welcome.protocol})"


async def _greeted(address: Address) -> m.Welcome:
    """Say hello and hang up.

    Raises:
        ConnectFailed: No server answers in time.
    """
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            dialler = Dialler(KnownServers(None))
            connection = await Connection.open(address, None, lambda message: None, dialler)
    except TimeoutError:
        raise ConnectFailed(f"{address} did not answer within {SERVER_SECONDS:.0f} seconds.") from None
    await connection.close()
    return connection.welcome


async def _speaks_tls(address: Address) -> bool:
    """Tell whether a TLS handshake succeeds, with whatever certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
    except (OSError, TimeoutError, UnicodeError):
        return False
    writer.transport.abort()
    return True
