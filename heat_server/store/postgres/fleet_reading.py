"""Reads which servers share a database: their rows in `servers`, and what `leases` has for them."""

from __future__ import annotations

from typing import Any, Final

from heat_server.store.fleet_status import GONE_SECONDS, FleetServer, FleetStatus, ServerState
from heat_server.store.postgres.schema import Connection

# A row without an address is of a program that has not yet renewed a lease: it copies, or has just started.
_SERVERS: Final = """
    SELECT address, version, rules, coalesce(owned.rooms, 0), connections,
        floor(extract(epoch FROM started_at) * 1000)::bigint,
        greatest(extract(epoch FROM now() - renewed_at), 0)::float8,
        lease_until > now(), draining
    FROM servers LEFT JOIN (
        SELECT server, count(*) AS rooms FROM leases GROUP BY server
    ) AS owned USING (server)
    WHERE address <> '' AND (
        lease_until > now() OR NOT EXISTS (
            SELECT 1 FROM servers AS later
            WHERE later.address = servers.address AND later.started_at > servers.started_at
        )
    )
    ORDER BY started_at, server
"""

_ROOMS: Final = """
    SELECT coalesce(sum(owned.rooms), 0)::bigint,
        coalesce(sum(owned.rooms) FILTER (WHERE lease_until > now()), 0)::bigint
    FROM (SELECT server, count(*) AS rooms FROM leases GROUP BY server) AS owned
        LEFT JOIN servers USING (server)
"""


def read_fleet(connection: Connection) -> FleetStatus:
    """Look at all servers within a transaction of the caller's, whose beginning is the moment of all ages."""
    servers = [_server(row) for row in connection.execute(_SERVERS)]
    counts = connection.execute(_ROOMS).fetchone()
    assert counts is not None
    rooms, owned = counts
    states = [server.state for server in servers]
    connections = sum(server.connections for server in servers if server.is_up)
    running, draining = states.count("running"), states.count("draining")
    return FleetStatus(servers, running, draining, rooms, rooms - owned, connections)


def _server(row: tuple[Any, ...]) -> FleetServer:
    address, version, rules, rooms, connections, started_at_ms, age_seconds, is_up, is_draining = row
    state: ServerState = "silent" if age_seconds <= GONE_SECONDS else "gone"
    if is_up:
        state = "draining" if is_draining else "running"
    age_seconds = round(age_seconds, 1)
    return FleetServer(address, version, rules, rooms, connections, started_at_ms, age_seconds, state)
