"""Who owns which match of a shared database: leases with an epoch that only rises.

Theory of operation. A server owns its matches until `lease_until` in its row of `servers`; renewing that is
one statement, whatever it owns. Every two seconds a server renews, reads who the others are, and looks for
what is free: three short transactions. Once the time is over, by the database's clock alone, any server may
take them: the row of each in `leases` then has another server, and an epoch that is one more. A batch of
writes locks these rows of its matches and looks for its own server and epoch in them. So no take-over comes
between look and commit, and a server that was frozen for however long finds its matches taken, or writes to
what is still its own. Which epoch it has, only the server itself knows (`_epochs`): a match that it believes
to own is never claimed a second time before it knows of its loss. What it owns without knowing, because the
answer to a commit was lost, it claims like what is nobody's.

After a restart of the database, or a failover, all leases have run out, though nobody died. Their owners
renew them as soon as they are connected again. So whoever has just been connected claims only what was
released.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, LiteralString

from heat_server.store.contract import RENEW_SECONDS, KeptTitle, Owner, Peer, ServerLoad
from heat_server.store.errors import MatchesMoved
from heat_server.store.postgres.schema import Connection
from heat_server.store.writes import CloseMatch, KeepRoom, Write

LEASE_SECONDS: Final = 3 * RENEW_SECONDS

_HELD: Final = """
    SELECT mine.match FROM unnest(%s::text[], %s::bigint[]) AS mine (match, epoch)
        JOIN matches ON matches.match = mine.match
        JOIN leases ON leases.match = matches.number AND leases.server = %s AND leases.epoch = mine.epoch
    ORDER BY leases.match
"""

_HELD_UNTIL_COMMIT: Final = f"{_HELD} FOR NO KEY UPDATE OF leases"

_OPEN: Final = "SELECT match FROM matches WHERE match = ANY (%s) AND outcome IS NULL"

_BEGIN: Final = """
    INSERT INTO leases (match, server, epoch, rules)
    SELECT number, %s, 1, %s FROM matches WHERE match = ANY (%s)
"""

_RENEW: Final = """
    WITH before AS (SELECT lease_until <= now() AS was_over FROM servers WHERE server = %(server)s FOR UPDATE)
    UPDATE servers SET
        address = %(address)s, rooms = %(rooms)s, connections = %(connections)s, listed = %(listed)s,
        draining = %(is_draining)s, renewed_at = now(),
        lease_until = now() + make_interval(secs => %(seconds)s)
    FROM before WHERE server = %(server)s RETURNING was_over
"""

_FREE: Final = """
    FROM leases JOIN matches ON number = leases.match LEFT JOIN servers ON servers.server = leases.server
    WHERE outcome IS NULL AND matches.match <> ALL (%(own)s::text[])
        AND (
            leases.server IS NULL OR leases.server = %(server)s
            OR (servers.server IS NULL OR lease_until <= now()) AND (
                SELECT backend_start + make_interval(secs => %(seconds)s) <= now()
                FROM pg_stat_activity WHERE pid = pg_backend_pid()
            )
        )
        AND (
            leases.rules = %(rules)s
            OR NOT EXISTS (
                SELECT 1 FROM servers AS others
                WHERE others.rules = leases.rules AND others.lease_until > now()
            )
        )
"""

_LOCK_FREE: Final = f"SELECT leases.match {_FREE} FOR UPDATE OF leases SKIP LOCKED"

# Apart from locking: whoever locks a row that has just changed sees it as it is, but its owner as before.
_CLAIM: Final = f"""
    WITH free AS (SELECT leases.match {_FREE} AND leases.match = ANY (%(locked)s::bigint[])),
    taken AS (
        UPDATE leases SET server = %(server)s, epoch = epoch + 1, rules = %(rules)s FROM free
        WHERE leases.match = free.match RETURNING leases.match, epoch
    )
    SELECT matches.match, code, phase, epoch FROM taken JOIN matches ON number = taken.match ORDER BY number
"""

_OWNER: Final = """
    SELECT coalesce(address, ''), coalesce(lease_until > now(), FALSE), coalesce(leases.server = %s, FALSE)
    FROM matches JOIN leases ON leases.match = matches.number
        LEFT JOIN servers ON servers.server = leases.server
    WHERE outcome IS NULL
"""

_IN_USE: Final = "SELECT 1 FROM servers WHERE server <> %s AND lease_until > now()"

_PEERS: Final = """
    SELECT address, connections, listed, rooms, rules, draining FROM servers
    WHERE server <> %s AND lease_until > now() ORDER BY started_at, server
