"""What a room has to say, held back until that is on disk; and the requests on their way through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import trio

from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    AskRecord,
    AskView,
    Configure,
    Create,
    Error,
    Join,
    Kick,
    Leave,
    Lock,
    Pause,
    PlaceBot,
    React,
    Rematch,
    Say,
    ServerMessage,
    Start,
    TakeSeat,
    Watch,
)
from heat_server.connection import Connection
from heat_server.sessions import Session

RoomRequest: TypeAlias = (
    Create
    | Join
    | Watch
    | TakeSeat
    | Configure
    | PlaceBot
    | Start
    | Act
    | AskView
    | Say
    | React
    | Pause
    | Kick
    | Lock
    | Rematch
    | AskRecord
    | Leave
)


@dataclass(eq=False)
class Asked:
    """A request on its way through a room.

    Attributes:
        done: Set when it has been answered.
    """

    session: Session
    connection: Connection
    request: RoomRequest
    done: trio.Event = field(default_factory=trio.Event)


class News(Enum):
    """What must not wait in the queue."""

    PRESENCE = "somebody came, went or caught up"


class Post:
    """Messages in the order in which they go out, and the requests that are answered with them."""

    def __init__(self) -> None:
        """Begin empty."""
        self._messages: list[tuple[Connection, ServerMessage]] = []
        self._answered: list[Asked] = []

    def send(self, connection: Connection | None, message: ServerMessage) -> None:
        """Hold a message back for a connection; None: nobody is there to read it."""
        if connection is not None:
            self._messages.append((connection, message))

    def error(self, connection: Connection, re: int | None, code: str, text: str) -> None:
        """Hold an error back."""
        self.send(connection, Error(re, code, text))

    def answered(self, asked: Asked) -> None:
        """Note that all that a request brings has been handed in."""
        self._answered.append(asked)

    def deliver(self) -> None:
        """Send everything: it is on disk."""
        by_connection: dict[Connection, list[ServerMessage]] = {}
        for connection, message in self._messages:
            by_connection.setdefault(connection, []).append(message)
        for connection, messages in by_connection.items():
            connection.send(*messages)
        for asked in self._answered:
            asked.done.set()
        self._messages.clear()
        self._answered.clear()

    def take_back(self, text: str) -> None:
        """Send nothing of it but a refusal to each request: what it did is undone.

        Args:
            text: One sentence for those who asked.
        """
        for asked in self._answered:
            asked.connection.error(asked.request.id, ErrorCode.NOT_SAVED, text)
            asked.done.set()
        self._messages.clear()
        self._answered.clear()
