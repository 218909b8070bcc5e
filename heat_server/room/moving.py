"""Where a room goes that another server is to have, and what its people read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import trio

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


async def new_address(worker: StoreWorker, code: str) -> str:
    """Give the address of the server that has a room now; "": that is not known."""
    try:
        owner = await worker.owner_of_code(code)
    except StoreFailed:
        return ""
    return owner.address if owner is not None and owner.is_alive else ""
