"""Who may connect: limits on connections from one address, and on open files."""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address
from math import inf
from typing import Final, NamedTuple

import trio

from heat_core.wire.codes import ByeCode
from heat_core.wire.ip_numbers import number_of
from heat_server.config import ServerConfig
from heat_server.net.buckets import Buckets
from heat_server.net.strain import Strain
from heat_server.net.token_bucket import TokenBucket
from heat_server.networks import Home, NetworkTable, homes_of, parse_address_limits, peer_name

MOST_OPEN_FILES: Final = 1_048_576
FILES_BESIDE_CONNECTIONS: Final = 64
"""For store, log and the like; where there are very few, half of them."""

MOST_REMEMBERED: Final = 10_000


class TurnedAway(NamedTuple):
    """The answer to a connection that is refused.

    Attributes:
        code: For programs.
        text: One sentence for people.
        home: The network that has too many connections, where that is why.
    """

    code: ByeCode
    text: str
    home: str | None = None


def peer_of(stream: trio.abc.Stream) -> str:
    """Name whom limits count the peer of a stream for, see `networks.peer_name`; "" where it is no socket."""
    address = address_of_peer(stream)
    return "" if address is None else peer_name(address)


def address_of_peer(stream: trio.abc.Stream) -> IPv4Address | IPv6Address | None:
    """Give the address of the peer of a stream; None where it has none."""
    if not isinstance(stream, trio.SocketStream):
        return None
    try:
        return number_of(stream.socket.getpeername()[0])
    except (OSError, ValueError, IndexError):
        return None


class Admission:
    """Counts who is in and how often they come. Connections without an address always may.

    Attributes:
        strain: How much more messages count now.
    """

    def __init__(self, config: ServerConfig, bans: NetworkTable[str] | None = None) -> None:
        """Begin with nobody.

        Args:
            config: With the limits.
            bans: Networks that may not come in, and why; None: none is banned.
        """
        self._bans: NetworkTable[str] = NetworkTable() if bans is None else bans
        self.strain = Strain()
        self._config = config
        self._lifted = parse_address_limits(config.address_limits) if config.address_limits else None
        self._inside: Counter[str] = Counter()
        per_minute = config.hellos_per_minute
        self._knocks = Buckets(per_minute, per_minute / 60, MOST_REMEMBERED)
        self._refusals = Buckets(per_minute, per_minute / 60, MOST_REMEMBERED)
        self._shares: dict[str, TokenBucket] = {}

    def homes_of(self, peer: str) -> tuple[Home, ...]:
        """List the networks that a peer is counted in and limited by, by the settings too.

        Args:
            peer: What `peer_of` gave.

        Returns:
            The narrowest first; none where no limit holds.
        """
        factor = self._lifted.find(peer) if self._lifted is not None else None
        if factor is None:
            return homes_of(peer)
        return () if factor == inf else (Home(peer, factor),)  # what lies around it has limits of its own

    def factor_of(self, peer: str) -> float:
        """Say how many times the usual limits a peer itself has; infinite: it has none."""
        homes = self.homes_of(peer)
        return homes[0].factor if homes else inf

    def enter(self, peer: str, now: float) -> TurnedAway | None:
        """Count a connection in, whatever the answer; `leave` takes it out again.

        Args:
            peer: What `peer_of` gave.
            now: The time in seconds.

        Returns:
            Why it must not stay; None: it may.
        """
        names = [home.name for home in homes_of(peer)]
        self._inside.update(names)
        if self._bans.find(peer) is not None:
            return TurnedAway(ByeCode.BANNED, "Your address is banned from this server.")
        homes = self.homes_of(peer)
        for home in homes:
            if self._inside[home.name] > self._config.connections_per_address * home.factor:
                text = "There are too many connections from your address. Close one, or try again later."
                self._note_refusal(homes, now)
                return TurnedAway(ByeCode.ADDRESS_FULL, text, home.name)
        if not self._knock(homes, now):
            self._note_refusal(homes, now)
            return TurnedAway(ByeCode.TOO_OFTEN, "Your address connects too often. Try again in a minute.")
        return None

    def leave(self, peer: str) -> None:
        """Count a connection out."""
        for home in homes_of(peer):
            self._inside[home.name] -= 1
            if not self._inside[home.name]:
                del self._inside[home.name]

    def shares_of(self, peer: str, now: float) -> tuple[TokenBucket, ...]:
        """Give what all connections of each network that a peer is in may send together; none: no limit.

        They are remembered until they are full again: it does not help to reconnect.

        Args:
            peer: Of a connection that has been counted in.
            now: The time in seconds.
        """
        return tuple(self._share_of(home, now) for home in self.homes_of(peer))

    def _share_of(self, home: Home, now: float) -> TokenBucket:
        if home.name not in self._shares:
            if len(self._shares) >= MOST_REMEMBERED:
                self._forget_shares(now)
            config = self._config
            self._shares[home.name] = TokenBucket(
                config.messages_at_once * home.factor, config.messages_per_address * home.factor, now
            )
        return self._shares[home.name]

    def _forget_shares(self, now: float) -> None:
        """Forget the shares of networks that are out: those that owe nothing, and if need be all."""
        for may_go in (lambda share: share.is_full(now), lambda _: True):
            if len(self._shares) >= MOST_REMEMBERED:
                self._shares = {
                    who: share
                    for who, share in self._shares.items()
                    if who in self._inside or not may_go(share)
                }

    def _knock(self, homes: Sequence[Home], now: float) -> bool:
        """Count a new connection in each network; tell whether all of them may have one more now."""
        return all(self._may_knock(home, now) for home in homes)

    def _may_knock(self, home: Home, now: float) -> bool:
        knocks = self._knocks.of(home.name, now, home.factor)
        return knocks is None or knocks.take(now)  # from everywhere at once: the count in all bounds them

    def is_unheard(self, peer: str, now: float) -> bool:
        """Tell whether a peer has been refused so often in the last minute that it is no more told why.

        Args:
            peer: What `peer_of` gave.
            now: The time in seconds.
        """
        return any(self._refusals.has_used_up(home.name, now) for home in self.homes_of(peer))

    def _note_refusal(self, homes: Sequence[Home], now: float) -> None:
        for home in homes:
            if (refusals := self._refusals.of(home.name, now, home.factor)) is not None:
                refusals.take(now)


def raise_file_limit(connections: int) -> int | None:
    """Let this process open as many files as the system allows it.

    Returns:
        How many connections that leaves room for where it is less than wanted, 1 at least; None: all.
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
    room = soft - min(FILES_BESIDE_CONNECTIONS, soft // 2)
    return None if soft == resource.RLIM_INFINITY or room >= connections else max(1, room)
