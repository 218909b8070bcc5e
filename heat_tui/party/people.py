"""Who has come in: the guests of the doors and those with a client of their own, in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from heat_core.wire.operator import ConnectionInfo
from heat_tui.doors.news import GuestInside

Entrance: TypeAlias = Literal["ssh", "web", "heat-tui"]
"""By which way somebody came: a door, or a client of their own."""

NOBODY_YET = "somebody"
"""The name of a connection whose player has not entered a room."""


class Person(NamedTuple):
    """Somebody who is here.

    Attributes:
        name: As it may be shown.
        way: How the person came.
        since: When, in seconds since the epoch.
        room: The code of the room that the person is in; empty: none.
        address: Where the person is, as limits count it.
        guest: The number at the doors; None: the person came by no door.
        connection: The number at the server; None: it is not known.
    """

    name: str
    way: Entrance
    since: float
    room: str
    address: str
    guest: int | None = None
    connection: int | None = None


def people_of(
    guests: Sequence[GuestInside], connections: Sequence[ConnectionInfo], now: float
) -> tuple[Person, ...]:
    """List everybody, the first who came first.

    A guest's own connection to the server says in which room the guest is.

    Args:
        guests: Those inside the doors.
        connections: All of the server.
        now: In seconds since the epoch.
    """
    of_doors = [one for one in connections if one.is_by_door]
    people = []
    for guest in guests:
        own = _connection_of(guest, of_doors)
        if own is not None:
            of_doors.remove(own)
        people.append(
            Person(
                own.name if own is not None and own.name else guest.name,
                guest.way,
                guest.since,
                own.room if own is not None else "",
                guest.address,
                guest.number,
                own.number if own is not None else None,
            )
        )
    for one in connections:
        if not one.is_by_door:
            name, since = one.name or NOBODY_YET, now - one.open_seconds
            people.append(Person(name, "heat-tui", since, one.room, one.peer, None, one.number))
    return tuple(sorted(people, key=lambda person: person.since))


def _connection_of(guest: GuestInside, connections: Sequence[ConnectionInfo]) -> ConnectionInfo | None:
    """Find a guest's connection: it comes from the guest's address, and most guests keep their name."""
    near = [one for one in connections if one.peer == guest.address]
    only = near[0] if len(near) == 1 else None
    return next((one for one in near if one.name == guest.name), only)
