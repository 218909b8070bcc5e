"""What the code at the end of a connection, or of a room, means to a link."""

from __future__ import annotations

from typing import Final

from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import NONSENSE, SILENT, ConnectionLost, NotRead, RequestRefused

FINAL: Final = frozenset(
    {ByeCode.NEWER_CONNECTION, ByeCode.OTHER_VERSION, ByeCode.BANNED, ByeCode.REMOVED, NONSENSE}
)
"""After these, a link does not reconnect."""

SERVER_IS_GONE: Final = frozenset({ByeCode.SERVER_STOPS, SILENT})
"""After these, another server is tried first."""

ROOM_IS_GONE: Final = frozenset(
    {
        ErrorCode.ROOM_CLOSED,
        ErrorCode.ROOM_CRASHED,
        ErrorCode.ROOM_ENDED,
        ErrorCode.NO_SUCH_ROOM,
        ErrorCode.KICKED,
    }
)
"""By these, a server says that a client's room has ended, or is closed to it."""


def why_not_in(error: ConnectionLost | RequestRefused) -> ConnectFailed:
    """Say why a player is not in their room yet: asking for it over a new connection has failed."""
    match error:
        case ConnectionLost():
            return ConnectFailed(error.text, is_final=error.code in FINAL)
        case RequestRefused(code=ErrorCode.NOT_READ):
            return NotRead(error.text)
        case RequestRefused(code=ErrorCode.NOT_SAVED):  # that the player is back; the room is there
            return ConnectFailed(error.text)
        case RequestRefused(code=ErrorCode.IN_NO_ROOM):
            return ConnectFailed("The room no longer exists.", is_final=True)
        case RequestRefused():
            return ConnectFailed(error.text, is_final=not error.moved_to)
