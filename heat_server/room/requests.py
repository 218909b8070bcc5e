"""Requests and news on their way to a room's task."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import trio

from heat_core.wire.messages import (
    Act,
    AskLegal,
    AskRecord,
    AskView,
    Configure,
    Create,
    ErrorData,
    GiveTime,
    Join,
    Kick,
    Leave,
    Lock,
    Pause,
    PlaceBot,
    React,
    Rematch,
    Say,
    Start,
    TakeSeat,
    Watch,
)
from heat_server.net.clients import ConnectedClient
from heat_server.net.connection import Connection

RoomRequest: TypeAlias = (
    Create
    | Join
    | Watch
    | TakeSeat
    | Configure
    | PlaceBot
    | Start
    | Act
    | AskLegal
    | AskView
    | Say
    | React
    | Pause
    | Kick
    | GiveTime
    | Lock
    | Rematch
    | AskRecord
    | Leave
)


Refusal: TypeAlias = tuple[str, str, ErrorData | None]
"""Code, one sentence for people, and what programs can use besides."""


@dataclass(eq=False)
class PendingRequest:
    """A request on its way through a room.

    Attributes:
        client: Who asks.
        connection: By which, and where the answer goes.
        request: What is asked.
        done: Set when it has been answered.
    """

    client: ConnectedClient
    connection: Connection
    request: RoomRequest
    done: trio.Event = field(default_factory=trio.Event)

    def refuse(self, code: str, text: str, data: ErrorData | None = None) -> None:
        """Answer at once that it is not done."""
        self.connection.error(self.request.id, code, text, data)
        self.done.set()


class News(Enum):
    """What must not wait in the queue."""

    PRESENCE = "somebody came, went or caught up"
    TURN = "bots may play"
    CLOSING = "the operator closes the room"
