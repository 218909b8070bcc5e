"""The other servers that share a store, as one of them last saw them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from heat_core.wire.messages import RoomSummary
from heat_server.room.rooms import MOST_LISTED_ROOMS
from heat_server.store.contract import Peer

MOST_NAMED_SERVERS: Final = 256

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(tuple[RoomSummary, ...])


class Peers:
    """The others: where they are, and which rooms they list; nobody where there is only one server.

    Attributes:
        addresses: What clients connect to, this server's own first; none where it is alone.
    """

    def __init__(self) -> None:
        """Begin alone."""
        self.addresses: tuple[str, ...] = ()
        self._rooms: tuple[RoomSummary, ...] = ()

    def note(self, address: str, peers: Iterable[Peer]) -> None:
        """Note who there is.

        Args:
            address: This server's.
            peers: The others.
        """
        peers = list(peers)
        others = dict.fromkeys(peer.address for peer in peers if peer.address not in ("", address))
        self.addresses = (address, *others)[:MOST_NAMED_SERVERS] if others else ()
        self._rooms = tuple(room for peer in peers for room in _listed_by(peer))

    def with_theirs(self, own: tuple[RoomSummary, ...]) -> tuple[RoomSummary, ...]:
        """Add the rooms of the others to a list, those with a free place first."""
        if not self._rooms:
            return own
        rooms = {room.code: room for room in (*self._rooms, *own)}
        in_order = sorted(rooms.values(), key=lambda room: (not room.has_place, room.phase != "lobby"))
        return tuple(in_order[:MOST_LISTED_ROOMS])


def encode_listed(rooms: tuple[RoomSummary, ...]) -> bytes:
    """Write the rooms of a server for the others."""
    return _encoder.encode(rooms)


def _listed_by(peer: Peer) -> tuple[RoomSummary, ...]:
    """Read the rooms of another server; nothing where its version writes them in another way."""
    try:
        return _decoder.decode(peer.listed) if peer.listed else ()
    except msgspec.MsgspecError:
        return ()
