"""What the code at the end of a connection, or of a room, means to a link."""

from __future__ import annotations

from typing import Final

from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.connection import NONSENSE, SILENT

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
