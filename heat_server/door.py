"""Who may come in: limits on connections from one address, and on files that the system lets us open."""

from __future__ import annotations

import resource
from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple

import trio

from heat_core.wire.codes import ByeCode
from heat_server.bucket import Bucket
from heat_server.config import ServerConfig

IPV6_HOME_BITS: Final = 64
"""A household gets at least so much of IPv6 and may use any address in it."""

MOST_OPEN_FILES: Final = 1_048_576
FILES_BESIDE_CONNECTIONS: Final = 64
MOST_REMEMBERED: Final = 10_000


class TurnedAway(NamedTuple):
    """What a connection is told that may not come in."""

    code: ByeCode
    text: str


def peer_of(stream: trio.abc.Stream) -> str:
    """Give the address that a stream comes from, or the network where one home has many; "" for no socket."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        address = ip_address(stream.socket.getpeername()[0].partition("%")[0])
    except (OSError, ValueError, IndexError):
        return ""
    return home_of(address)


def home_of(address: IPv4Address | IPv6Address) -> str:
    """Give what limits count by: an IPv4 address, however it is written, or a /64 network."""
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, IPV6_HOME_BITS), strict=False))


class Door:
    """Counts who is in and how often they come. Connections without an address always may."""

    def __init__(self, config: ServerConfig) -> None:
        """Begin with nobody."""
        self._config = config
        self._inside: Counter[str] = Counter()
        self._knocks: dict[str, Bucket] = {}
        self._shares: dict[str, Bucket] = {}

    def enter(self, peer: str, now: float) -> TurnedAway | None:
        """Count a connection in, whatever the answer; `leave` takes it out again.

        Args:
            peer: What `peer_of` gave.
            now: The time in seconds.

        Returns:
            Why it must not stay; None: it may.
        """
        self._inside[peer] += 1
        config = self._config
        if self._inside.total() > config.most_connections:
            return TurnedAway(ByeCode.SERVER_FULL, "The server has no room for more connections.")
        if not peer:
            return None
        if self._inside[peer] > config.connections_per_address:
            return TurnedAway(ByeCode.ADDRESS_FULL, "There are too many connections from your address.")
        if not self._knock(peer, now):
            return TurnedAway(ByeCode.TOO_OFTEN, "Your address connects too often; try again in a minute.")
        return None

    def leave(self, peer: str) -> None:
        """Count a connection out."""
        self._inside[peer] -= 1
        if not self._inside[peer]:
            del self._inside[peer]

    def share_of(self, peer: str, now: float) -> Bucket | None:
        """Give what all connections of an address may send together; None: it has none.

        It is remembered until it is full again: what an address owes is not paid by coming anew.

        Args:
            peer: Of a connection that has been counted in.
            now: The time in seconds.
        """
        if not peer:
            return None
        if peer not in self._shares:
            if len(self._shares) >= MOST_REMEMBERED:
                self._forget_shares(now)
            config = self._config
            self._shares[peer] = Bucket(config.messages_at_once, config.messages_per_address, now)
        return self._shares[peer]

    def _forget_shares(self, now: float) -> None:
        """Forget the shares of addresses that are out: those that owe nothing, and if need be all."""
        for may_go in (lambda share: share.is_full(now), lambda _: True):
            if len(self._shares) >= MOST_REMEMBERED:
                self._shares = {
                    who: share
                    for who, share in self._shares.items()
                    if who in self._inside or not may_go(share)
                }

    def _knock(self, peer: str, now: float) -> bool:
        if peer not in self._knocks:
            if len(self._knocks) >= MOST_REMEMBERED:
                self._knocks = {
                    who: knocks for who, knocks in self._knocks.items() if not knocks.is_full(now)
                }
            if len(self._knocks) >= MOST_REMEMBERED:  # from everywhere at once: the count in all bounds them
                return True
            per_minute = self._config.hellos_per_minute
            self._knocks[peer] = Bucket(per_minute, per_minute / 60, now)
        return self._knocks[peer].take(now)


def raise_file_limit(connections: int) -> int | None:
    """Let this process open as many files as the system allows it.

    Returns:
        How many connections that leaves room for where it is less than wanted; None: all.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, MOST_OPEN_FILES, connections + FILES_BESIDE_CONNECTIONS):
        if wanted == resource.RLIM_INFINITY or (hard != resource.RLIM_INFINITY and wanted > hard):
            continue
        try:  # some systems name a hard limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
            break
        except (OSError, ValueError):
            continue
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = soft - FILES_BESIDE_CONNECTIONS
    return None if soft == resource.RLIM_INFINITY or room >= connections else max(0, room)
