"""The other servers that share a store, as one of them last saw them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import Final

import msgspec

from heat_core.race.rules_version import RULES_VERSION
from heat_core.wire.messages import MOST_NAMED_SERVERS, RoomSummary
from heat_server.net.connection import Connection
from heat_server.room.rooms import MOST_LISTED_ROOMS
from heat_server.store.ownership import Peer

MOST_SHARED_ROOMS: Final = 100
"""Of one server in the lists of the others."""

LEAST_SHARED_ROOMS: Final = 10
"""The same in a large fleet, where each server reads those of many others."""

MUCH_QUIETER: Final = 2
FEW_CONNECTIONS: Final = 20
"""Where a server has more than so many times the connections of another one, and these on top, a new room is
made there."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(tuple[RoomSummary, ...])


class Peers:
    """The others: where they are, and which rooms they list; nobody where there is only one server.

    Attributes:
        addresses: What clients connect to, this server's own first; none where it is alone.
        seen_doubled: How many times in a row another one has had this server's own address.
        others: How many others run.
        draining: How many of them take no rooms, as their operators have them drained.
        silent: How many ran a minute ago and do not now.
        their_rooms: The open rooms of those that run.
    """

    def __init__(self) -> None:
        """Begin alone."""
        self.addresses: tuple[str, ...] = ()
        self.seen_doubled = 0
        self.others = 0
        self.draining = 0
        self.silent = 0
        self.their_rooms = 0
        self._connections: dict[str, int] = {}  # with the connections of each
        self._rules: dict[str, int] = {}  # of the same
        self._lists: dict[bytes, tuple[RoomSummary, ...]] = {}  # by what each was read from
        self._rooms: tuple[RoomSummary, ...] = ()

    def note(self, address: str, peers: Iterable[Peer]) -> None:
        """Note who there is.

        Args:
            address: This server's.
            peers: The others, with those that ran a minute ago.
        """
        peers = tuple(peers)
        up = {address, *(peer.address for peer in peers if peer.is_up)}
        self.silent = len({peer.address for peer in peers} - up - {""})
        peers = tuple(peer for peer in peers if peer.is_up)
        is_doubled = any(peer.address == address for peer in peers)
        self.seen_doubled = self.seen_doubled + 1 if is_doubled else 0
        others = [peer for peer in peers if peer.address not in ("", address)]
        others.sort(key=lambda peer: peer.is_draining)  # who comes to one of these is soon sent on
        names = dict.fromkeys(peer.address for peer in others)
        self.addresses = (address, *names)[:MOST_NAMED_SERVERS] if names else ()
        self.others = len(others)
        self.draining = sum(peer.is_draining for peer in others)
        self.their_rooms = sum(peer.rooms for peer in others)
        takers = [peer for peer in others if not peer.is_draining]
        self._connections = {peer.address: peer.connections for peer in takers}
        self._rules = {peer.address: peer.rules for peer in takers}
        known, listed = self._lists, [peer.listed for peer in others]
        if known.keys() != set(listed):
            self._lists = {one: known[one] if one in known else _decode_listed(one) for one in listed}
            self._rooms = _best(chain.from_iterable(self._lists.values()))

    def news_for(self, connection: Connection) -> tuple[str, ...]:
        """Give all addresses to a client that was not told of some of them, once; else none."""
        if self.addresses == connection.servers or set(self.addresses) <= set(connection.servers):
            return ()
        connection.servers = self.addresses
        return self.addresses

    @property
    def quietest(self) -> str:
        """The one with the fewest connections among those that can take any room; "": none can."""
        return self._quietest(lambda rules: rules == RULES_VERSION)

    def quietest_but(self, avoided: Collection[str]) -> str:
        """The same without some of them, if there is another one."""
        return self._quietest(lambda rules: rules == RULES_VERSION, avoided) or self.quietest

    @property
    def takers(self) -> int:
        """How many can take any room."""
        return sum(rules == RULES_VERSION for rules in self._rules.values())

    @property
    def quietest_for_new(self) -> str:
        """The same among those that can take a new room, whatever rules they play by."""
        return self._quietest(lambda rules: True)

    @property
    def quietest_of_newer_rules(self) -> tuple[str, int] | None:
        """The same among those that play by newer rules, with their version: they can take lobbies, too.

        Those of older rules cannot: they may not know what this version's rooms can be set to.
        """
        address = self._quietest(lambda rules: rules > RULES_VERSION)
        return (address, self._rules[address]) if address else None

    def _quietest(self, suits: Callable[[int], bool], avoided: Collection[str] = ()) -> str:
        suitable = [one for one, rules in self._rules.items() if suits(rules) and one not in avoided]
        return min(suitable, key=self._connections.__getitem__, default="")

    def much_quieter(self, connections: int) -> str:
        """Choose the server that gets a new room in place of one with so many connections; "": it keeps it.

        People count, not rooms: those that sleep cost nothing. The other one must have clearly fewer, as what
        is known of it is up to four seconds old, and who is sent on waits a moment longer for the room.
        """
        address = self.quietest
        fewest = self._connections.get(address, connections)
        is_much = connections > MUCH_QUIETER * fewest + FEW_CONNECTIONS
        return self.count_sent(1, address) if is_much else ""

    def count_sent(self, connections: int, address: str) -> str:
        """Count connections as those of the server that they are sent to, if there is one; give its address.

        Otherwise that server would get every room until it says how many connections it has.
        """
        if address:
            self._connections[address] += connections
        return address

    def encode_listed(self, rooms: tuple[RoomSummary, ...]) -> bytes:
        """Write the rooms of this server for the others, those with a free place if there are too many.

        All servers together write about twice what a list shows.
        """
        most = 2 * MOST_LISTED_ROOMS // (self.others + 1)
        return _encoder.encode(rooms[: min(max(most, LEAST_SHARED_ROOMS), MOST_SHARED_ROOMS)])

    def with_theirs(self, own: tuple[RoomSummary, ...]) -> tuple[RoomSummary, ...]:
        """Add the rooms of the others to a list, those with a free place first."""
        if not self._rooms:
            return own
        rooms = {room.code: room for room in (*self._rooms, *own)}  # one that has just moved is in both
        return _best(rooms.values())


def _best(rooms: Iterable[RoomSummary]) -> tuple[RoomSummary, ...]:
    in_order = sorted(rooms, key=lambda room: (not room.has_place, room.phase != "lobby"))
    return tuple(in_order[:MOST_LISTED_ROOMS])


def _decode_listed(listed: bytes) -> tuple[RoomSummary, ...]:
    """Read the rooms of another server; nothing where its version writes them in another way."""
    try:
        return _decoder.decode(listed) if listed else ()
    except msgspec.MsgspecError:
        return ()
