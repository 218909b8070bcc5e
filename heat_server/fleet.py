"""What a server does as one of several that share a store: it renews its lease, and sees what others have.

Each round writes what the others list of this server into its row, and reads theirs: lists of rooms and the
addresses of the fleet cost clients no query.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec
import structlog
import trio

from heat_core.wire.messages import RoomSummary
from heat_server.room.rooms import MOST_LISTED_ROOMS
from heat_server.store.contract import RENEW_SECONDS, Peer, ServerLoad
from heat_server.store.errors import StoreFailed

if TYPE_CHECKING:
    from heat_server.server import Server

MOST_NAMED_SERVERS: Final = 256

log = structlog.get_logger()

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(tuple[RoomSummary, ...])


class Fleet:
    """The servers that share a store, as one of them last saw the others; empty where there is only one.

    Attributes:
        addresses: What clients connect to, this server's first.
    """

    def __init__(self) -> None:
        """Begin alone."""
        self.addresses: tuple[str, ...] = ()
        self._rooms: tuple[RoomSummary, ...] = ()

    def note(self, address: str, peers: Iterable[Peer]) -> None:
        """Note who else there is.

        Args:
            address: This server's.
            peers: The others.
        """
        peers = list(peers)
        others = dict.fromkeys(peer.address for peer in peers if peer.address not in ("", address))
        self.addresses = (address, *others)[:MOST_NAMED_SERVERS] if others else ()
        self._rooms = tuple(room for peer in peers for room in _listed_by(peer))

    def with_others(self, own: Iterable[RoomSummary]) -> tuple[RoomSummary, ...]:
        """Add the rooms of the other servers to a list, those with a free place first."""
        own = tuple(own)
        if not self._rooms:
            return own
        rooms = {room.code: room for room in (*self._rooms, *own)}
        in_order = sorted(rooms.values(), key=lambda room: (not room.has_place, room.phase != "lobby"))
        return tuple(in_order[:MOST_LISTED_ROOMS])


def _listed_by(peer: Peer) -> tuple[RoomSummary, ...]:
    """Read the rooms of another server; nothing where its version writes them in another way."""
    try:
        return _decoder.decode(peer.listed) if peer.listed else ()
    except msgspec.MsgspecError:
        return ()


async def renew_lease(server: Server, address: str) -> None:
    """Renew a server's lease, say what it has, let go what others have taken, and look who they are.

    Args:
        server: Which one.
        address: What clients connect to.

    Raises:
        StoreFailed: The database fails.
    """
    rooms = server.rooms
    listed = _encoder.encode(rooms.summaries())
    load = ServerLoad(address, len(rooms) + len(rooms.sleeping), len(server.connections), listed)
    rooms.lose(await server.worker.renew(load))
    server.fleet.note(address, await server.worker.peers())


async def keep_lease(server: Server, address: str) -> None:
    """Renew a server's lease in time, and take over the rooms of servers that died, until cancelled."""
    while True:
        await trio.sleep(RENEW_SECONDS)
        try:
            await renew_lease(server, address)
            await server.rooms.take_over()
        except StoreFailed as error:
            log.warning("lease not renewed", why=str(error))
