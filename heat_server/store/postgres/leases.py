"""Who owns which match of a shared database: leases with an epoch that only rises.

Theory of operation. A server owns its matches until `lease_until` in its row of `servers`; renewing that is
one statement, whatever it owns. Every two seconds a server renews, reads who the others are, and looks for
what is free: three short transactions. Once the time is over, by the database's clock alone, any server may
take them: the row of each in `leases` then has another server, and an epoch that is one more. A batch of
writes locks these rows of its matches and looks for its own server and epoch in them. So no take-over comes
between look and commit, and a server that was frozen for however long finds its matches taken, or writes to
what is still its own. Which epoch it has, only the server itself knows (`_epochs`): a match that it believes
to own is never claimed a second time before it knows of its loss. What it owns without knowing, because
another server has let it go to this one, or because the answer to a commit was lost, it claims like what is
nobody's (`releasing`).

`leases` has open matches only, and the server in it, if any, has a row in `servers`. So looking for what is
free costs as much as is free, however much the fleet has. Of that a server claims no more at once than its
share, after which all have equally many: or the first that looks would have all the rooms of a dead server.

After a restart of the database, a failover, or a jump of its clock forward, all leases have run out, though
nobody died. Their owners renew them at once. So who has just been connected, or finds its own lease over,
claims only what was released. After a jump back, leases would run for as long as the clock jumped: whoever
renews its own lets the others run out in time.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence, Set
from math import ceil
from typing import Any, Final, LiteralString, NamedTuple

from heat_server.store.contract import MOST_CLAIMED_AT_ONCE, RENEW_SECONDS
from heat_server.store.errors import MatchesMoved
from heat_server.store.fleet_status import GONE_SECONDS
from heat_server.store.ownership import Claimed, Peer, Release, ServerLoad
from heat_server.store.postgres.membership import ServerIdentity, join, leave
from heat_server.store.postgres.releasing import UNCLAIMED, give_back, release_matches
from heat_server.store.postgres.schema import Connection
from heat_server.store.writes import CloseMatch, SaveRoom, Write

LEASE_SECONDS: Final = 3 * RENEW_SECONDS

SETTLING_SECONDS: Final = LEASE_SECONDS
"""For so long after connecting, or after its own lease was over, a server takes nothing of dead ones."""

LEAST_SHARE: Final = 20
"""How many matches a server may claim at once though it has more than others: their numbers are a bit old."""

# The server is no condition: the database believes of a new one that it owns nothing, and would read all that
# it owns once for each match.
_HELD: Final = """
    SELECT mine.match, leases.server IS NOT DISTINCT FROM %s AND leases.epoch = mine.epoch
    FROM unnest(%s::text[], %s::bigint[]) AS mine (match, epoch)
        JOIN matches ON matches.match = mine.match JOIN leases ON leases.match = matches.number
    ORDER BY leases.match
"""

_HELD_UNTIL_COMMIT: Final = f"{_HELD} FOR NO KEY UPDATE OF leases"

_OPEN: Final = "SELECT match FROM matches WHERE match = ANY (%s) AND outcome IS NULL"

_BEGIN: Final = """
    INSERT INTO leases (match, server, epoch, rules)
    SELECT number, %s, 1, %s FROM matches WHERE match = ANY (%s) AND outcome IS NULL
"""

_RENEW: Final = """
    WITH before AS (
        SELECT lease_until <= now() AS was_over FROM servers WHERE server = %(server)s FOR UPDATE
    ), shortened AS (
        UPDATE servers SET renewed_at = now(), lease_until = now() + make_interval(secs => %(seconds)s)
        WHERE server IN (
            SELECT server FROM servers AS ahead WHERE ahead.server <> %(server)s
                AND renewed_at > now() + make_interval(secs => %(seconds)s)
            FOR NO KEY UPDATE SKIP LOCKED
        )
    )
    UPDATE servers SET
        address = %(address)s, rooms = %(rooms)s, connections = %(connections)s,
        listed = coalesce(%(listed)s, listed), listing = %(listing)s,
        draining = %(is_draining)s, renewed_at = now(),
        lease_until = now() + make_interval(secs => %(seconds)s)
    FROM before WHERE server = %(server)s RETURNING was_over
