"""Rooms asleep on disk: who comes, however, finds theirs awake; none keeps another from waking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import msgspec
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.messages import (
    Act,
    Create,
    Join,
    LobbyView,
    Ok,
    Rematch,
    RoomOptions,
    Said,
    SeasonOptions,
    Start,
    Update,
    Watch,
)
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import SaveRoom
from tests.server.restarts import in_race, stored_log
from tests.server.stores import raw
from tests.server.support import QUICK, UNHURRIED, House, Player, server_on

pytestmark = pytest.mark.trio

OVAL = Path(__file__).parents[2] / "examples" / "oval.json"


async def sleeping_race(house: House, names: tuple[str, str] = ("ana", "ben")) -> tuple[Player, Player, str]:
    """Leave a race alone until it sleeps."""
    ana, ben = await house.full_lobby(list(names))
    await ana.start()
    await ben.wait_for(Update)
    code = ana.room.code if ana.room else ""
    await ana.hang_up()
    await ben.hang_up()
    await trio.sleep(600)
    assert code in house.server.rooms.sleeping
    assert code not in house.server.rooms
    return ana, ben, code


async def test_two_come_by_token_at_once(store: SqliteStore, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben, code = await sleeping_race(house)
        back: list[Player] = []

        async def come(player: Player) -> None:
            back.append(await in_race(house, player))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(come, ana)
            nursery.start_soon(come, ben)
        assert {player.started.seat for player in back if player.started} == {0, 1}
        assert list(house.server.rooms) == [code]
        assert code not in house.server.rooms.sleeping


async def test_one_comes_by_token_and_one_by_code_at_once(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, _, code = await sleeping_race(house)
        cy = await house.player()
        await cy.send(Watch(cy.id(), code, "cy"))
        ana = await in_race(house, ana)
        await cy.wait_for(Ok)
        await ana.wait_for(LobbyView, lambda state: state.watchers == ("cy",))


async def test_a_stranger_wakes_a_race_and_has_time_to_come_in(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        _, _, code = await sleeping_race(house)
        cy = await house.player()
        assert await cy.refused(Join(cy.id(), code, "cy")) == "room/begun"
        await cy.ok(Watch(cy.id(), code, "cy"))
        await cy.wait_for(Update)


@pytest.mark.parametrize("late", [-0.001, 0.0, 0.001])
async def test_who_comes_while_it_falls_asleep_comes_in(
    late: float, store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"])
        await ana.start()
        code = ana.room.code if ana.room else ""
        cy, dee = await house.player(), await house.player()
        await ana.hang_up()
        await ben.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        await trio.sleep(UNHURRIED.sleep_seconds + late)
        await cy.send(Watch(cy.id(), code, "cy"))
        assert await dee.refused(Join(dee.id(), code, "dee")) == "room/begun"
        await cy.wait_for(Update)
        assert list(house.server.rooms) == [code]


async def test_who_plays_elsewhere_by_now_is_not_fetched_back(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben, first = await sleeping_race(house)
        ben = await in_race(house, ben)
        await ben.leave()
        second = await ben.create("ben")
    async with server_on(store) as house:
        ben = await house.back(ben)
        assert ben.room is not None
        assert ben.room.code == second
        ana = await in_race(house, ana)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ana.wait_for(Update, lambda update: 1 in update.away)
        await ben.seat(ready=True)
        await ben.leave()
        await ben.ok(Join(ben.id(), first, "ben"))
        await ana.wait_for(Update, lambda update: update.away == ())


async def test_a_race_goes_on_though_its_tracks_file_is_gone(
    store: SqliteStore, tmp_path: Path, autojump_clock: MockClock
) -> None:
    folder = tmp_path / "tracks"
    folder.mkdir()
    copyfile(OVAL, folder / "oval.json")
    options = RoomOptions(track="oval", laps=1, cars=2)
    async with server_on(store, replace(UNHURRIED, track_folder=folder)) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], options)
        await ana.start()
        cy = await house.player()
        lobby = await cy.create("cy", options)
        season = RoomOptions(laps=1, cars=2, season=SeasonOptions(None, ("oval", "usa", "oval")))
        dee, eve = await house.full_lobby(["dee", "eve"], season)
        await dee.start()
    async with server_on(store) as house:
        ana, ben, dee, eve = [await in_race(house, player) for player in (ana, ben, dee, eve)]
        cy = await house.back(cy)
        told = await cy.wait_for(Said)
        listed = await cy.rooms()
        assert sorted(room.track for room in listed.rooms) == ["oval", "oval", "usa"]
        assert cy.room is not None
        assert cy.room.code == lobby
        assert cy.room.options.track == "usa"
        assert told.text == "The server has no track oval any more; the room is set to usa."
        for first, second in ((ana, ben), (dee, eve)):
            await first.ok(Act(first.id(), None, c.GiveUp()))
            await second.ok(Act(second.id(), None, c.GiveUp()))
        await ana.wait_for(LobbyView, lambda state: state.phase == "ended")
        await ana.ok(Rematch(ana.id()))
        state = await ana.wait_for(LobbyView, lambda state: state.phase == "lobby")
        assert state.options.track == "usa"
        await ben.seat(ready=True)
        await ana.start()
        for number in range(2):
            await dee.wait_for(LobbyView, lambda state: state.phase == "between")
            await eve.seat(ready=True)
            await dee.ok(Start(dee.id()))
            assert dee.season is not None
            assert dee.season.view.races[number + 1] is not None
            for player in (dee, eve):
                await player.ok(Act(player.id(), None, c.GiveUp()))
        await dee.wait_for(LobbyView, lambda state: state.phase == "ended")


DAMAGE = {
    "state": "UPDATE matches SET state = x'00' WHERE number = 1",
    "phase": "UPDATE matches SET phase = 'asleep' WHERE number = 1",
    "code": "UPDATE matches SET code = CAST(x'ff3434' AS TEXT) WHERE number = 1",
    "title": "UPDATE matches SET title = CAST(x'ff' AS TEXT) WHERE number = 1",
    "events": "UPDATE steps SET events = x'00' WHERE number = 1",
    "clocks": "UPDATE clocks SET clocks = x'c1' WHERE match = 1",
    "drivers": "UPDATE races SET drivers = x'c0' WHERE number = 1",
    "a race lost": "DELETE FROM progress WHERE race = 1",
    "a step lost": "DELETE FROM steps WHERE number = 2",
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_match_is_closed_as_faulted_and_the_others_wake(
    damage: str, store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, _ = await house.full_lobby(["ana", "ben"])
        await ana.start()
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        cy, dee = await house.full_lobby(["cy", "dee"])
        await cy.start()
    with raw(store.path) as connection:
        connection.execute(DAMAGE[damage])
    async with server_on(store) as house:
        assert len(house.server.rooms.sleeping) == 2
        cy, dee = await in_race(house, cy), await in_race(house, dee)
        await cy.ok(Act(cy.id(), 1, c.ShiftGear(2)))
        with pytest.raises(AssertionError, match="hello/unknown_token"):
            await house.player(ana.token)
        for player in (cy, dee):
            await player.hang_up()
        await trio.sleep(300)
        await in_race(house, cy)
        with raw(store.path) as connection:
            outcomes = connection.execute("SELECT outcome FROM matches ORDER BY number").fetchall()
            steps = connection.execute("SELECT count(*) FROM steps WHERE race = 1").fetchone()
        assert outcomes == [("faulted",), (None,)]
        assert steps[0] >= 1, "its record stays"


async def test_what_is_of_another_version_is_closed_as_faulted(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana = await house.player()
        await ana.create("ana")
        (room,) = house.server.rooms.values()
    kept = store.load(room.match)
    state = msgspec.msgpack.decode(kept.state)
    state["format"] = 99
    store.write([SaveRoom(kept.match, kept.code, "lobby", "", msgspec.msgpack.encode(state))])
    async with server_on(store) as house:
        with pytest.raises(AssertionError, match="hello/unknown_token"):
            await house.player(ana.token)
        assert store.find(room.match).outcome == "faulted"


async def test_a_race_that_nobody_comes_back_to_ends_as_abandoned(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        _, ben, _ = await sleeping_race(house)
        (kept,) = store.open_matches()
    async with server_on(store) as house:
        await trio.sleep(UNHURRIED.deserted_seconds + 120)
        assert not len(house.server.rooms.sleeping)
        assert not house.server.rooms
        with pytest.raises(AssertionError, match="hello/unknown_token"):
            await house.player(ben.token)
    assert store.find(kept.match).outcome == "closed"
    last = stored_log(store, kept.match)[-1]
    assert isinstance(last, e.RaceEnded)
    assert last.reason == "abandoned"


async def test_a_lobby_is_kept_over_a_restart_for_as_long_as_an_empty_one(
    store: SqliteStore, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana = await house.player()
        await ana.create("ana")
        (match,) = store.open_matches()
    async with server_on(store) as house:
        await trio.sleep(UNHURRIED.empty_lobby_seconds - 1)
        assert len(house.server.rooms.sleeping) == 1
    async with server_on(store) as house:
        await trio.sleep(UNHURRIED.empty_lobby_seconds + 61)
        assert not len(house.server.rooms.sleeping)
        assert not house.server.rooms
    assert store.find(match.match).outcome == "closed"


async def test_sleeping_rooms_count_towards_the_limits(store: SqliteStore, autojump_clock: MockClock) -> None:
    config = replace(UNHURRIED, most_sleeping_rooms=2, rooms_per_address=1)
    async with server_on(store, config) as house:
        ana, _, code = await sleeping_race(house)
        await sleeping_race(house, ("cy", "dee"))
        eve = await house.player()
        assert await eve.refused(Create(eve.id(), "eve", None, QUICK)) == "room/too_many"
        await in_race(house, ana)
        assert code in house.server.rooms
        await eve.create("eve")
