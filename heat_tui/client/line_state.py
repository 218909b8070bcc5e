"""How a table is reached: the state of the line to it, and that it is gone."""

from __future__ import annotations

from typing import Literal, TypeAlias

ConnectionState: TypeAlias = Literal["local", "connecting", "connected", "reconnecting", "offline"]


class SessionClosed(Exception):
    """The table is gone: the server closed the room, or the line is lost for good; the text says why."""
