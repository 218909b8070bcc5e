"""The servers on the local network, as they come and go (multicast DNS).

What is in their announcements is strangers' text: it is bounded, and cleaned before it is shown. The
library is imported when somebody looks, since it takes longer than a screen may.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.lan import (
    LEAST_PROTOCOL,
    PROTOCOL,
    ROOMS,
    SERVICE_TYPE,
    SSH_PORT,
    TLS,
    VERSION,
    WEB_PORT,
    Doors,
)
from heat_tui.own_networks import interfaces

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf

MOST_SERVERS: Final = 50
MOST_NAME_CHARACTERS: Final = 40
MOST_VERSION_CHARACTERS: Final = 12
ANSWER_MILLISECONDS: Final = 3000


class NoNetwork(Exception):
    """There is nothing to look at."""


class NearbyServer(NamedTuple):
    """A server that announces itself.

    Attributes:
        name: Of the machine it runs on, as it says.
        rooms: How many rooms it has; None: it does not say.
        version: Of its program.
        is_speaking_ours: Whether it speaks this program's version of the protocol.
        doors: The other ways in, as it says.
    """

    name: str
    address: Address
    rooms: int | None
    version: str
    is_speaking_ours: bool
    doors: Doors = Doors()

    @property
    def other_ways(self) -> str:
        """Say by which other ways one can play there, and at which ports; empty: by none."""
        return ", ".join(f"{way} {port}" for way, port in self.doors._asdict().items() if port is not None)


async def watch_nearby(
    on_change: Callable[[Sequence[NearbyServer]], None], interfaces: Sequence[str] = ()
) -> None:
    """Look for servers until cancelled.

    Args:
        on_change: Called with all servers, in the order of their names, whenever that changes.
        interfaces: The numbers of the interfaces to look on; empty: all.

    Raises:
        NoNetwork: There are none.
    """
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

    logging.getLogger("zeroconf").addHandler(logging.NullHandler())  # else it would write on the screen
    try:
        network = AsyncZeroconf(
            interfaces=list(interfaces) if interfaces else InterfaceChoice.All, ip_version=IPVersion.V4Only
        )
    except (OSError, RuntimeError) as error:
        raise NoNetwork(str(error)) from None
    list_ = _List(on_change)
    browser: AsyncServiceBrowser | None = None
    try:
        browser = AsyncServiceBrowser(network.zeroconf, SERVICE_TYPE, handlers=[list_.hear])
        await asyncio.get_running_loop().create_future()  # until cancelled
    finally:
        list_.stop()
        try:
            with contextlib.suppress(Exception):  # the network may be gone by now
                if browser is not None:
                    await browser.async_cancel()
                await network.async_close()
        finally:
            network.zeroconf.close()  # at once, where the program ends while the above still waits


class _List:
    """What has been heard so far."""

    def __init__(self, on_change: Callable[[Sequence[NearbyServer]], None]) -> None:
        self._on_change = on_change
        self._servers: dict[str, NearbyServer] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}

    def hear(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """Be told that a service has come, has changed, or is gone."""
        from zeroconf import ServiceStateChange

        if (asked := self._asking.pop(name, None)) is not None:
            asked.cancel()
        if state_change is ServiceStateChange.Removed:
            if self._servers.pop(name, None) is not None:
                self._tell()
        elif name in self._servers or len(self._servers) + len(self._asking) < MOST_SERVERS:
            self._asking[name] = asyncio.create_task(self._ask(zeroconf, name))

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(SERVICE_TYPE, name)
        has_answered = await info.async_request(zeroconf, ANSWER_MILLISECONDS)
        del self._asking[name]
        server = _read(info) if has_answered else None
        if server is not None and self._servers.get(name) != server:
            self._servers[name] = server
            self._tell()

    def _tell(self) -> None:
        self._on_change(sorted(self._servers.values(), key=lambda server: (server.name, server.address)))

    def stop(self) -> None:
        for asking in self._asking.values():
            asking.cancel()


def _read(info: ServiceInfo) -> NearbyServer | None:
    """Make of an announcement what is safe to show; None where it names no place to connect to."""
    hosts = info.parsed_addresses()
    if not hosts or info.port is None or not 1 <= info.port <= 65535:
        return None
    texts = {
        key.decode("utf-8", "replace"): (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
    }
    most = _number(texts.get(PROTOCOL, ""))
    least = _number(texts[LEAST_PROTOCOL]) if LEAST_PROTOCOL in texts else most
    return NearbyServer(
        _cleaned(info.name.removesuffix(f".{SERVICE_TYPE}"), MOST_NAME_CHARACTERS),
        # The announced fingerprint proves nothing: whoever announces another server could say another one.
        Address(_nearest(hosts), info.port, is_tls=TLS in texts),
        _number(texts.get(ROOMS, "")),
        _cleaned(texts.get(VERSION, "?"), MOST_VERSION_CHARACTERS),
        most is not None and least is not None and m.common_protocol(least, most) is not None,
        Doors(_port(texts.get(SSH_PORT, "")), _port(texts.get(WEB_PORT, ""))),
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None


def _port(text: str) -> int | None:
    port = _number(text)
    return port if port is not None and 1 <= port <= 65535 else None


def _cleaned(text: str, most: int) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:most])


def _nearest(hosts: Sequence[str]) -> str:
    """Choose the number that lies in a network of this machine: a server may have some that lead nowhere."""
    networks = [own.network for own in interfaces() if own.version == 4]
    near = [host for host in hosts if any(ip_address(host) in network for network in networks)]
    return (near or list(hosts))[0]