"""

# Who has just been connected may see all leases as over, though nobody died: the database was away. So may
# who has not seen yet that the clock has jumped. It may have jumped back since the connection was made.
_SETTLED: Final = """(
    %(is_settled)s
    AND (SELECT lease_until > now() FROM servers AS own WHERE own.server = %(server)s)
    AND (
        SELECT now() NOT BETWEEN backend_start AND backend_start + make_interval(secs => %(settling)s)
        FROM pg_stat_get_activity(pg_backend_pid())
    )
)"""

_PLAYABLE: Final = """(
    leases.rules = %(rules)s
    OR leases.rules NOT IN (SELECT others.rules FROM servers AS others WHERE others.lease_until > now())
)"""

# Each server's leases by a look into the index, whatever the planner thinks of their number.
_FREE: Final = f"""
    SELECT NULL, count(*) FROM leases WHERE leases.server IS NULL AND {_PLAYABLE} HAVING count(*) > 0
    UNION ALL
    SELECT dead.server, had.rooms FROM servers AS dead CROSS JOIN LATERAL (
        SELECT count(*) AS rooms FROM leases WHERE leases.server = dead.server AND {_PLAYABLE}
    ) AS had
    WHERE dead.server <> %(server)s AND lease_until <= now() AND had.rooms > 0 AND {_SETTLED}
    UNION ALL
    SELECT %(server)s, count(*) - %(owned)s FROM leases WHERE leases.server = %(server)s
    HAVING count(*) > %(owned)s
"""

_OTHERS: Final = """
    SELECT count(*), coalesce(sum(rooms), 0)::bigint FROM servers
    WHERE server <> %(server)s AND lease_until > now() AND NOT draining AND rules = %(rules)s
"""

_LOCK: Final = "SELECT leases.match, matches.match FROM leases JOIN matches ON number = leases.match"

_SKIPPING: Final = f"AND {_PLAYABLE} ORDER BY leases.match LIMIT %(most)s FOR UPDATE OF leases SKIP LOCKED"

_LOCK_RELEASED: Final = f"{_LOCK} WHERE leases.server IS NULL {_SKIPPING}"

_LOCK_OF: Final = f"{_LOCK} WHERE leases.server = %(owner)s {_SKIPPING}"

_LOCK_ONE: Final = f"{_LOCK} WHERE matches.match = %(match)s {_SKIPPING}"

# What the answer to a commit was lost for. That happens seldom, so all names may be sent.
_LOCK_UNKNOWN: Final = f"""
    {_LOCK} WHERE leases.server = %(server)s
        AND NOT EXISTS (SELECT FROM unnest(%(own)s::text[]) AS own WHERE own = matches.match) {_SKIPPING}
"""

# Apart from locking: whoever locks a row that has just changed sees it as it is, but its owner as before.
_CLAIM: Final = f"""
    WITH taken AS (
        UPDATE leases SET server = %(server)s, epoch = epoch + 1, rules = %(rules)s, given_at = NULL
        WHERE leases.match = ANY (%(locked)s::bigint[]) AND (
            leases.server IS NULL OR leases.server = %(server)s OR {UNCLAIMED}
            OR leases.server IN (SELECT dead.server FROM servers AS dead WHERE lease_until <= now())
            AND {_SETTLED}
        )
        RETURNING leases.match, epoch
    ), counted AS (
        UPDATE servers SET rooms = rooms + (SELECT count(*) FROM taken) WHERE server = %(server)s
    )
    SELECT matches.match, code, phase, epoch,
        ARRAY (SELECT key FROM sessions WHERE sessions.match = number ORDER BY key)
    FROM taken JOIN matches ON number = taken.match ORDER BY number
"""

_PEERS: Final = """
    SELECT server, servers.listing, CASE WHEN seen.listing IS DISTINCT FROM servers.listing THEN listed END,
        address, connections, rooms, rules, draining, lease_until > now()
    FROM servers LEFT JOIN unnest(%s::text[], %s::bigint[]) AS seen (server, listing) USING (server)
    WHERE server <> %s AND (lease_until > now() OR renewed_at > now() - make_interval(secs => %s))
    ORDER BY started_at, server
