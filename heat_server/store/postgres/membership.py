"""The list of servers: how one joins it and leaves it, and what is removed from it."""

from __future__ import annotations

from typing import Final, NamedTuple

from heat_server.store.fleet_status import GONE_SECONDS
from heat_server.store.postgres.batches import forget_old_batches
from heat_server.store.postgres.schema import Connection

_JOIN: Final = "INSERT INTO servers (server, version, rules) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"

# Those that died at its address a minute before are forgotten with it: `heat-server fleet` would list the
# last of them again. One with rooms stays until others have taken them, as does one that may be frozen.
_LEAVE: Final = """
    DELETE FROM servers USING servers AS leaving
    WHERE leaving.server = %(server)s AND (
        servers.server = leaving.server
        OR servers.address = leaving.address AND leaving.address <> ''
        AND servers.renewed_at <= now() - make_interval(secs => %(seconds)s)
        AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.server = servers.server)
    )
"""

_FORGET_OLD: Final = "DELETE FROM servers WHERE lease_until < now() - interval '30 days' AND server <> %s"


class ServerIdentity(NamedTuple):
    """Who uses the database.

    Attributes:
        name: Of this start of a server, and no other.
        version: Of the program.
        rules: The version of the rules that it plays by.
    """

    name: str
    version: str
    rules: int


def join(connection: Connection, server: ServerIdentity) -> None:
    """Put a server on the list, with a lease that is over, unless it is there."""
    connection.execute(_JOIN, server)


def leave(connection: Connection, server: str) -> None:
    """Take a server off the list; what it owned is nobody's then."""
    connection.execute(_LEAVE, {"server": server, "seconds": GONE_SECONDS})
    forget_old_batches(connection)


def forget_old_servers(connection: Connection, server: str) -> None:
    """Remove what is left of servers that ended long ago, but not of this one."""
    connection.execute(_FORGET_OLD, (server,))
    forget_old_batches(connection)
