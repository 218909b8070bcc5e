"""Races to their end, for what each leaves in a store."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal

import msgspec

from tests.load.swarm import Swarm
from tests.scale.load.database import opened
from tests.scale.load.disk import Disk, disk_of_database, disk_of_file
from tests.scale.load.fleet import fleet
from tests.server.postgres import Cluster

_LONGEST_SECONDS: Final = 600.0
_LOOK_SECONDS: Final = 0.25


class Filling(msgspec.Struct, frozen=True):
    """What races.

    Attributes:
        store: Where it is kept.
        rooms: All at once, each of them until its first race is over.
        seats: Clients in each.
    """

    store: Literal["SQLite", "PostgreSQL"]
    rooms: int
    seats: int


class Filled(msgspec.Struct, frozen=True):
    """What is there afterwards.

    Attributes:
        filling: What raced.
        disk: What is in the store.
    """

    filling: Filling
    disk: Disk


def fill(what: Filling, cluster: Cluster, folder: Path) -> Filled:
    """Have rooms race to their end, as quick as they can.

    Raises:
        TimeoutError: They do not end.
    """
    with ExitStack() as stack:
        file = folder / "filled.sqlite3"
        database = stack.enter_context(opened(cluster)) if what.store == "PostgreSQL" else None
        (server,) = stack.enter_context(fleet(database.url if database is not None else file, 1))

        async def race() -> None:
            swarm = Swarm(server.running.port, what.rooms, what.seats, None)
            await swarm.sit_down()
            async with asyncio.timeout(_LONGEST_SECONDS):
                while swarm.counts.races < what.rooms * what.seats:  # noqa: ASYNC110  # clients only count
                    await asyncio.sleep(_LOOK_SECONDS)
            swarm.hang_up()

        asyncio.run(race())
        return Filled(what, disk_of_file(file) if database is None else disk_of_database(database))
