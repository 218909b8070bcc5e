"""A server lets matches go that others are to have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.ownership import Release
from heat_server.store.postgres.schema import Connection

LATE_SECONDS: Final = 1.5 * RENEW_SECONDS
"""Who has not renewed its lease for so long may be dead, and gets nothing."""

# Where an heir may be dead or leaves just now, a match is nobody's: any server that people come to takes it.
_RELEASE: Final = """
    UPDATE leases SET
        server = heirs.server,
        epoch = CASE WHEN heirs.server IS NULL THEN leases.epoch ELSE leases.epoch + 1 END,
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
