"""Finding the player whom a token belongs to, and waking the rooms that keep a place for them."""

from __future__ import annotations

from typing import Final

import trio

from heat_core.wire.codes import ErrorCode
from heat_server.net.clients import Clients, ConnectedClient, key_of
from heat_server.room.denied import Denied
from heat_server.room.rooms import Rooms
from heat_server.room.waiting import why_not_read

LONGEST_SECONDS: Final = 5.0
"""Whoever waits longer reads that and tries again; clients take a silent server for another program."""

_NO_SEAT = "The server no longer has a seat for you: the race has finished, or the server was restarted."


async def returning_player(token: str, rooms: Rooms, clients: Clients) -> ConnectedClient:
    """Find out who comes back, and wake the rooms that keep a place for them.

    Args:
        token: From an earlier `welcome`, of this server or of another one of its fleet.
        rooms: All of the server.
        clients: All of the server.

    Raises:
        Denied: Nobody knows them; or that cannot be told now or soon, or another server knows them.
    """
    with trio.move_on_after(LONGEST_SECONDS):
        return await _returning_player(token, rooms, clients)
    raise Denied(ErrorCode.NOT_READ, why_not_read())


async def _returning_player(token: str, rooms: Rooms, clients: Clients) -> ConnectedClient:
    key = key_of(token)
    why = await _wake_rooms_of(key, rooms)
    client = clients.find(token)
    if client is None or client.room is None:  # a seat that was left here, or a line not yet known to be dead
        await rooms.take_over_seat(key)
        why = await _wake_rooms_of(key, rooms) or why
        client = clients.find(token)
    if client is not None and (why is None or client.rooms):
        return client
    if (reason := rooms.why_lost(key)) is not None:
        raise Denied(ErrorCode.UNKNOWN_TOKEN, reason)
    raise why or Denied(ErrorCode.UNKNOWN_TOKEN, _NO_SEAT)


async def _wake_rooms_of(key: bytes, rooms: Rooms) -> Denied | None:
    """Wake the rooms in which a token has a place; give why one sleeps on."""
    why = None
    for code in rooms.sleeping.codes_of(key):
        try:
            await rooms.find(code)
        except Denied as not_now:
            why = not_now
    return why
