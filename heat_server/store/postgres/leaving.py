"""A server that stops leaves the list of servers."""

from __future__ import annotations

from typing import Final

from heat_server.store.fleet_status import GONE_SECONDS
from heat_server.store.postgres.schema import Connection

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


def leave(connection: Connection, server: str) -> None:
    """Take a server off the list; what it owned is nobody's then."""
    connection.execute(_LEAVE, {"server": server, "seconds": GONE_SECONDS})