"""


class Free(NamedTuple):
    """Matches that can be claimed.

    Attributes:
        server: The dead one that had them; this one: it owns them and does not know; None: nobody has.
        matches: How many there seem to be.
    """

    server: str | None
    matches: int


class Leases:
    """What one server owns; each method works within a transaction of the caller's.

    What changes here counts once that transaction is committed: the caller then says so by `note_…`.

    Attributes:
        server: The name of this server in the database.
        unowned: How many matches nobody owned when this server last looked, without those that it took.
    """

    def __init__(self, server: ServerIdentity) -> None:
        """Begin with nothing."""
        self._who = server
        self.server = server.name
        self._rules = server.rules
        self._epochs: dict[str, int] = {}
        self._was_over = False
        self._settled_at = float("-inf")
        self._listed = b""
        self._listing = 0
        self._seen: dict[str, tuple[int, bytes]] = {}
        self.unowned = 0

    def owned(self) -> Collection[str]:
        """List the matches that this server knows to be its own."""
        return self._epochs.keys()

    # --- writing ----------------------------------------------------------------------------------------

    def hold(self, connection: Connection, names: Set[str]) -> None:
        """Make sure that this server owns matches, until the transaction ends; new ones are nobody's yet.

        Raises:
            MatchesMoved: Others own some of them.
        """
        known = sorted(name for name in names if name in self._epochs)
        lost = self._lost(connection, known, _HELD_UNTIL_COMMIT) if known else set()
        if unknown := [name for name in names if name not in self._epochs]:
            lost |= {match for (match,) in connection.execute(_OPEN, (unknown,))}
        if lost:
            self.note_lost(lost)
            raise MatchesMoved(lost)

    def _lost(self, connection: Connection, known: list[str], question: LiteralString = _HELD) -> set[str]:
        epochs = [self._epochs[name] for name in known]
        rows = connection.execute(question, (self.server, known, epochs))
        return set(known) - {match for match, is_held in rows if is_held}

    def begin(self, connection: Connection, writes: Sequence[Write]) -> list[str]:
        """Own the matches that a batch has just made; give their names."""
        rooms = (write.match for write in writes if isinstance(write, SaveRoom))
        if new := list(dict.fromkeys(match for match in rooms if match not in self._epochs)):
            connection.execute(_BEGIN, (self.server, self._rules, new))
        return new

    def note_written(self, writes: Sequence[Write], begun: Iterable[str]) -> None:
        """Note that a batch is there, with the matches that it began."""
        self._epochs.update(dict.fromkeys(begun, 1))
        for write in writes:
            if isinstance(write, CloseMatch):
                self._epochs.pop(write.match, None)

    def note_lost(self, matches: Iterable[str]) -> None:
        """Note that matches are others'."""
        for match in matches:
            self._epochs.pop(match, None)

    # --- owning -----------------------------------------------------------------------------------------

    def renew(self, connection: Connection, load: ServerLoad) -> list[str]:
        """Renew the lease; give the matches that were taken; the caller notes both."""
        values = load._asdict() | {"server": self.server, "seconds": LEASE_SECONDS}
        if load.listed == self._listed:
            values["listed"] = None
        else:
            self._listing += 1  # also if it is not known afterwards whether that was committed
        values["listing"] = self._listing
        row = connection.execute(_RENEW, values).fetchone()
        if row is None:  # a server at the same address has taken this one for dead, and left the list with it
            join(connection, self._who)
            row = connection.execute(_RENEW, values | {"listed": load.listed}).fetchone()
        if load.is_draining:
            give_back(connection, self.server)
        # Somebody who saw the old time may take matches until just after: the next time looks once more.
        is_doubtful, self._was_over = self._was_over, row != (False,)
        if self._was_over:
            self._settled_at = time.monotonic() + SETTLING_SECONDS
        if not (is_doubtful or self._was_over) or not self._epochs:
            return []
        return sorted(self._lost(connection, sorted(self._epochs)))

    def note_renewed(self, load: ServerLoad, lost: Iterable[str]) -> None:
        """Note what others can read of this server by now, and what they have taken."""
        self._listed = load.listed
        self.note_lost(lost)

    def free(self, connection: Connection) -> list[Free]:
        """Look for what can be claimed: that costs the database's disk nothing."""
        values = self._values() | {"owned": len(self._epochs)}
        free = [Free(*row) for row in connection.execute(_FREE, values)]
        self.unowned = sum(of.matches for of in free if of.server != self.server)
        return free

    def _values(self) -> dict[str, Any]:
        return {
            "server": self.server,
            "rules": self._rules,
            "is_settled": time.monotonic() >= self._settled_at,
            "settling": SETTLING_SECONDS,
        }

    def claim(self, connection: Connection, free: Sequence[Free]) -> list[tuple[Claimed, int]]:
        """Take this server's share of what `free` has found, with the new epochs; the caller notes them."""
        values = self._values()
        # What it was given comes whole, without a question for the others: people are on their way there.
        is_shared_out = any(of.server != self.server for of in free)
        most = self._share(connection) if is_shared_out else 0
        locked: list[int] = []
        for of in free:
            if of.server == self.server:
                names = {"own": list(self._epochs), "most": MOST_CLAIMED_AT_ONCE}
                locked += self._lock(connection, _LOCK_UNKNOWN, values | names)
            elif most > 0:
                question = _LOCK_RELEASED if of.server is None else _LOCK_OF
                taken = self._lock(connection, question, values | {"owner": of.server, "most": most})
                locked += taken
                most -= len(taken)
        return self._take(connection, locked)

    def claim_one(self, connection: Connection, match: str) -> list[tuple[Claimed, int]]:
        """Take one match if nobody owns it, with its new epoch; the caller notes it."""
        if match in self._epochs:
            return []
        values = self._values() | {"match": match, "most": 1}
        return self._take(connection, self._lock(connection, _LOCK_ONE, values))

    def _share(self, connection: Connection) -> int:
        """Say how many free matches would give this server as many as the others then have."""
        row = connection.execute(_OTHERS, self._values()).fetchone()
        assert row is not None
        others, theirs = row
        own = len(self._epochs)
        share: int = ceil((theirs + own + self.unowned) / (others + 1)) - own
        return min(max(share, LEAST_SHARE), MOST_CLAIMED_AT_ONCE)

    def _lock(self, connection: Connection, question: LiteralString, values: dict[str, Any]) -> list[int]:
        """Lock rows that seem to be free; but for those whose loss this server does not know of yet."""
        return [number for number, match in connection.execute(question, values) if match not in self._epochs]

    def _take(self, connection: Connection, locked: Sequence[int]) -> list[tuple[Claimed, int]]:
        if not locked:
            return []
        rows = connection.execute(_CLAIM, self._values() | {"locked": locked}).fetchall()
        return [(Claimed(match, code, phase, tuple(keys)), epoch) for match, code, phase, epoch, keys in rows]

    def note_claimed(self, claimed: Iterable[tuple[Claimed, int]]) -> None:
        """Note that matches are this server's."""
        epochs = {one.match: epoch for one, epoch in claimed}
        self._epochs.update(epochs)
        self.unowned = max(self.unowned - len(epochs), 0)

    def release(self, connection: Connection) -> None:
        """Let others have all of them, and be no server any more."""
        leave(connection, self.server)

    def release_some(self, connection: Connection, releases: Sequence[Release]) -> None:
        """Let others have matches; the caller passes these to `note_lost`."""
        release_matches(connection, self.server, self._rules, releases)

    def check_loaded(self, connection: Connection, match: str) -> None:
        """Make sure that a match that this server believes to own is its own.

        Raises:
            MatchesMoved: It is another's.
        """
        if match in self._epochs and self._lost(connection, [match]):
            self.note_lost([match])  # it may be nobody's, and claimed again
            raise MatchesMoved([match])

    # --- looking ----------------------------------------------------------------------------------------

    def peers(self, connection: Connection) -> list[Peer]:
        """List the other servers whose leases run, or did a minute ago.

        What they list is read only where it has changed.
        """
        listings = [listing for listing, _ in self._seen.values()]
        values = (list(self._seen), listings, self.server, GONE_SECONDS)
        rows = connection.execute(_PEERS, values).fetchall()
        self._seen = {
            server: (listing, listed if listed is not None else self._seen[server][1])
            for server, listing, listed, *_ in rows
        }
        return [
            Peer(address, connections, self._seen[server][1], *others)
            for server, _, _, address, connections, *others in rows
        ]
