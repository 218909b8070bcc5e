"""Which connections are closed because they are silent, or for others when the server is full.

Theory of operation. The last few connections are reserved for drivers. While only those are free, a
newcomer may stay only with a token that has a seat in some room, which `hello` shows. Before that, the
server makes room in three ways, one after the other. If many have not said hello yet, the first of these is
closed; whoever means it says hello at once. Then whoever is in no room and has been silent for a while, the
most silent first. Then one that is in no room, of the address that has the most of these, if the newcomer's
has far fewer. When even the reserve is full, a connection that has not shown such a token is closed for the
next one. So nobody can keep drivers out by holding silent connections, nor newcomers by holding many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from heat_core.wire.codes import ByeCode
from heat_server.net.admission import TurnedAway
from heat_server.net.connection import Connection
from heat_server.networks import homes_of

RESERVED_PERCENT: Final = 5
SILENT_SECONDS: Final = 60.0
"""How long somebody in no room may say nothing before they make way for somebody who comes."""

UNANNOUNCED_PERCENT: Final = 25
"""How many of the connections may have said no hello yet while the server is full."""

_FULL: Final = TurnedAway(ByeCode.SERVER_FULL, "The server is full. Try again later.")


def reserved_for_drivers(most_connections: int) -> int:
    """Give how many of the connections are reserved for known tokens."""
    return most_connections * RESERVED_PERCENT // 100


def evict_for(
    newcomer: Connection,
    connections: Iterable[Connection],
    most: int,
    now: float,
    factor_of: Callable[[str], float],
) -> TurnedAway | None:
    """Find room for a connection that limits by address let in.

    Others may be closed for it, and it may be marked as one that must have a seat.

    Args:
        newcomer: The connection.
        connections: All, itself too.
        most: How many there may be.
        now: The time in seconds.
        factor_of: Gives how many times the usual limits an address has.

    Returns:
        Why it must not stay; None: it may.
    """
    others = [one for one in connections if one.is_open and one is not newcomer]
    if len(others) < most - reserved_for_drivers(most):
        return None
    if (
        _close_unannounced(others, most)
        or close_most_silent(others, now)
        or _close_one_of_many(newcomer, others, factor_of)
    ):
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


def _close_unannounced(others: Sequence[Connection], most: int) -> bool:
    """Close the first that has said no hello yet, if there are many; tell whether there were."""
    waiting = [one for one in others if not (one.has_said_hello or one.must_have_seat)]
    if len(waiting) <= most * UNANNOUNCED_PERCENT // 100:
        return False
    min(waiting, key=lambda one: one.number).close(
        ByeCode.NO_HELLO, "The server is full. Your program sent no hello, so others take your connection."
    )
    return True


def _close_one_of_many(
    newcomer: Connection, others: Sequence[Connection], factor_of: Callable[[str], float]
) -> bool:
    """Close one of the address that has the most in no room, if the newcomer's has less than half as many."""
    idle = [one for one in others if one.peer and not (one.has_room() or one.must_have_seat)]
    counts = Counter(one.peer for one in idle)
    crowds = {peer: count / factor_of(peer) for peer, count in counts.items()}
    largest = max(crowds, key=crowds.__getitem__, default="")
    own = 1 + sum(one.peer == newcomer.peer for one in others)
    if not newcomer.peer or not largest or crowds[largest] <= 2 * own / factor_of(newcomer.peer):
        return False
    min((one for one in idle if one.peer == largest), key=lambda one: (one.heard_at, one.number)).close(
        ByeCode.SERVER_FULL,
        "The server is full. Your address has the most connections without a room, so others take this one.",
    )
    return True


def refuse(connection: Connection) -> None:
    """Close a connection that has no seat here."""
    connection.close(_FULL.code, _FULL.text)
