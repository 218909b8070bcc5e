"""Real clients at three real servers, of which several stop or die together, or while they take rooms over.

Each choice that was acknowledged is in the record once, no room has two owners, and the drivers race on.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from heat_server.store.address import DatabaseUrl
from tests.e2e.test_fleet_faults import Place, all_seen, choices_of, raced_through, servers_on, watched
from tests.e2e.test_fleet_kills import check_epochs
from tests.load.server import running_server
from tests.patience import PATIENCE_SECONDS
from tests.server.postgres import started

pytestmark = [pytest.mark.asyncio, pytest.mark.soak, pytest.mark.timeout(300)]

ROOMS = 6

LOOK_SECONDS = 0.01

Harm = Callable[[Sequence[Place], DatabaseUrl, ExitStack], Awaitable[None]]


async def ended(place: Place) -> None:
    assert await asyncio.to_thread(place.running.process.wait) == 0


async def says(place: Place, event: str) -> None:
    """Wait until the log of a server has a line about something."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not place.lines(event):  # noqa: ASYNC110  # a file tells nobody
            await asyncio.sleep(LOOK_SECONDS)


async def two_at_once(places: Sequence[Place], url: DatabaseUrl, again: ExitStack) -> None:
    for place in places[:2]:
        place.running.process.send_signal(signal.SIGTERM)
    await asyncio.gather(*map(ended, places[:2]))


async def one_that_is_given_rooms(places: Sequence[Place], url: DatabaseUrl, again: ExitStack) -> None:
    places[0].running.process.send_signal(signal.SIGTERM)
    await says(places[0], "room moves")
    places[1].running.process.send_signal(signal.SIGTERM)
    await asyncio.gather(*map(ended, places[:2]))


async def one_that_takes_over(places: Sequence[Place], url: DatabaseUrl, again: ExitStack) -> None:
    places[0].running.process.send_signal(signal.SIGKILL)
    taking = [asyncio.create_task(says(place, "rooms taken over")) for place in places[1:]]
    await asyncio.wait(taking, return_when=asyncio.FIRST_COMPLETED)
    place = next(place for place, task in zip(places[1:], taking, strict=True) if task.done())
    place.running.process.send_signal(signal.SIGTERM)
    for task in taking:
        task.cancel()
    await ended(place)


async def all_in_a_row(places: Sequence[Place], url: DatabaseUrl, again: ExitStack) -> None:
    """They are started again once all have ended."""
    for place in places:
        place.running.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.7)
    await asyncio.gather(*map(ended, places))
    for place in places:
        words = ("--log-file", str(place.log), "--log-level", "info")
        server = running_server(url, *words, port=place.running.port)
        await asyncio.to_thread(again.enter_context, server)


@pytest.mark.parametrize(
    ("harm", "most_break_seconds"),
    [(two_at_once, 5.0), (one_that_is_given_rooms, 5.0), (one_that_takes_over, 16.0), (all_in_a_row, 20.0)],
    ids=lambda value: value.__name__ if callable(value) else "",
)
async def test_a_race_goes_on_though_several_servers_end(
    harm: Harm, most_break_seconds: float, tmp_path: Path
) -> None:
    with started("fsync=on") as cluster, ExitStack() as again:
        database = watched(cluster)
        url = cluster.url(database)
        with servers_on([url] * 3, tmp_path) as places:
            async with raced_through(harm.__name__, tmp_path, places, lambda: url, ROOMS) as rooms:
                await harm(places, url, again)
                await choices_of(rooms, 3)
            drivers = [driver for room in rooms for driver in room.drivers]
            assert max(driver.longest_break() for driver in drivers) < most_break_seconds
            assert "offline" not in all_seen(rooms)
            check_epochs(cluster)
