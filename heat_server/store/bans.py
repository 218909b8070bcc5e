"""What a store must do with bans: one list for all servers that use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from heat_server.networks import Network
from heat_server.store.errors import StoreFailed

MOST_BANS: Final = 10_000
MOST_NOTE_CHARACTERS: Final = 100


class BanListFull(StoreFailed):
    """There would be more than `MOST_BANS`. Nothing was changed."""


class StoredBans(NamedTuple):
    """All bans as of one moment.

    Attributes:
        version: Two lists that differ have different ones.
        notes: The banned networks, each with its reason, which may be empty.
    """

    version: str
    notes: dict[Network, str]


class BanNews(NamedTuple):
    """What has changed in a list of bans.

    Attributes:
        bans: All of them.
        changed: The networks that are banned now and were not, or no more, or for another reason.
    """

    bans: StoredBans
    changed: list[Network]


class BanStore(Protocol):
    """The part of a store that has the bans; a server that saves nothing forgets them."""

    def bans(self, known: str | None = None) -> StoredBans | None:
        """Read all bans, or find out that nothing has changed.

        Args:
            known: The version that the caller has; None: none yet.

        Returns:
            None: `known` is the newest version.

        Raises:
            StoreDamaged: The list is damaged.
            StoreFailed: The store cannot be read.
        """
        return None if known is not None else StoredBans("", {})

    def put_bans(self, notes: Mapping[Network, str]) -> None:
        """Ban networks in one commit; one that is banned already gets another note.

        Raises:
            BanListFull: There would be too many.
            StoreFailed: As of `Store.write`.
        """
        return

    def lift_ban(self, network: Network) -> bool:
        """Lift the ban of exactly this network; tell whether there was one.

        Raises:
            StoreFailed: As of `Store.write`.
        """
        return False


def all_bans(store: BanStore) -> dict[Network, str]:
    """Give the banned networks of a store, each with its reason.

    Raises:
        StoreFailed: The list cannot be read or is damaged.
    """
    read = store.bans()
    assert read is not None, "nothing is known yet"
    return read.notes


def news_of_bans(store: BanStore, version: str | None, notes: Mapping[Network, str]) -> BanNews | None:
    """Find out what has changed in the list; with thousands of bans that takes a while.

    Args:
        store: Which has the list.
        version: That of the list as the caller has it; None: not known.
        notes: The list as the caller has it.

    Returns:
        None: nothing has changed.

    Raises:
        StoreFailed: The list cannot be read or is damaged.
    """
    read = store.bans(version)
    if read is None:
        return None
    return BanNews(read, [one for one in {**notes, **read.notes} if notes.get(one) != read.notes.get(one)])
