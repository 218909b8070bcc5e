"""The store in PostgreSQL: every batch of writes is a transaction, on the database's disk at its end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Final, TypeVar
from uuid import uuid4

from heat_core.race.rules_version import RULES_VERSION
from heat_core.version import program_version
from heat_server.networks import Network
from heat_server.store.address import DatabaseUrl
from heat_server.store.bans import StoredBans
from heat_server.store.contract import (
    MOST_PRUNED_AT_ONCE,
    ListedMatch,
    OpenMatch,
    RecordedRace,
    SavedMatch,
    Store,
    WholeMatch,
)
from heat_server.store.errors import MatchesMoved, StoreFailed, StoreRefused
from heat_server.store.fleet_status import FleetStatus
from heat_server.store.ownership import Claimed, Owner, Peer, Release, ServerLoad
from heat_server.store.postgres import bans
from heat_server.store.postgres.copied_match import count_bytes, next_epoch, put_aside
from heat_server.store.postgres.fleet_reading import read_fleet
from heat_server.store.postgres.leases import Leases
from heat_server.store.postgres.link import DatabaseLink
from heat_server.store.postgres.membership import ServerIdentity, forget_old_servers
from heat_server.store.postgres.owners import owners_of_codes, owners_of_keys
from heat_server.store.postgres.schema import Connection
from heat_server.store.postgres.writing import (
    apply_writes,
    delete_old,
    delete_to_fit,
    may_delete,
)
from heat_server.store.reading import read_list, read_listed, read_match, read_races, read_sessions
from heat_server.store.rows import Rows
from heat_server.store.whole_match import put_whole, read_whole
from heat_server.store.writes import Write

Answer = TypeVar("Answer")


class _Shared:
    """A connection for what both kinds of store share, where `?` stands for a value."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, parameters: Sequence[str | bytes | int | None] = (), /) -> Rows:
        return self._connection.execute(statement.replace("?", "%s").encode(), parameters)


