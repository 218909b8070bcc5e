"""How rooms end, and that nothing of them is left (NET-13, LOBBY-6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act, LobbyView, Pause, Update
from heat_server.store.contract import Store
from tests.server.restarts import in_race
from tests.server.support import UNHURRIED, House, server_on

pytestmark = pytest.mark.trio

DAY = 86_400.0


async def nothing_is_left(house: House, store: Store) -> bool:
    server = house.server
    await trio.sleep(120)  # the house is kept each minute
    return not (server.rooms or len(server.rooms.sleeping) or len(server.clients) or store.open_matches())


@pytest.mark.spec("NET-13")
@pytest.mark.parametrize("way", ["raced", "deserted", "left", "idle", "paused"])
async def test_rooms_end_and_what_they_held_is_freed(
    way: str, store: Store, autojump_clock: MockClock
) -> None:
    config = replace(UNHURRIED, deserted_seconds=2 * DAY, paused_seconds=9 * DAY, idle_lobby_seconds=1800)
    async with server_on(store, config) as house:
        ana, ben = await house.full_lobby(["ana", "ben"])
        if way == "idle":
            await trio.sleep(1799)
            assert len(house.server.rooms) == 1
            await trio.sleep(2)
            for player in (ana, ben):
                await player.ping()
                assert [error.code for error in player.unasked] == ["room/closed"]
                await player.hang_up()
            assert await nothing_is_left(house, store)
            return
        await ana.start()
        await ben.wait_for(Update)
        if way == "raced":
            for player in (ana, ben):
                await player.ok(Act(player.id(), None, c.GiveUp()))
            await ana.wait_for(LobbyView, lambda state: state.phase == "ended")
            await trio.sleep(config.ended_seconds - 1)
            assert len(house.server.rooms) == 1, "the results can be looked at"
            await trio.sleep(2)
            assert not house.server.rooms
        elif way == "paused":
            await ana.ok(Pause(ana.id(), True))
            await ben.ok(Pause(ben.id(), True))
        for player in (ana, ben):
            if way == "left":
                await player.leave()
            await player.hang_up()
        if way in ("deserted", "left", "paused"):
            await trio.sleep((9 if way == "paused" else 2) * DAY - 200)
            ben = await in_race(house, ben) if way != "left" else ben
            assert store.open_matches(), "until then it can be gone on with"
            if way != "left":
                assert ben.view.round == 1, "it stood still"
                await ben.hang_up()
            await trio.sleep((9 if way == "paused" else 2) * DAY)
        assert await nothing_is_left(house, store)
        (listed,) = store.list_matches(10)
        assert listed.outcome == ("ended" if way == "raced" else "closed")


@pytest.mark.spec("LOBBY-6")
async def test_a_lobby_goes_from_host_to_host_and_ends_empty(store: Store, autojump_clock: MockClock) -> None:
    config = replace(UNHURRIED, empty_lobby_seconds=300)
    async with server_on(store, config) as house:
        ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"])
        await ana.leave()
        await ben.wait_for(LobbyView, lambda state: state.host == 1)
        await ben.bot(0, "steady")
        await ben.hang_up()
        began = trio.current_time()
        await cy.wait_for(LobbyView, lambda state: state.host == 2)
        assert trio.current_time() - began == UNHURRIED.grace_seconds
        await cy.leave()
        await trio.sleep(299)
        assert len(house.server.rooms) == 1
        await trio.sleep(2)
        assert not house.server.rooms
        await ana.hang_up()
        await cy.hang_up()
        assert await nothing_is_left(house, store)
