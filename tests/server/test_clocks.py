"""Time over a restart: decisions have what was left of theirs, and the system's clock may jump (CASE 18)."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.messages import Act, Update
from heat_server.store.contract import Store
from tests.server.restarts import in_race, stored_log
from tests.server.stores import WallClock, open_store
from tests.server.support import Player, server_on

pytestmark = pytest.mark.trio

TURN, GRACE, COARSE = 60.0, 20.0, 10.0
HOUR_MS = 3_600_000


def seconds_left(player: Player, seat: int) -> float:
    assert player.update is not None
    (left,) = [one.milliseconds_left for one in player.update.decisions if one.seat == seat]
    assert left is not None
    return left / 1000


@pytest.mark.parametrize("gone_by", [0.0, 9.5, 15.0, 34.9, 41.0, 59.0])
async def test_after_a_restart_a_decision_has_what_was_left_or_the_grace_time(
    gone_by: float, store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing()
        await trio.sleep(gone_by)
        await ana.ping()
    async with server_on(store) as house:
        await trio.sleep(5000)  # while nobody is there, no time goes by
        ana, ben = await in_race(house, ana), await in_race(house, ben)
        left = seconds_left(ben, 1)
        assert max(TURN - gone_by, GRACE) <= left <= max(TURN - gone_by + COARSE, GRACE)
        await trio.sleep(left - 0.01)
        assert (await ben.look()).view.own == ben.view.own
        await trio.sleep(0.02)
        await ben.wait_for(Update, lambda update: update.view.phase == 2)


async def test_time_runs_only_while_somebody_is_there(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing()
        await trio.sleep(13)
        await ana.hang_up()
        await ben.hang_up()
        await trio.sleep(86_000)
        assert not house.server.rooms, "it sleeps"
        ben = await in_race(house, ben)
        assert TURN - 13 <= seconds_left(ben, 1) <= TURN - 13 + COARSE


@pytest.mark.parametrize("jump_ms", [-HOUR_MS, HOUR_MS])
async def test_no_jump_of_the_systems_clock_fires_or_hangs_a_timer(
    jump_ms: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    clock = WallClock(100 * HOUR_MS)
    with open_store(tmp_path / "store.sqlite3", clock) as store:
        async with server_on(store) as house:
            ana, ben = await house.racing()
            began = trio.current_time()
            clock.now_ms += jump_ms
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
            await ben.wait_for(Update, lambda update: update.decisions[0].has_chosen)
            await ben.look()
            assert seconds_left(ben, 1) == TURN
            await ben.wait_for(Update, lambda update: update.view.phase == 2)
            assert trio.current_time() - began == TURN
        clock.now_ms += jump_ms
        async with server_on(store) as house:
            ana, ben = await in_race(house, ana), await in_race(house, ben)
            assert seconds_left(ben, 1) == TURN
            async with trio.open_nursery() as playing:
                playing.start_soon(ana.race)
                playing.start_soon(ben.race)
        (match,) = store.open_matches()
        assert isinstance(stored_log(store, match.match)[-1], e.RaceEnded)
