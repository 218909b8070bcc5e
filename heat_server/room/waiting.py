"""What people read while their room waits for the disk or the database, or when that has failed them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heat_core.wire.messages import Waiting
from heat_server.net.connection import Connection
from heat_server.room.participants import Participants
from heat_server.store.errors import StoreFailed, StoreUnreachable
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import Write

NO_DATABASE: Final = "The server cannot reach its database. Your race waits; nothing is lost."
"""A commit that is late, and one that has failed, say the same: for who waits there is no difference."""

NO_LIST: Final = "The server cannot reach its database, so it cannot list the rooms. Try again in a moment."

_SLOW_DISK: Final = "The server waits for its disk. Your race waits too; nothing is lost."
_NOT_NOW: Final = "The server cannot read that race now. Try again in a moment."
_NOT_SAVED: Final = "The server cannot save races at the moment; try again later."
_UNDONE: Final = "The server could not save that, so it does not count; try again in a moment."
_IN_DOUBT: Final = "The server lost its database while it saved that; look whether it counts."
_NO_NEW_ROOM: Final = "The server cannot reach its database. Try again in a moment."


async def save(worker: StoreWorker, writes: Sequence[Write], people: Participants) -> None:
    """Commit a room's writes; who is in the room reads what it waits for if that takes long.

    Raises:
        StoreFailed: As `StoreWorker.commit`.
    """
    told: list[Connection] = []

    def tell() -> None:
        for _, presence in people.here():
            if (connection := presence.client.connection) is not None:
                connection.send(Waiting(NO_DATABASE if worker.is_shared else _SLOW_DISK))
                told.append(connection)

    try:
        await worker.commit(writes, tell)
    except StoreUnreachable:
        raise  # the room ends, and everybody waits on
    except StoreFailed:
        _end_wait(told)
        raise
    _end_wait(told)


def _end_wait(told: Sequence[Connection]) -> None:
    for connection in told:
        connection.send(Waiting(None))


def why_not_saved(error: StoreFailed) -> str:
    """Say to those who asked for something what became of it when it was not saved."""
    return _IN_DOUBT if isinstance(error, StoreUnreachable) else _UNDONE


def why_no_new_room(error: StoreFailed) -> str:
    """Say to somebody who opens a room why there is none."""
    return _NO_NEW_ROOM if isinstance(error, StoreUnreachable) else _NOT_SAVED


def why_asleep(error: StoreFailed) -> str:
    """Say to those in a room why it can do nothing until the store is well again."""
    return NO_DATABASE if isinstance(error, StoreUnreachable) else _NOT_SAVED


def why_not_read(error: StoreFailed | None = None) -> str:
    """Say to somebody who comes for a room why they cannot have it now."""
    return NO_DATABASE if isinstance(error, StoreUnreachable) else _NOT_NOW
