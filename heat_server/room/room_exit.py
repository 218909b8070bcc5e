"""How a room leaves the rooms that are awake."""

from __future__ import annotations

from enum import Enum


class RoomExit(Enum):
    """How a room's task ended."""

    ENDED = "ended"
    ASLEEP = "asleep"
    MOVED = "let go, for another server to take it"
    LOST = "taken by another server"
