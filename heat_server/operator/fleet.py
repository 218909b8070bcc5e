"""What `heat-server fleet` shows: the servers that share a database, in a table."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, tzinfo
from typing import Final

from heat_core.shapes import printable
from heat_server.operator.status import duration
from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.fleet_status import FleetServer, FleetStatus
from heat_server.text_table import text_table

ONE_SERVER: Final = (
    "The store is a file, which only one server can use; a fleet shares a PostgreSQL database."
)

_HEADINGS: Final = ("server", "version", "rules", "rooms", "connections", "since", "renewed", "state")


def fleet_text(fleet: FleetStatus, zone: tzinfo | None = None) -> str:
    """Write each server in a line, under a line of headings, and the totals.

    Args:
        fleet: The lines are in its order.
        zone: For the times; None: that of this machine.
    """
    draining = f", {fleet.draining:,} draining" if fleet.draining else ""
    totals = (
        f"running   {fleet.running:,} of {len(fleet.servers):,} servers{draining}",
        f"rooms     {fleet.rooms:,}, {fleet.rooms_without_owner:,} without an owner",
        f"network   {fleet.connections:,} connections",
    )
    if not fleet.servers:
        return "\n".join(totals)
    table = text_table([_HEADINGS, *(_row(server, zone) for server in fleet.servers)])
    return "\n".join((table, "", *totals, *_doubled(fleet)))


def _doubled(fleet: FleetStatus) -> list[str]:
    """Name the addresses that several servers have: clients that are sent there do not find the right one.

    One that died and has started again at its address is not meant, which renews no more.
    """
    renewing = [server for server in fleet.servers if server.renewed_seconds_ago < 2 * RENEW_SECONDS]
    addresses = Counter(server.address for server in renewing)
    return [
        f"trouble   {count} servers have the address {printable(address)}; give each its own (--announce)"
        for address, count in addresses.items()
        if count > 1
    ]


def _row(server: FleetServer, zone: tzinfo | None) -> tuple[str, ...]:
    seconds = server.renewed_seconds_ago
    return (
        printable(server.address),
        printable(server.version),
        str(server.rules),
        f"{server.rooms:,}",
        f"{server.connections:,}" if server.is_up else "-",
        datetime.fromtimestamp(server.started_at_ms / 1000, zone).strftime("%Y-%m-%d %H:%M"),
        f"{seconds:.1f} s ago" if server.state != "gone" else f"{duration(seconds)} ago",
        f"silent for {seconds:.0f} s" if server.state == "silent" else server.state,
    )
