"""Clients that read slowly, or never: no event is lost, nobody waits for them, and the connection ends."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.view.defaults import default_command
from heat_server.net.arrival import Arrival
from tests.server.support import House, Player

pytestmark = pytest.mark.trio


async def test_a_slow_reader_gets_fewer_updates_and_misses_no_event(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    slow = await connect_unbuffered(house, ben.token)
    await ana.start()
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        while slow.update is None or slow.view.status != "ended":
            await trio.sleep(1)
            await slow.receive()
    seen = [event for update in slow.updates for event in update.events]
    told = [event for update in ana.updates for event in update.events]
    assert len(seen) == len(told)
    assert len(slow.updates) < len(ana.updates)


async def test_a_peer_that_never_reads_is_dropped(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    await connect_unbuffered(house, ben.token)
    await ana.start()
    await ana.race(default_command)
    assert ana.view.end == "finished"
    assert len(house.server.connections) == 1


async def connect_unbuffered(house: House, token: str) -> Player:
    """Connect by a stream that holds nothing: what is not read blocks the writer."""
    ours, theirs = trio.testing.lockstep_stream_pair()
    house.nursery.start_soon(house.server.handle, theirs, Arrival("", None, b""))
    player = Player(ours)
    await player.hello(token)
    return player