"""

_FORGET_OLD: Final = "DELETE FROM servers WHERE lease_until < now() - interval '30 days' AND server <> %s"

_RELEASE: Final = "UPDATE leases SET server = NULL WHERE server = %s"

_RELEASE_SOME: Final = f"{_RELEASE} AND match IN (SELECT number FROM matches WHERE match = ANY (%s))"


class Leases:
    """What one server owns; each method works within a transaction of the caller's.

    What changes here counts once that transaction is committed: the caller then says so by `note_…`.
    """

    def __init__(self, server: str, rules: int) -> None:
        """Begin with nothing.

        Args:
            server: Its name in the database, which no other start of a server has.
            rules: The version of the rules that it plays by.
        """
        self._server = server
        self._rules = rules
        self._epochs: dict[str, int] = {}
        self._was_over = False

    # --- writing ----------------------------------------------------------------------------------------

    def hold(self, connection: Connection, matches: Iterable[str]) -> None:
        """Make sure that this server owns matches, until the transaction ends; new ones are nobody's yet.

        Raises:
            MatchesMoved: Others own some of them.
        """
        names = set(matches)
        known = sorted(name for name in names if name in self._epochs)
        lost = self._lost(connection, known, _HELD_UNTIL_COMMIT) if known else set()
        if unknown := [name for name in names if name not in self._epochs]:
            lost |= {match for (match,) in connection.execute(_OPEN, (unknown,))}
        if lost:
            self.note_lost(lost)
            raise MatchesMoved(lost)

    def _lost(self, connection: Connection, known: list[str], question: LiteralString = _HELD) -> set[str]:
        epochs = [self._epochs[name] for name in known]
        held = connection.execute(question, (known, epochs, self._server))
        return set(known) - {match for (match,) in held}

    def begin(self, connection: Connection, writes: Sequence[Write]) -> list[str]:
        """Own the matches that a batch has just made; give their names."""
        rooms = (write.match for write in writes if isinstance(write, KeepRoom))
        if new := list(dict.fromkeys(match for match in rooms if match not in self._epochs)):
            connection.execute(_BEGIN, (self._server, self._rules, new))
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
        """Renew the lease; give the matches that were taken, which the caller passes to `note_lost`."""
        values = load._asdict() | {"server": self._server, "seconds": LEASE_SECONDS}
        row = connection.execute(_RENEW, values).fetchone()
        # Somebody who saw the old time may take matches until just after: the next time looks once more.
        is_doubtful, self._was_over = self._was_over, row != (False,)
        if not (is_doubtful or self._was_over) or not self._epochs:
            return []
        return sorted(self._lost(connection, sorted(self._epochs)))

    def is_something_free(self, connection: Connection) -> bool:
        """Tell whether there seems to be something to claim: looking costs the database's disk nothing."""
        return connection.execute(f"SELECT 1 {_FREE} LIMIT 1", self._claim_values()).fetchone() is not None

    def _claim_values(self) -> dict[str, Any]:
        return {
            "own": list(self._epochs),
            "server": self._server,
            "rules": self._rules,
            "seconds": LEASE_SECONDS,
        }

    def claim(self, connection: Connection) -> list[tuple[KeptTitle, int]]:
        """Take what nobody owns, with the new epochs, which the caller passes to `note_claimed`."""
        values = self._claim_values()
        locked = [match for (match,) in connection.execute(_LOCK_FREE, values)]
        rows = connection.execute(_CLAIM, values | {"locked": locked}) if locked else ()
        return [(KeptTitle(match, code, phase), epoch) for match, code, phase, epoch in rows]

    def note_claimed(self, claimed: Iterable[tuple[KeptTitle, int]]) -> None:
        """Note that matches are this server's."""
        self._epochs.update((title.match, epoch) for title, epoch in claimed)

    def release(self, connection: Connection) -> None:
        """Let others have all of them, and be no server any more."""
        connection.execute(_RELEASE, (self._server,))
        connection.execute("DELETE FROM servers WHERE server = %s", (self._server,))

    def release_some(self, connection: Connection, matches: Sequence[str]) -> None:
        """Let others have matches, which the caller passes to `note_lost`."""
        connection.execute(_RELEASE_SOME, (self._server, list(matches)))

    def check_loaded(self, connection: Connection, match: str) -> None:
        """Make sure that a match that this server believes to own is its own.

        Raises:
            MatchesMoved: It is another's.
        """
        if match in self._epochs and self._lost(connection, [match]):
            raise MatchesMoved([match])

    def put_aside(self, connection: Connection, match: str, epoch: int) -> None:
        """Let a match that was copied here be nobody's, in an epoch that it never had."""
        connection.execute(
            "INSERT INTO leases (match, epoch, rules) SELECT number, %s, %s FROM matches WHERE match = %s",
            (epoch, self._rules, match),
        )

    def next_epoch(self, connection: Connection, match: str) -> int:
        """Give the epoch of a match's next owner."""
        row = connection.execute(
            "SELECT epoch + 1 FROM leases JOIN matches ON number = leases.match WHERE matches.match = %s",
            (match,),
        ).fetchone()
        return 1 if row is None else int(row[0])

    # --- looking ----------------------------------------------------------------------------------------

    def owner_of_code(self, connection: Connection, code: str) -> Owner | None:
        """Find out who owns the open match of a code."""
        row = connection.execute(f"{_OWNER} AND code = %s", (self._server, code)).fetchone()
        return None if row is None else Owner(*row)

    def owner_of_key(self, connection: Connection, key: bytes) -> Owner | None:
        """Find out who owns the open match that the hash of a token belongs to."""
        among = "AND number IN (SELECT sessions.match FROM sessions WHERE key = %s)"
        row = connection.execute(f"{_OWNER} {among}", (self._server, key)).fetchone()
        return None if row is None else Owner(*row)

    def peers(self, connection: Connection) -> list[Peer]:
        """List the other servers whose leases run."""
        return [Peer(*row) for row in connection.execute(_PEERS, (self._server,))]

    def forget_old_servers(self, connection: Connection) -> None:
        """Remove the rows of servers that ended long ago."""
        connection.execute(_FORGET_OLD, (self._server,))

    def is_alone(self, connection: Connection) -> bool:
        """Tell whether no other server uses the database."""
        return connection.execute(_IN_USE, (self._server,)).fetchone() is None