class PostgresStore(Store):
    """An open store in a database; see `contract.Store`."""

    saves: Final = True

    def __init__(
        self, url: DatabaseUrl, link: DatabaseLink, leases: Leases, now_ms: Callable[[], int]
    ) -> None:
        """Take over what `open` opened."""
        self._url = url
        self._link = link
        self._leases = leases
        self._now_ms = now_ms
        self._losses = 0
        self._outdated: set[str] = set()  # the database has lost some of what their rooms know to be there

    @classmethod
    def open(
        cls,
        url: DatabaseUrl,
        now_ms: Callable[[], int],
        *,
        password_file: Path | None = None,
        read_only: bool = False,
        alone: bool = False,
    ) -> PostgresStore:
        """Open a store; a database without one gets its tables.

        Args:
            url: Where the database is; it must exist.
            now_ms: The wall clock: milliseconds since 1970.
            password_file: Its first line is the password; None: libpq looks in its usual places.
            read_only: Read beside the servers that use it, and change nothing; the tables must be there.
            alone: Refuse a database that a server uses, and let none use it before this store is closed.

        Raises:
            StoreRefused: A newer server wrote it, or it cannot be reached or used. The text is one sentence
                with the address.
        """
        server = ServerIdentity(uuid4().hex, program_version(), RULES_VERSION)
        leases = Leases(server)
        try:
            link = DatabaseLink(url, password_file, server, read_only=read_only, alone=alone)
            store = cls(url, link, leases, now_ms)
            try:
                if not read_only:
                    link.write(lambda connection: forget_old_servers(connection, server.name))
            except BaseException:
                store.close()
                raise
            return store
        except (StoreRefused, StoreFailed) as error:
            raise StoreRefused(f"{url}: {error}") from None

    @property
    def name(self) -> str:
        """Give its address, as it can be printed."""
        return str(self._url)

    @property
    def trouble(self) -> str | None:
        """Say why the database cannot be reached; None: it can."""
        return self._link.trouble

    def close(self) -> None:
        """Let others have the matches, and close the connection."""
        if self._link.can_write:
            with contextlib.suppress(StoreFailed):  # they have them when the lease has run out
                self._link.write(self._leases.release)
        self._link.close()

    def write(self, writes: Sequence[Write]) -> None:
        """Do all writes in one transaction; see `Store`.

        Raises:
            StoreUnreachable: The database is lost. The writes may be there or not.
            StoreFailed: It fails in another way. Nothing of the writes is there.
            BadWrites: They do not fit what is there. Nothing of the writes is there.
        """
        if not writes:
            return
        now_ms = self._now_ms()

        def apply(connection: Connection) -> list[str]:
            names = {write.match for write in writes}
            self._check_up_to_date(names)
            self._leases.hold(connection, names)
            apply_writes(connection, writes, now_ms)
            return self._leases.begin(connection, writes)

        with self._named():
            begun = self._link.write(apply)
        self._leases.note_written(writes, begun)

    def _check_up_to_date(self, matches: Set[str]) -> None:
        """Make sure that what is written goes on from what the database has.

        Raises:
            StoreFailed: The database has lost commits since the matches were read.
        """
        self._note_losses()
        if outdated := self._outdated & matches:
            names = ", ".join(map(repr, sorted(outdated)))
            raise StoreFailed(f"the database has lost commits; {names} must be read again")

    def _note_losses(self) -> None:
        if self._link.losses > self._losses:
            self._losses = self._link.losses
            self._outdated.update(self._leases.owned())

    # --- who owns what ----------------------------------------------------------------------------------

    @property
    def is_shared(self) -> bool:
        """Tell that other servers can use it at once."""
        return True

    @property
    def unowned(self) -> int:
        """Say how many matches nobody owned; see `Store`."""
        return self._leases.unowned

    def claim(self) -> list[Claimed]:
        """Take a share of what nobody owns; see `Store`."""
        with self._named():
            free = self._link.ask(self._leases.free)
            return self._claim(lambda connection: self._leases.claim(connection, free)) if free else []

    def claim_one(self, match: str) -> list[Claimed]:
        """Take a match if nobody owns it; see `Store`."""
        with self._named():
            return self._claim(lambda connection: self._leases.claim_one(connection, match))

    def _claim(self, body: Callable[[Connection], list[tuple[Claimed, int]]]) -> list[Claimed]:
        claimed = self._link.write(body)
        self._leases.note_claimed(claimed)
        return [one for one, _ in claimed]

    def renew(self, load: ServerLoad) -> list[str]:
        """Renew the lease; see `Store`."""
        with self._named():
            lost = self._link.write(lambda connection: self._leases.renew(connection, load))
        self._leases.note_renewed(load, lost)
        return lost

    def release(self, releases: Sequence[Release]) -> None:
        """Let others have matches; see `Store`."""
        with self._named():
            self._link.write(lambda connection: self._leases.release_some(connection, releases))
        self._leases.note_lost(release.match for release in releases)

    def peers(self) -> list[Peer]:
        """List the other servers; see `Store`."""
        with self._named():
            return self._link.ask(self._leases.peers)

    def fleet_status(self) -> FleetStatus:
        """Look at all servers; see `Store`."""
        with self._named():
            return self._link.read(read_fleet)

    def owners_of_codes(self, codes: Sequence[str]) -> dict[str, Owner]:
        """Find out who owns the matches of codes; see `Store`."""
        with self._named():
            return self._link.ask(lambda connection: owners_of_codes(connection, self._leases.server, codes))

    def owners_of_keys(self, keys: Sequence[bytes]) -> dict[bytes, Owner]:
        """Find out who owns the matches of tokens; see `Store`."""
        with self._named():
            return self._link.ask(lambda connection: owners_of_keys(connection, self._leases.server, keys))

    # --- bans -------------------------------------------------------------------------------------------

    def bans(self, known: str | None = None) -> StoredBans | None:
        """Read all bans that are not known yet; see `BanStore`."""
        with self._named():
            if known is not None and self._link.ask(bans.version_of_bans) == known:
                return None
            return self._link.read(bans.read_bans)

    def put_bans(self, notes: Mapping[Network, str]) -> None:
        """Ban networks; see `BanStore`."""
        with self._named():
            self._link.write(lambda connection: bans.put_bans(connection, notes))

    def lift_ban(self, network: Network) -> bool:
        """Lift a ban; see `BanStore`."""
        with self._named():
            return self._link.write(lambda connection: bans.lift_ban(connection, network))

    # --- what is there ----------------------------------------------------------------------------------

    def prune(self, before_ms: int, most_bytes: int | None = None, most: int = MOST_PRUNED_AT_ONCE) -> int:
        """Delete old matches; see `Store`."""

        def delete(connection: Connection) -> int:
            if not may_delete(connection):
                return 0
            deleted = delete_old(connection, before_ms, most)
            if most_bytes is not None and deleted < most:
                deleted += delete_to_fit(connection, most_bytes, most - deleted)
            return deleted

        with self._named():
            return self._link.write(delete)

    def open_matches(self) -> list[OpenMatch]:
        """List the open matches; see `Store`."""
        question = "SELECT match, code, phase FROM matches WHERE outcome IS NULL ORDER BY number"
        rows = self._read(lambda connection: connection.execute(question).fetchall())
        return [OpenMatch(*row) for row in rows]

    def sessions(self) -> list[tuple[bytes, str]]:
        """List which tokens belong to which matches; see `Store`."""
        return self._read(read_sessions)

    def load(self, match: str) -> SavedMatch:
        """Read an open match; see `Store`."""

        def read(connection: Connection) -> SavedMatch:
            self._leases.check_loaded(connection, match)
            return read_match(_Shared(connection), match)

        with self._named():
            saved = self._link.read(read)
        self._note_losses()  # before: what was read now is what there is
        self._outdated.discard(match)
        return saved

    def races(self, match: str) -> list[RecordedRace]:
        """Read all races of a match; see `Store`."""
        return self._read(lambda connection: read_races(connection, match))

    def find(self, match: str) -> ListedMatch:
        """Find a match; see `Store`."""
        return self._read(lambda connection: read_listed(connection, match))

    def list_matches(self, limit: int) -> list[ListedMatch]:
        """List the newest matches; see `Store`."""
        return self._read(lambda connection: read_list(connection, limit))

    def copy_out(self, match: str) -> WholeMatch:
        """Read all of a match; see `Store`."""
        return self._read(lambda connection: read_whole(connection, match))

    def copy_in(self, whole: WholeMatch) -> None:
        """Put a match of another store in; see `Store`."""

        def put(connection: Connection) -> None:
            epoch = next_epoch(connection, whole.match)
            put_whole(_Shared(connection), whole)
            count_bytes(connection, whole.match)
            put_aside(connection, whole.match, epoch, RULES_VERSION)
            self._leases.note_lost([whole.match])

        with self._named():
            self._link.write(put)

    def _read(self, body: Callable[[_Shared], Answer]) -> Answer:
        with self._named():
            return self._link.read(lambda connection: body(_Shared(connection)))

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Let errors come out with the name of the store."""
        try:
            yield
        except MatchesMoved:
            raise
        except StoreFailed as error:
            raise type(error)(f"{self.name}: {error}") from None
