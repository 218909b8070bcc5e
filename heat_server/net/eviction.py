"""Which connections are closed because they are silent, or for others when the server is full.

Theory of operation. The last few connections are reserved for drivers. While only those are free, a
newcomer may stay only with a token that has a seat in some room, which `hello` shows. Before that, the
server closes connections that are in no room and have been silent for a while, the most silent first. When
even the reserve is full, a connection that has not shown such a token is closed for the next one. So nobody
can keep drivers out by holding silent connections.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heat_core.wire.codes import ByeCode
from heat_server.net.admission import TurnedAway
from heat_server.net.connection import Connection
from heat_server.networks import homes_of

RESERVED_PERCENT: Final = 5
SILENT_SECONDS: Final = 60.0
"""How long somebody in no room may say nothing before they make way for somebody who comes."""

_FULL: Final = TurnedAway(ByeCode.SERVER_FULL, "The server is full. Try again later.")


def reserved_for_drivers(most_connections: int) -> int:
    """Give how many of the connections are reserved for known tokens."""
    return most_connections * RESERVED_PERCENT // 100


def evict_for(
    newcomer: Connection, connections: Iterable[Connection], most: int, now: float
) -> TurnedAway | None:
    """Find room for a connection that limits by address let in.

    Others may be closed for it, and it may be marked as one that must have a seat.

    Args:
        newcomer: The connection.
        connections: All, itself too.
        most: How many there may be.
        now: The time in seconds.

    Returns:
        Why it must not stay; None: it may.
    """
    others = [one for one in connections if one.is_open and one is not newcomer]
    if len(others) < most - reserved_for_drivers(most) or close_most_silent(others, now):
        return None
    unseated = [one for one in others if one.must_have_seat]
    if len(others) >= most:
        if not unseated:
            return _FULL
        refuse(min(unseated, key=lambda one: one.number))
    newcomer.must_have_seat = True
    return None


def evict_from_home(newcomer: Connection, connections: Iterable[Connection], home: str, now: float) -> bool:
    """Close the most silent connection of a network that has too many; tell whether there was one."""
    neighbours = [
        one
        for one in connections
        if one.is_open and one is not newcomer and any(home == other.name for other in homes_of(one.peer))
    ]
    return close_most_silent(neighbours, now)


def close_silent(connections: Iterable[Connection], seconds: float, now: float) -> float:
    """Close the connections in no room whose peers have sent nothing for so long.

    Who is in a room may be silent. If they leave it, only their silence since the last look counts.

    Args:
        connections: All.
        seconds: How long.
        now: The time in seconds.

    Returns:
        When to look again: none of these is due before that, nor any newer one.
    """
    again = now + seconds
    for one in [one for one in connections if one.is_open]:
        if one.silent_since + seconds > now:
            again = min(again, one.silent_since + seconds)
        elif one.has_room():
            one.silent_since = now
        else:
            one.close(ByeCode.IDLE, "You were silent for too long.")
    return again


def close_most_silent(connections: Iterable[Connection], now: float) -> bool:
    """Close the one in no room that has been silent the longest; tell whether there was one."""
    silent = [one for one in connections if not one.has_room() and one.heard_at + SILENT_SECONDS <= now]
    if not silent:
        return False
    min(silent, key=lambda one: (one.heard_at, one.number)).close(
        ByeCode.IDLE,
        "The server is full. You were in no room and silent for a minute, so others take your connection.",
    )
    return True


def refuse(connection: Connection) -> None:
    """Close a connection that has no seat here."""
    connection.close(_FULL.code, _FULL.text)
