"""The state of the connection to a table, and the error when it is lost."""

from __future__ import annotations

from typing import Literal, TypeAlias

ConnectionState: TypeAlias = Literal["local", "connecting", "connected", "moving", "reconnecting", "offline"]
"""`moving`: the server has named another one, which has the room now."""


class SessionClosed(Exception):
    """The table is gone: the server closed the room, or the line is lost for good; the text says why."""
