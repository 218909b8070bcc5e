"""Floods of requests that ask the database: others must not wait behind them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from heat_core.wire.messages import Create
from heat_server.room import rooms
from tests.server.fleets import Fleet
from tests.server.support import UNHURRIED, server_on

pytestmark = pytest.mark.trio


async def test_many_who_open_rooms_ask_the_database_a_few_at_a_time_and_not_at_all_where_there_is_no_space(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(UNHURRIED, most_rooms=8)
    async with server_on(fleet.join(), config) as house:
        asking, most, asked = 0, 0, 0

        async def slowly(code: str) -> None:
            nonlocal asking, most, asked
            asking, asked = asking + 1, asked + 1
            most = max(most, asking)
            await trio.sleep(1)
            asking -= 1

        monkeypatch.setattr(house.server.worker, "owner_of_code", slowly)
        players = [await house.player() for _ in range(8)]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.create)
        assert (most, asked, len(house.server.rooms)) == (rooms.MOST_REACHING, 8, 8)
        late = await house.player()
        assert await late.refused(Create(late.id(), "ana")) == "room/too_many"
        assert asked == 8
