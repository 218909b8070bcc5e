"""What is known of a room that its task has left, and of one that nobody is at."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias

import trio

from heat_server.room.hibernation import SleepPhase
from heat_server.store.errors import StoreFailed
from heat_server.store.ownership import Release
from heat_server.store.worker import StoreWorker

MOVED: Final = "This room has moved to another server. Connect again, with the code {code}."


@dataclass(frozen=True)
class Move:
    """Where a room is to go.

    Attributes:
        address: Of the server that gets it.
        rules: The version of the rules that this server plays by, where it is another one: then the room goes
            only as long as it has no race. None: it plays by the same.
        over: Set once the room has gone, or stays because it cannot go.
    """

    address: str
    rules: int | None = None
    over: trio.Event = field(default_factory=trio.Event)

    def release(self, match: str) -> Release:
        """Describe it to the store.

        Args:
            match: The room's identifier there.
        """
        return Release(match, self.address, self.rules)


class OnDisk(NamedTuple):
    """What must be known of a room to find it on disk.

    Attributes:
        match: The identifier in the store.
        phase: How far the room is.
        keys: Hashed tokens of those who have a place in it.
    """

    match: str
    phase: SleepPhase
    keys: tuple[bytes, ...]


Standing: TypeAlias = Literal["held", "left", "over"]
"""Whom a room is kept for: drivers in its race or those who may come to its lobby; those who may come back to
their race; nobody but who reads its results."""


class Rest(Enum):
    """How a room's task ended."""

    ENDED = "ended"
    ASLEEP = "asleep"
    MOVED = "let go, for another server to take it"
    LOST = "taken by another server"


async def new_address(worker: StoreWorker, code: str) -> str:
    """Give the address of the server that has a room now; "": that is not known."""
    try:
        owner = await worker.owner_of_code(code)
    except StoreFailed:
        return ""
    return owner.address if owner is not None and owner.is_alive else ""
