"""Where clients behind a proxy or a door come from; see `heat_core.wire.proxy`."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

import structlog
import trio

from heat_core.wire.address import Address
from heat_core.wire.proxy import MOST_BINARY_BYTES, BadHeader, parse_header
from heat_server.config import ServerConfig
from heat_server.metrics import Figures
from heat_server.net.admission import address_of_peer, peer_of
from heat_server.net.slots import Slots
from heat_server.networks import parse_networks, peer_name

MOST_UNANNOUNCED: Final = 32
"""How many connections from proxies may have sent no header yet while all others are in use. For one more the
oldest is evicted: proxies and doors send theirs at once."""

log = structlog.get_logger()


class Arrival(NamedTuple):
    """Where a client comes from.

    Attributes:
        peer: Whom limits count it for; see `admission.peer_of`.
        address: Where it came in at the proxy, or would at the server; None: not known.
        data: The first bytes that it said.
        is_by_door: Whether it is a door's word where the client comes from.
    """

    peer: str
    address: Address | None
    data: bytes
    is_by_door: bool = False


def address_of(stream: trio.SocketStream) -> Address | None:
    """Give where the client of a stream came in; None where the client is gone."""
    try:
        return Address(*stream.socket.getsockname()[:2])
    except OSError:
        return None


class Proxies:
    """The proxies that the settings name."""

    def __init__(self, config: ServerConfig, figures: Figures) -> None:
        """Read their addresses.

        Args:
            config: All settings.
            figures: Where headers that are none are counted.
        """
        self._config = config
        self._figures = figures
        self._networks = parse_networks(config.proxies) if config.proxies else None
        self._waiting = Slots()

    def sent(self, stream: trio.SocketStream) -> bool:
        """Tell whether a stream comes from one of them."""
        address = address_of_peer(stream) if self._networks is not None else None
        return address is not None and self.named(address)

    def named(self, address: IPv4Address | IPv6Address) -> bool:
        """Tell whether an address is one of theirs."""
        # The address itself, not its /64: a proxy's neighbours could lie about where they are.
        return self._networks is not None and self._networks.find(str(address)) is not None

    async def read_arrival(
        self, stream: trio.SocketStream, connections: int, door_port: int | None = None
    ) -> Arrival | None:
        """Read the header of a stream.

        Args:
            stream: From one of the proxies or from a door, nothing read yet.
            connections: How many are open beside those that wait here.
            door_port: The port of the server; None: the stream is not from a door. A door must name the
                client, and the destination is where the client reached this machine, not the server.

        Returns:
            None where there is none: the stream has been closed then, and the log says why.
        """
        peer, arrival, fault = peer_of(stream), None, "none came in time"
        most = self._config.most_connections + MOST_UNANNOUNCED - connections
        try:
            with self._waiting.take(self._config.hello_seconds, most) as slot:
                arrival = await _read(stream, door_port)
            if slot.is_evicted:
                fault = "too many connections wait for one"
        except BadHeader as error:
            fault = str(error)
        finally:
            if arrival is None:
                await trio.aclose_forcefully(stream)
        if arrival is None:
            self._figures.malformed["proxy/header"] += 1
            log.warning("bad PROXY header", peer=peer, fault=fault)
        return arrival


async def _read(stream: trio.SocketStream, door_port: int | None) -> Arrival:
    """Read on to the end of the header.

    Raises:
        BadHeader: There is none, the sender hung up within it, or it must name the client and does not.
    """
    data = b""
    while (header := parse_header(data)) is None:
        try:
            piece = await stream.receive_some(MOST_BINARY_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            piece = b""
        if not piece:
            raise BadHeader("the stream ends before one")
        data += piece
    if header.source is None and door_port is not None:
        raise BadHeader("a door must name the guest's address")
    peer = peer_of(stream) if header.source is None else peer_name(header.source)
    address = header.destination
    if address is not None and door_port is not None:
        address = address._replace(port=door_port)
    if address is not None and (ip_address(address.host).is_unspecified or not address.port):
        address = None
    return Arrival(peer, address, data[header.length :], is_by_door=door_port is not None)
