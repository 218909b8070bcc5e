"""A request that a room is handling: who asks, what they may do, and how they are answered."""

from __future__ import annotations

from math import ceil

from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import ErrorData, Ok
from heat_server.room.broadcast import (
    broadcast_news,
)
from heat_server.room.denied import Denied
from heat_server.room.requests import PendingRequest
from heat_server.room.saved_room import Member, Person
from heat_server.room.state import RoomState


class RequestContext:
    """One request in the hands of a room.

    Attributes:
        state: Of the room.
        client: Who asks.
        connection: By which.
        request: What is asked.
        now: The time on the room's clock.
    """

    def __init__(self, state: RoomState, pending: PendingRequest, now: float) -> None:
        """Take a request."""
        self.state = state
        self.client = pending.client
        self.connection = pending.connection
        self.request = pending.request
        self.now = now

    def ok(self) -> None:
        """Answer that it is done."""
        self.state.outbox.send(self.connection, Ok(self.request.id))

    def person(self) -> Person:
        """Give who asks.

        Raises:
            Denied: They are not in this room.
        """
        person = self.state.people.find(self.client)
        if person is None or not self.state.people.is_here(person):
            raise Denied(ErrorCode.IN_NO_ROOM, "You are in no room.")
        return person

    @staticmethod
    def member(person: Person) -> Member:
        """Deny what only drivers may do."""
        if not isinstance(person, Member):
            raise Denied(ErrorCode.ONLY_WATCHING, "You are watching; only drivers can do that.")
        return person

    def host(self, person: Person) -> Member:
        """Deny what only the host may do."""
        if not isinstance(person, Member) or person is not self.state.people.host:
            raise Denied(ErrorCode.NOT_HOST, "Only the host can do that.")
        return person

    def need_lobby(self) -> None:
        """Deny what cannot be done once a race has begun."""
        if self.state.race is not None:
            raise Denied(ErrorCode.ROOM_BEGUN, "The race has started.")

    def need_to_talk(self) -> None:
        """Deny what would make the others read too much."""
        if not self.client.talk.take(self.now):
            seconds = self.client.talk.ready_at(self.now, 1) - self.now
            raise Denied(
                ErrorCode.TOO_MUCH_SAID,
                "You are writing too much; wait a few seconds.",
                ErrorData(retry_after_milliseconds=ceil(seconds * 1000)),
            )

    def news(self, text: str) -> None:
        """Announce somebody who comes or goes, unless they do it so often that nobody could read the rest."""
        if self.client.talk.take(self.now):
            broadcast_news(self.state, text)
