"""What a store must do, whichever database it is in, and what it gives back; `writes` has what it takes.

`tests/server/test_store_contract.py` holds every store to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self

import msgspec

from heat_server.store.bans import BanStore
from heat_server.store.fleet_status import FleetStatus
from heat_server.store.ownership import Claimed, Owner, Peer, Release, ServerLoad
from heat_server.store.writes import Outcome, Write

MOST_PRUNED_AT_ONCE: Final = 20

MOST_CLAIMED_AT_ONCE: Final = 500
"""How many matches of a shared store a transaction claims at most: commits of its server wait meanwhile."""

RENEW_SECONDS: Final = 2.0
"""How often a server renews its lease of a shared store: it runs three times as long."""


class OpenMatch(NamedTuple):
    """What a server must know of an open match to find it.

    Attributes:
        match: Its name.
        code: What people type to join.
        phase: How far its room was.
    """

    match: str
    code: str
    phase: str


class SavedRace(NamedTuple):
    """The newest race of an open match.

    Attributes:
        number: As `BeginRace` had it.
        setup: As `BeginRace` had it.
        drivers: As `BeginRace` had them.
        steps: All of the race, in order.
    """

    number: int
    setup: bytes
    drivers: bytes
    steps: list[bytes]


class SavedMatch(NamedTuple):
    """An open match with everything that its room hands back to itself.

    Attributes:
        match: Its name.
        code: What people type to join.
        state: As `SaveRoom` had it.
        clocks: None where none were ever saved.
        season: None for a match without one.
        race: The newest; None before the first.
    """

    match: str
    code: str
    state: bytes
    clocks: bytes | None
    season: bytes | None
    race: SavedRace | None


class SavedStep(msgspec.Struct, frozen=True, gc=False):
    """What one command brought, or the few that share a commit.

    Attributes:
        first: The number of the first event.
        count: How many events.
        at_ms: When it was stored, by the server's clock.
        events: All of them.
    """

    first: int
    count: int
    at_ms: int
    events: bytes


class RecordedRace(NamedTuple):
    """A race of any match.

    Attributes:
        number: As `BeginRace` had it.
        setup: What it follows from.
        reason: Why it ended; None while it has not.
        result: One line for listings; None while it has not ended.
        steps: All of the race, in order.
    """

    number: int
    setup: bytes
    reason: str | None
    result: str | None
    steps: list[SavedStep]


class ListedMatch(NamedTuple):
    """A match, open or closed, in one line of a listing.

    Attributes:
        begun_at_ms: When its room was first saved, by the server's clock.
        changed_at_ms: When its room was last saved, or the match closed.
        outcome: None of an open one.
        reason: Why it was closed; None of an open one.
        result: Of the race that ended last; None before.
    """

    match: str
    code: str
    phase: str
    title: str
    begun_at_ms: int
    changed_at_ms: int
    outcome: Outcome | None
    reason: str | None
    result: str | None


class WholeRace(NamedTuple):
    """A race with who drives and its times, as a copy has it."""

    race: RecordedRace
    drivers: bytes
    begun_at_ms: int
    ended_at_ms: int | None


class WholeMatch(NamedTuple):
    """All that a store has of a match, open or closed; what a copy of it is made of.

    Attributes:
        match: Its name.
        code: As in `SaveRoom`, and so are `phase`, `title` and `state`.
        begun_at_ms: As in `ListedMatch`, and so are `changed_at_ms`, `outcome` and `reason`.
        clocks: None where there are none.
        season: None for a match without one.
        keys: The hashes of the tokens that belong to it.
        left: Those of them whose players have left and can come back.
        races: All of them, in order.
    """

    match: str
    code: str
    phase: str
    title: str
    state: bytes
    begun_at_ms: int
    changed_at_ms: int
    outcome: Outcome | None
    reason: str | None
    clocks: bytes | None
    season: bytes | None
    keys: list[bytes]
    left: list[bytes]
    races: list[WholeRace]


class Store(BanStore, Protocol):
    """An open store. It blocks, and serves one thread at a time.

    What it raises names the store. Whatever fails, nothing of the same batch of writes is there, with one
    exception: of a batch that fails as `StoreUnreachable` all is there or nothing, and what is read next
    tells.
    """

    @property
    def name(self) -> str:
        """What people call it: its path, or its address without secrets."""

    @property
    def trouble(self) -> str | None:
        """Why it cannot be reached now; None: it can, as far as is known. Any thread may ask."""
        return None

    @property
    def saves(self) -> bool:
        """Tell whether anything is saved: not with `--no-store`."""

    def write(self, writes: Sequence[Write]) -> None:
        """Do all writes, in their order, in one commit; they are on disk when this returns.

        Raises:
            MatchesMoved: Other servers own some of the matches.
            StoreUnreachable: The store is out of reach.
            StoreFailed: The disk or the store failed in another way.
            BadWrites: They do not fit what is there.
        """

    # --- who owns what: a store that one server has to itself needs none of it -------------------------

    @property
    def is_shared(self) -> bool:
        """Tell whether several servers can use it at once."""
        return False

    def claim(self) -> list[Claimed]:
        """Take open matches that no living server owns, this server's share of them; list them by age.

        From a shared store come at most about `MOST_CLAIMED_AT_ONCE`; after so many there may be more.

        Raises:
            StoreFailed: The store cannot be read or is damaged.
        """
        keys: dict[str, list[bytes]] = {}
        for key, match in self.sessions():
            keys.setdefault(match, []).append(key)
        return [Claimed(*title, tuple(keys.get(title.match, ()))) for title in self.open_matches()]

    def claim_one(self, match: str) -> list[Claimed]:
        """Take an open match if no living server owns it, whatever this server's share is.

        Raises:
            StoreFailed: The store cannot be read or is damaged.
        """
        return []

    @property
    def unowned(self) -> int:
        """How many open matches no living server owned after the last `claim`. Any thread may ask."""
        return 0

    def renew(self, load: ServerLoad) -> list[str]:
        """Renew the lease of this server, by which it owns its matches; due every `RENEW_SECONDS`.

        Returns:
            The matches that others have taken meanwhile: the lease had run out.

        Raises:
            StoreFailed: As of `write`.
        """
        return []

    def release(self, releases: Sequence[Release]) -> None:
        """Let other servers have open matches of this one, which writes nothing more to them.

        A match is its heir's from then on, and waits for it to `claim`; where the heir runs no more, takes no
        rooms or plays by other rules, any server may take it.

        Args:
            releases: Which matches, and who is to have each.

        Raises:
            StoreFailed: As of `write`. They may be released or not: the next write to them tells.
        """
        return

    def peers(self) -> list[Peer]:
        """List the other servers whose leases run, or did a minute ago.

        Raises:
            StoreFailed: The store cannot be read.
        """
        return []

    def fleet_status(self) -> FleetStatus | None:
        """Look at all servers that use it; None: it is not shared.

        Raises:
            StoreFailed: The store cannot be read.
        """
        return None

    def owners_of_codes(self, codes: Sequence[str]) -> dict[str, Owner]:
        """Find out who owns the open matches of codes; without those of which there is none.

        Raises:
            StoreFailed: The store cannot be read.
        """
        return {}

    def owners_of_keys(self, keys: Sequence[bytes]) -> dict[bytes, Owner]:
        """Find out who owns the open matches that hashes of tokens belong to; without those of no match.

        Of several matches it is one whose player has not left it, and the newest of those.

        Raises:
            StoreFailed: The store cannot be read.
        """
        return {}

    # --- what is there ----------------------------------------------------------------------------------

    def load(self, match: str) -> SavedMatch:
        """Read an open match, to bring its room back.

        Raises:
            NoSuchMatch: There is none of that name, or it is closed.
            MatchesMoved: Another server has taken it.
            StoreDamaged: The match is damaged; others may be whole.
            StoreFailed: The store cannot be read.
        """

    def races(self, match: str) -> list[RecordedRace]:
        """Read all races of a match, open or closed, in order.

        Raises:
            NoSuchMatch: There is none of that name.
            StoreDamaged: One of the races is damaged.
            StoreFailed: The store cannot be read.
        """

    def open_matches(self) -> list[OpenMatch]:
        """List the open matches, in the order in which they began.

        Raises:
            StoreFailed: The store cannot be read or is damaged.
        """

    def sessions(self) -> list[tuple[bytes, str]]:
        """List which hashes of tokens belong to which open matches.

        Raises:
            StoreFailed: The store cannot be read or is damaged.
        """

    def find(self, match: str) -> ListedMatch:
        """Find a match, open or closed.

        Raises:
            NoSuchMatch: There is none of that name.
            StoreFailed: The store cannot be read or is damaged.
        """

    def list_matches(self, limit: int) -> list[ListedMatch]:
        """List matches, open and closed, the newest first.

        Raises:
            StoreFailed: The store cannot be read or is damaged.
        """

    def prune(self, before_ms: int, most_bytes: int | None = None, most: int = MOST_PRUNED_AT_ONCE) -> int:
        """Delete closed matches with their races, the oldest first, in one commit.

        Args:
            before_ms: Those that were closed before this time.
            most_bytes: And others too, until what is left is no larger; None: however large it is.
            most: How many at most: commits wait meanwhile.

        Returns:
            How many were deleted; if it is `most`, there may be more; 0 while another server deletes some.

        Raises:
            StoreFailed: As of `write`.
        """

    def copy_out(self, match: str) -> WholeMatch:
        """Read all of a match, open or closed, for another store.

        Raises:
            NoSuchMatch: There is none of that name.
            StoreDamaged: It is damaged.
            StoreFailed: The store cannot be read.
        """

    def copy_in(self, whole: WholeMatch) -> None:
        """Put a match of another store in place of what there is of it, in one commit.

        Raises:
            StoreFailed: As of `write`.
        """

    def close(self) -> None:
        """Close the store and let others have it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
