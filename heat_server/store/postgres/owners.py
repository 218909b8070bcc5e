"""Who owns the open matches that people come for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_server.store.ownership import Owner
from heat_server.store.postgres.releasing import UNCLAIMED
from heat_server.store.postgres.schema import Connection

_OWNER: Final = f"""matches.match, coalesce(address, ''),
        coalesce(lease_until > now() AND {UNCLAIMED} IS NOT TRUE, FALSE),
        coalesce(leases.server = %s, FALSE)"""

_WITH_OWNER: Final = """JOIN leases ON leases.match = matches.number
        LEFT JOIN servers ON servers.server = leases.server"""

_OWNERS_OF_CODES: Final = f"""
    SELECT code, {_OWNER} FROM matches {_WITH_OWNER} WHERE outcome IS NULL AND code = ANY (%s)
"""

_OWNERS_OF_KEYS: Final = f"""
    SELECT asked.key, {_OWNER}
    FROM unnest(%s::bytea[]) AS asked (key) CROSS JOIN LATERAL (
        SELECT match FROM sessions WHERE sessions.key = asked.key ORDER BY has_left, match DESC LIMIT 1
    ) AS newest JOIN matches ON matches.number = newest.match {_WITH_OWNER}
    WHERE outcome IS NULL
"""


def owners_of_codes(connection: Connection, server: str, codes: Sequence[str]) -> dict[str, Owner]:
    """Find out who owns the matches of codes, by code, as far as there are any.

    Args:
        connection: To the database.
        server: The server that asks.
        codes: Of rooms.
    """
    rows = connection.execute(_OWNERS_OF_CODES, (server, list(codes)))
    return {code: Owner(*owner) for code, *owner in rows}


def owners_of_keys(connection: Connection, server: str, keys: Sequence[bytes]) -> dict[bytes, Owner]:
    """Find out who owns the matches of tokens, by token, as far as there are any.

    Args:
        connection: To the database.
        server: The server that asks.
        keys: The tokens' hashes.
    """
    rows = connection.execute(_OWNERS_OF_KEYS, (server, list(keys)))
    return {key: Owner(*owner) for key, *owner in rows}
