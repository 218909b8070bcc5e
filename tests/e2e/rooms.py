"""Rooms that real clients open."""

from __future__ import annotations

from heat_core.wire import messages as m
from heat_tui.client.server_stay import ServerStay


async def opened_by(stay: ServerStay, options: m.RoomOptions) -> m.LobbyView:
    """Let Ana, in red, open a room, and wait until she sees it."""
    await stay.create("Ana", "red", options)
    while stay.link.room is None:
        await stay.link.wait(stay.link.changes)
    return stay.link.room
