"""Bots that need value tables wait for them, and nobody else does."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec
import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.planner.table_key import TableKey
from heat_core.planner.tables import Tables
from heat_core.planner.value_table import ValueTable
from heat_core.planner.workers import TableWorkers
from heat_core.race.presets import STANDARD
from heat_core.simulation import make_table
from heat_core.wire.messages import RoomOptions, Update
from heat_server.room.bot_tables import BotTables
from tests.core.support import track_facts
from tests.core.support_tables import GatedWorkers
from tests.server.support import House, Player

pytestmark = pytest.mark.trio


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> GatedWorkers:
    """The workers of the server that a test begins."""
    gated = GatedWorkers()
    monkeypatch.setattr("heat_server.server.TableWorkers", lambda: gated)
    return gated


async def race_against(house: House, name: str, bot: str, options: RoomOptions) -> Player:
    """Start a race of one person and a bot in a room of their own."""
    player = await house.player()
    await player.create(name, options)
    await player.bot(1, bot)
    await player.start()
    return player


async def answer(player: Player) -> None:
    """Answer the next thing that somebody is asked."""
    while (act := player.next_act()) is None:
        await player.wait_for(Update)
    await player.ok(act)


async def test_a_room_waits_for_a_table_and_shows_for_whom_while_other_rooms_race(
    nursery: trio.Nursery, autojump_clock: MockClock, workers: GatedWorkers
) -> None:
    house = House(nursery)
    options = RoomOptions(laps=1, cars=2)
    ana = await race_against(house, "ana", "normal", options)
    ben = await race_against(house, "ben", "steady", options)
    await answer(ana)
    while ben.view.round < 2:
        await answer(ben)
    await ana.ping()
    assert ana.update is not None
    assert [(one.seat, one.has_chosen) for one in ana.update.decisions] == [(0, True), (1, False)]
    assert len(workers.asked) == 1
    workers.gate.set()
    while ana.view.round < 2:
        await answer(ana)


async def test_who_stands_in_for_the_absent_waits_for_a_table_too(
    nursery: trio.Nursery, autojump_clock: MockClock, workers: GatedWorkers
) -> None:
    house = House(nursery)
    options = RoomOptions(laps=1, cars=3, away_driver="easy", grace_milliseconds=1000)
    ana, ben = await house.full_lobby(["ana", "ben"], options)
    await ana.start()
    await ben.stream.aclose()
    await answer(ana)
    await trio.sleep(10)
    assert len(workers.asked) == 1
    await ana.ping()
    assert ana.update is not None
    assert [(one.seat, one.has_chosen) for one in ana.update.decisions] == [(0, True), (1, False)]
    workers.gate.set()
    await ana.wait_for(Update, lambda update: update.view.phase > 1)


async def test_a_table_that_cannot_be_built_is_in_the_log_and_the_room_races_on(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a real clock: another one would not wait for a process."""
    monkeypatch.setattr("heat_server.server.TableWorkers", lambda: TableWorkers(Tables(), impossible))
    with structlog.testing.capture_logs() as logged:
        ana = await race_against(House(nursery), "ana", "normal", RoomOptions(laps=1, cars=2))
        while ana.view.round < 2:
            await answer(ana)
    assert [line["track"] for line in logged if line["event"] == "table of a bot not built"] == ["usa"]


def impossible(key: TableKey) -> ValueTable:
    raise ArithmeticError("no such table")


async def test_creators_have_their_turns_and_each_table_is_built_once(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr("heat_server.room.bot_tables.MOST_WORKERS", 1)
    first = make_table(track_facts("usa"), 1, ["normal", "random"], STANDARD, "turns").table_needed(0)
    assert first is not None
    keys = [msgspec.structs.replace(first, laps=number) for number in range(6)]
    gated, woken = GatedWorkers(), Counter[str]()
    wakes = {creator: partial(woken.update, [creator]) for creator in ("many", "one")}
    tables = BotTables(gated)
    for key in (*keys[:5], keys[0]):
        assert not tables.is_ready(key, "many", wakes["many"])
    for key in (keys[5], keys[0]):
        assert not tables.is_ready(key, "one", wakes["one"])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tables.run)
        await trio.testing.wait_all_tasks_blocked()
        gated.gate.set()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert gated.asked == [keys[0], keys[5], *keys[1:5]], "one's table is the second, not the last"
    assert woken == {"many": 5, "one": 2}
    assert tables.is_ready(keys[0], "many", wakes["many"])
    assert tables.is_ready(None, "many", wakes["many"])
