"""The server's announcement on the local network (multicast DNS), which clients list.

Theory of operation. The library blocks and has a thread of its own, so all calls to it run in worker
threads. If something fails there, such as the network, a line in the log says so and the server continues.
The announcement is withdrawn as soon as the server begins to stop.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

import structlog
import trio

from heat_core.version import program_version
from heat_core.wire import messages
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
from heat_server.listening import hosts_of
from heat_server.log import kind_of_fault
from heat_server.net.certificate import Certificate

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

    from heat_server.server import Server

LOOK_SECONDS: Final = 10.0
"""The shortest time between two announcements of what has changed."""

REMEDY: Final = (
    "connect the machine to a network and start the server again, or turn this off with --no-lan; "
    "--announce HOST sets the address that players see"
)

END_SECONDS: Final = 2.0
MOST_NAME_BYTES: Final = 40
NO_DOORS: Final = Doors()

log = structlog.get_logger()


async def announce(server: Server, addresses: Sequence[tuple[str, int]], stop: trio.Event) -> None:
    """Announce a server until it stops or this is cancelled.

    Args:
        server: Whose rooms are counted, and whose doors are named.
        addresses: Where it listens; one that means all interfaces is announced on all.
        stop: Set when it begins to stop.
    """
    announcement = Announcement(addresses, server.certificate)
    told = len(server.rooms), server.doors
    try:
        await trio.to_thread.run_sync(announcement.begin, *told, abandon_on_cancel=True)
        log.info("announced on the network", name=announcement.name)
        while not stop.is_set():
            with trio.move_on_after(LOOK_SECONDS):
                await stop.wait()
            if (now := (len(server.rooms), server.doors)) != told:
                told = now
                await trio.to_thread.run_sync(announcement.update, *told, abandon_on_cancel=True)
    except Exception as error:  # a library can fail in any way: the races continue without it
        fault = kind_of_fault(error) if hosts_of(addresses) else "this machine has no network address"
        log.warning("not announced on the network", fault=fault, remedy=REMEDY)
    finally:
        with trio.CancelScope(shield=True, deadline=trio.current_time() + END_SECONDS):
            await trio.to_thread.run_sync(announcement.end, abandon_on_cancel=True)


class Announcement:
    """One server's entry. Its methods block.

    Attributes:
        name: Under which it is listed; "" before `begin`.
    """

    def __init__(self, addresses: Sequence[tuple[str, int]], certificate: Certificate | None = None) -> None:
        """Prepare; nothing is sent yet.

        Args:
            addresses: Where the server listens, all at one port.
            certificate: By which it speaks TLS; None: it does not.
        """
        self._tls = {} if certificate is None else {TLS: certificate.fingerprint}
        self.name = ""
        self._addresses = addresses
        self._is_everywhere = any(ip_address(host.partition("%")[0]).is_unspecified for host, _ in addresses)
        self._port = addresses[0][1]
        self._zeroconf: Zeroconf | None = None
        self._info: ServiceInfo | None = None

    def begin(self, rooms: int, doors: Doors = NO_DOORS) -> None:
        """Announce.

        Raises:
            Exception: Of any kind; there is no network, for one.
        """
        from zeroconf import InterfaceChoice, IPVersion, Zeroconf

        if self._is_everywhere:
            self._zeroconf = Zeroconf(InterfaceChoice.All, ip_version=IPVersion.V4Only)
        else:
            self._zeroconf = Zeroconf(hosts_of(self._addresses))
        self._info = self._entry(rooms, doors, _host_name())
        self._zeroconf.register_service(self._info, allow_name_change=True)
        self.name = self._info.name

    def update(self, rooms: int, doors: Doors = NO_DOORS) -> None:
        """Announce another number of rooms, or other doors."""
        assert self._zeroconf is not None
        self._info = self._entry(rooms, doors, self.name.removesuffix(f".{SERVICE_TYPE}"))
        self._zeroconf.update_service(self._info)

    def end(self) -> None:
        """Take the announcement back; what cannot be said any more is forgotten by those who heard it."""
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is None:
            return
        with contextlib.suppress(Exception):  # the network may be gone by now
            zeroconf.unregister_all_services()
        with contextlib.suppress(Exception):
            zeroconf.close()

    def _entry(self, rooms: int, doors: Doors, name: str) -> ServiceInfo:
        from zeroconf import ServiceInfo

        ports = {SSH_PORT: doors.ssh, WEB_PORT: doors.web}
        return ServiceInfo(
            SERVICE_TYPE,
            f"{name}.{SERVICE_TYPE}",
            parsed_addresses=hosts_of(self._addresses),
            port=self._port,
            properties={
                ROOMS: str(rooms),
                VERSION: program_version(),
                PROTOCOL: str(messages.PROTOCOL),
                LEAST_PROTOCOL: str(messages.LEAST_PROTOCOL),
                **self._tls,
                **{key: str(port) for key, port in ports.items() if port is not None},
            },
            # A name of its own: what the machine's own responder says of the machine stays as it is.
            server=f"{_host_name()}-heat-{self._port}.local.",
        )


def _host_name() -> str:
    """Give the machine's name as one label: letters, digits, dashes."""
    name = socket.gethostname().partition(".")[0]
    kept = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name)
    return kept.strip("-")[:MOST_NAME_BYTES] or "heat-server"
