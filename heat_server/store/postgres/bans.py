"""The bans in the database: a row for each, and one row with the version of the list.

The version is drawn at random, not counted: after a failover to a standby that lacks the last changes, a
count could come to the same number again with another list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heat_server.networks import Network
from heat_server.store.bans import MOST_BANS, BanListFull, StoredBans
from heat_server.store.errors import StoreDamaged
from heat_server.store.postgres.schema import Connection

_NEW_VERSION: Final = "UPDATE ban_list SET version = gen_random_uuid()"
"""Comes first in each change: its lock keeps other changes out until the commit."""

_PUT: Final = """
    INSERT INTO bans (network, note) SELECT * FROM unnest(%s::text[]::cidr[], %s::text[])
    ON CONFLICT (network) DO UPDATE SET note = excluded.note
"""


def version_of_bans(connection: Connection) -> str:
    """Read the version of the list: by a single statement, as each server asks for it every two seconds.

    Raises:
        StoreDamaged: The list has none.
    """
    row = connection.execute("SELECT version::text FROM ban_list").fetchone()
    if row is None:
        raise StoreDamaged("the list of bans has no version: the table ban_list is empty")
    return str(row[0])


def read_bans(connection: Connection) -> StoredBans:
    """Read all bans, with the version of the list, as of one moment.

    Raises:
        StoreDamaged: The list has no version.
    """
    version = version_of_bans(connection)
    return StoredBans(version, dict(connection.execute("SELECT network, note FROM bans").fetchall()))


def put_bans(connection: Connection, notes: Mapping[Network, str]) -> None:
    """Ban networks.

    Raises:
        BanListFull: There would be too many.
    """
    connection.execute(_NEW_VERSION)
    connection.execute(_PUT, ([str(network) for network in notes], list(notes.values())))
    if connection.execute("SELECT FROM bans OFFSET %s LIMIT 1", (MOST_BANS,)).fetchone() is not None:
        raise BanListFull("the list of bans is full")


def lift_ban(connection: Connection, network: Network) -> bool:
    """Lift a ban; tell whether there was one."""
    connection.execute(_NEW_VERSION)
    deleted = connection.execute("DELETE FROM bans WHERE network = %s::text::cidr", (str(network),))
    return deleted.rowcount == 1
