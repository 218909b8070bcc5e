"""Which servers get the rooms that another one lets go, and how many of them at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, TypeVar

from heat_server.peers import Peers
from heat_server.room.moving import Move

Room = TypeVar("Room")

LEAST_SHARE: Final = 20
"""So many rooms may go to one server though others have only a few more players."""

MOST_WAVES: Final = 4
LEAST_IN_WAVE: Final = 5
"""Rooms for each of the others: fewer are not worth waiting for."""


class Heirs:
    """Shares a number of rooms out among the other servers.

    Each goes to the server with the fewest players, those on their way included. But none gets much more than
    an equal share: all players would wait for a server that has just started.
    """

    def __init__(self, peers: Peers, rooms: int) -> None:
        """Begin with nothing given.

        Args:
            peers: The other servers.
            rooms: How many are to go.
        """
        self._peers = peers
        self._share = max(LEAST_SHARE, ceil(rooms / max(peers.takers, 1)))
        self._given: Counter[str] = Counter()

    def can_take(self, *, is_lobby: bool) -> bool:
        """Tell whether there is a server that can take a room, without a race if it is a lobby."""
        return bool(self._peers.takers or (is_lobby and self._peers.quietest_of_newer_rules))

    def choose(self, people: int, *, is_lobby: bool) -> Move | None:
        """Choose where a room goes, and count its people there; None: no server can take it."""
        full = [address for address, rooms in self._given.items() if rooms >= self._share]
        move = Move(self._peers.quietest_but(full))
        if not move.address:
            newer = self._peers.quietest_of_newer_rules
            if newer is None or not is_lobby:
                return None
            move = Move(*newer)
        self._given[move.address] += 1
        self._peers.count_sent(people, move.address)
        return move

    def waves(self, rooms: Sequence[Room]) -> Iterator[Sequence[Room]]:
        """Share rooms out in time: who waits for their turn races on meanwhile."""
        size = max(ceil(len(rooms) / MOST_WAVES), LEAST_IN_WAVE * max(self._peers.takers, 1))
        return (rooms[first : first + size] for first in range(0, len(rooms), size))
