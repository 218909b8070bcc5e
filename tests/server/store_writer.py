"""A process that writes to a store as rooms do, and prints what it has been told to be on disk.

Usage: python -m tests.server.store_writer FILE|URL
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import structlog
import trio

from heat_server.store.address import DatabaseUrl, is_database_url
from heat_server.store.opening import open_store
from heat_server.store.worker import StoreWorker
from heat_server.store.writes import AddEvents, BeginRace, SaveClocks, SaveRoom

ROOMS = 8

EVENTS_OF_A_STEP = 3


def events_of(match: str, first: int) -> bytes:
    """Make the events of a step, such that each can be told from all others."""
    return f"{match} from {first} on ".encode() * (first % 50)


async def race(worker: StoreWorker, match: str, *, is_new: bool) -> None:
    """Write steps for ever, from where the match is; a line for each that is on disk."""
    if is_new:
        await worker.commit([SaveRoom(match, match, "racing", match, b""), BeginRace(match, 0, b"", b"")])
    kept = (await worker.load(match)).race
    assert kept is not None
    last = EVENTS_OF_A_STEP * len(kept.steps)
    while True:
        first, last = last + 1, last + EVENTS_OF_A_STEP
        await worker.commit(
            [
                AddEvents(match, 0, first, EVENTS_OF_A_STEP, events_of(match, first)),
                SaveClocks(match, str(last).encode()),
            ]
        )
        sys.stdout.write(f"{match} {last}\n")
        sys.stdout.flush()


async def main() -> None:
    """Write until killed."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    place = sys.argv[1]
    address = DatabaseUrl(place) if is_database_url(place) else Path(place)
    with open_store(address, lambda: 0) as store:
        worker = StoreWorker(store)
        async with trio.open_nursery() as nursery:
            await nursery.start(worker.run)
            there = {title.match for title in await worker.claim()}
            for match in (f"m{number}" for number in range(ROOMS)):
                nursery.start_soon(partial(race, worker, match, is_new=match not in there))


if __name__ == "__main__":
    trio.run(main)
