"""Who may not come in, as one server knows it.

Theory of operation. The store has the list, one for all servers that share it. Each server keeps a copy, so
a connection costs the store no question, and the bans hold while the store is away. It reads the list at its
start and asks for changes with each renewal of its lease. What its own operator bans or lifts holds at once,
before it is saved. If it cannot be saved it holds here until the server ends, or until another server changes
the ban of the same network. There can be thousands of bans, which nobody waits for: lists are compared in the
store's thread, and what has changed is noted a few at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import trio

from heat_core.wire.codes import ByeCode
from heat_server.net.connection import Connection
from heat_server.networks import Network, NetworkTable, in_order
from heat_server.store.bans import MOST_BANS, BanListFull
from heat_server.store.worker import StoreWorker

MOST_AT_ONCE: Final = 200
"""So many changes are noted in about a millisecond; then others have their turn."""

_BANNED_TEXT: Final = "The server's operator has banned your address."


class Bans:
    """All bans that hold at a server.

    Attributes:
        networks: With the note of each; for looking only.
    """

    def __init__(self, worker: StoreWorker) -> None:
        """Begin with none; `refresh` reads them.

        Args:
            worker: The way to the list.
        """
        self.networks: NetworkTable[str] = NetworkTable()
        self._worker = worker
        self._stored: dict[Network, str] = {}
        self._unsaved: dict[Network, str | None] = {}
        self._version: str | None = None
        self._at_store = trio.Lock()

    def __iter__(self) -> Iterator[tuple[Network, str]]:
        """List networks and notes, in order of address."""
        return iter(sorted(self.networks, key=lambda entry: in_order(entry[0])))

    def is_saved(self, network: Network) -> bool:
        """Tell whether a ban is in the list, not only here."""
        return network not in self._unsaved

    async def refresh(self) -> list[Network]:
        """Learn what others have changed; a list that is known is not read again.

        Returns:
            The networks that have been banned since.

        Raises:
            StoreFailed: The list cannot be read or is damaged; what was known holds.
        """
        async with self._at_store:
            news = await self._worker.bans(self._version, self._stored)
            if news is None:
                return []
            banned, notes = [], news.bans.notes
            for number, network in enumerate(news.changed, 1):
                if network in notes and network not in self.networks:
                    banned.append(network)
                self._unsaved.pop(network, None)
                self._put(network, notes.get(network))
                if number % MOST_AT_ONCE == 0:
                    await trio.lowlevel.checkpoint()
            self._version, self._stored = news.bans
            return banned

    def hold(self, network: Network, note: str) -> None:
        """Ban a network from now on, or give its ban another note; `save` must follow.

        Raises:
            BanListFull: There would be too many; nothing was changed.
        """
        if network not in self.networks and len(self.networks) >= MOST_BANS:
            raise BanListFull("the list of bans is full")
        self._unsaved[network] = note
        self._put(network, note)

    async def save(self, network: Network, note: str) -> None:
        """Put into the list what `hold` was called with.

        Raises:
            BanListFull: There would be too many; the ban does not hold.
            StoreFailed: It cannot be saved, and holds until the server ends.
        """
        async with self._at_store:
            try:
                await self._worker.put_bans({network: note})
            except BanListFull:
                self._unsaved.pop(network, None)
                self._put(network, self._stored.get(network))
                raise
            self._note_saved(network, note)

    async def lift(self, network: Network) -> bool:
        """Lift the ban of exactly this network; tell whether there was one.

        Raises:
            StoreFailed: That cannot be saved; the ban is lifted until the server ends.
        """
        was_banned = network in self.networks
        self._unsaved[network] = None
        self._put(network, None)
        async with self._at_store:
            was_there = await self._worker.lift_ban(network)
            self._note_saved(network, None)
        return was_banned or was_there

    def _note_saved(self, network: Network, note: str | None) -> None:
        self._version = None  # others may have changed the list in between
        if note is None:
            self._stored.pop(network, None)
        else:
            self._stored[network] = note
        if self._unsaved.get(network, note) == note:  # nobody has said otherwise meanwhile
            self._unsaved.pop(network, None)
            self._put(network, note)

    def _put(self, network: Network, note: str | None) -> None:
        if note is None:
            self.networks.remove(network)
        else:
            self.networks.put(network, note)


def close_banned(connections: Iterable[Connection], networks: Iterable[Network]) -> int:
    """Close the connections that come from banned networks; give how many there were."""
    banned = NetworkTable((network, True) for network in networks)
    found = [one for one in connections if one.is_open and banned.find(one.peer)]
    for connection in found:
        connection.close(ByeCode.BANNED, _BANNED_TEXT)
    return len(found)
