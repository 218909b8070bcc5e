"""A server lets matches go that others are to have.

Theory of operation. The heir owns a match from then on, and does not know of it: it claims what it was given
when somebody comes for it, and when it looks for what is free. An heir that takes no more rooms gives back
what it has not claimed, in the transaction that tells the others so; from then on they give it nothing. One
that has died, or stands still, cannot do that. So if a match was given to a server that has not claimed it
within `UNCLAIMED_SECONDS`, whoever is asked for it takes it. Its row of `leases` lets only one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.ownership import Release
from heat_server.store.postgres.schema import Connection

LATE_SECONDS: Final = 1.5 * RENEW_SECONDS
"""Who has not renewed its lease for so long may be dead, and gets nothing."""

UNCLAIMED_SECONDS: Final = 1.0
"""After so long any server may take what was given to another one, if it is asked for it."""

UNCLAIMED: Final = f"leases.given_at <= now() - interval '{UNCLAIMED_SECONDS} s'"
"""The condition for that; NULL of what was claimed, or given to nobody."""

# Where an heir may be dead or leaves just now, a match is nobody's: any server that people come to takes it.
_RELEASE: Final = """
    UPDATE leases SET
        server = heirs.server,
        epoch = CASE WHEN heirs.server IS NULL THEN leases.epoch ELSE leases.epoch + 1 END,
        given_at = CASE WHEN heirs.server IS NOT NULL THEN now() END,
        rules = coalesce(released.rules, leases.rules)
    FROM unnest(%(matches)s::text[], %(heirs)s::text[], %(rules)s::bigint[]) AS released (match, heir, rules)
        JOIN matches ON matches.match = released.match
        LEFT JOIN LATERAL (
            SELECT server FROM servers
            WHERE address = released.heir AND address <> '' AND NOT draining
                AND servers.rules = coalesce(released.rules, %(own_rules)s)
                AND renewed_at > now() - make_interval(secs => %(late)s) AND lease_until > now()
            ORDER BY started_at DESC LIMIT 1 FOR KEY SHARE
        ) AS heirs ON TRUE
    WHERE leases.match = matches.number AND leases.server IS NOT DISTINCT FROM %(server)s
"""

_GIVE_BACK: Final = """
    UPDATE leases SET server = NULL, given_at = NULL WHERE server = %s AND given_at IS NOT NULL
"""


def release_matches(connection: Connection, server: str, rules: int, releases: Sequence[Release]) -> None:
    """Let others have matches of a server.

    Args:
        connection: Of that server.
        server: Its name in the database.
        rules: The version of the rules that it plays by.
        releases: Which ones, and who is to have them.
    """
    values = {
        "server": server,
        "own_rules": rules,
        "late": LATE_SECONDS,
        "matches": [release.match for release in releases],
        "heirs": [release.heir for release in releases],
        "rules": [release.rules for release in releases],
    }
    connection.execute(_RELEASE, values)


def give_back(connection: Connection, server: str) -> None:
    """Let others have what was given to a server that has not claimed it yet.

    Args:
        connection: Of that server, within the transaction that says that it takes nothing more.
        server: Its name in the database.
    """
    connection.execute(_GIVE_BACK, (server,))
