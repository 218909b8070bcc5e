"""What a room sends, held back until the change is on disk."""

from __future__ import annotations

from heat_core.wire.encoded_update import Sendable
from heat_core.wire.messages import Error, ErrorData
from heat_server.net.connection import Connection
from heat_server.room.requests import PendingRequest


class Outbox:
    """Messages in the order in which they go out, and the requests that are answered with them."""

    def __init__(self) -> None:
        """Begin empty."""
        self._messages: dict[Connection, list[Sendable]] = {}
        self._answered: list[PendingRequest] = []

    def send(self, connection: Connection | None, message: Sendable) -> None:
        """Hold a message back for a connection; None: nobody is there to read it."""
        if connection is not None:
            self._messages.setdefault(connection, []).append(message)

    def error(
        self,
        connection: Connection,
        re: int | None,
        code: str,
        text: str,
        data: ErrorData | None = None,
    ) -> None:
        """Hold an error back."""
        self.send(connection, Error(re, code, text, data))

    def answered(self, pending: PendingRequest) -> None:
        """Note that all that a request brings has been handed in."""
        self._answered.append(pending)

    def deliver(self) -> None:
        """Send everything: it is on disk."""
        answered, self._answered = self._answered, []
        messages, self._messages = self._messages, {}
        try:
            for connection, those in messages.items():
                connection.send(*those)
        finally:
            for pending in answered:  # even if one cannot be sent, nobody is answered a second time
                pending.done.set()

    def take_back(self, code: str, text: str, data: ErrorData | None = None) -> None:
        """Send nothing of it but a refusal to each request: what it did is undone.

        Args:
            code: For the programs of those who asked.
            text: One sentence for themselves.
            data: For their programs besides.
        """
        answered, self._answered = self._answered, []
        self._messages.clear()
        for pending in answered:
            pending.refuse(code, text, data)
