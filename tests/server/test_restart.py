"""A server that ends at any moment and is started again on the same store: nothing told is lost (NET-14)."""

from __future__ import annotations

import pytest
import trio
import trio.lowlevel
from trio.testing import MockClock

from heat_core.bot_names import bot_name
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.messages import (
    Act,
    Error,
    LobbyView,
    Pause,
    RoomOptions,
    SeasonOptions,
    SeasonUpdate,
    Start,
    Started,
    Update,
)
from heat_server.store.contract import Store
from tests.server.restarts import in_race
from tests.server.support import QUICK, Player, server_on

pytestmark = pytest.mark.trio


async def test_a_race_goes_on_where_it_was(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing()
        async with trio.open_nursery() as playing:
            playing.start_soon(ana.race)
            playing.start_soon(ben.race)
            while ana.view.round < 3 or ana.view.turn is None:
                await trio.lowlevel.checkpoint()
            playing.cancel_scope.cancel()
        code = ana.room.code if ana.room else ""
        before = ana.update
    async with server_on(store) as house:
        assert code in house.server.rooms.sleeping
        ana, ben = await in_race(house, ana), await in_race(house, ben)
        assert ana.room is not None
        assert ana.room.code == code
        assert before is not None
        assert ana.update is not None
        assert ana.update.number >= before.number
        async with trio.open_nursery() as playing:
            playing.start_soon(ana.race)
            playing.start_soon(ben.race)
        assert ana.view.standings == ben.view.standings
        assert isinstance(ana.update.events[-1], e.RaceEnded)


async def test_an_open_decision_is_the_same_and_has_its_time(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"])
        await ana.start()
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.wait_for(Update, lambda update: update.decisions[0].has_chosen)
        own = ben.view.own
        await trio.sleep(50)
    async with server_on(store) as house:
        ben = await in_race(house, ben)
        assert ben.view.own == own
        left = {decision.seat: decision.milliseconds_left for decision in ben.update.decisions}  # type: ignore[union-attr]
        assert left[0] is None
        assert left[1] == 20_000, "ten seconds were left; everybody gets the grace time"
        assert ben.update is not None
        assert ben.update.away == (0,)


async def test_a_lobby_comes_back_with_who_is_in_it(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], RoomOptions(track="italy", laps=3))
        await ana.bot(2, "steady")
        before = ana.room
        code = ana.room.code if ana.room else ""
    async with server_on(store) as house:
        cy = await house.player()
        assert await cy.join(code.lower(), "cy") == 3
        ana, ben = await house.back(ana), await house.back(ben)
        await ana.ping()
        assert ana.room is not None
        assert before is not None
        assert ana.room.options == before.options
        assert [place.name for place in ana.room.places[:4]] == [
            "ana",
            "ben",
            bot_name("steady", 2, code, ()),
            "cy",
        ]
        assert ana.room.host == 0
        await ana.start()
        assert len(ana.view.cars) == 4


@pytest.mark.spec("CHAMP-6")
@pytest.mark.parametrize("moment", ["between", "within"])
async def test_a_season_survives_a_restart_and_a_break_of_days(
    moment: str, store: Store, autojump_clock: MockClock
) -> None:
    options = RoomOptions(
        laps=1, cars=2, season=SeasonOptions(None, ("usa", "italy", "gb"), sponsorships=True)
    )
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], options)
        await race_once(ana, ben)
        if moment == "within":
            await ana.ok(Start(ana.id())) if await start_refused(ana) else None
            await ana.wait_for(Started)
        standings = ana.season.view.standings if ana.season else ()
        assert standings
        await ana.hang_up()
        await ben.hang_up()
        await trio.sleep(3 * 86_400 if moment == "between" else 600)
        assert len(house.server.rooms) == 0, "it sleeps"
    for _ in range(2):  # races to go
        async with server_on(store) as house:
            ana, ben = await house.back(ana), await house.back(ben)
            if ana.season is None:
                await ana.wait_for(SeasonUpdate)
            assert ana.season is not None
            assert ana.season.view.standings
            await race_once(ana, ben)
    assert ana.season.view.end == "finished"  # type: ignore[union-attr]
    points = [standing.points for standing in ana.season.view.standings]  # type: ignore[union-attr]
    assert sum(points) == 3 * (4 + 2)


async def start_refused(player: Player) -> bool:
    return isinstance(await player.answer(Start(player.id())), Error)


async def race_once(ana: Player, ben: Player) -> None:
    """Start the next race if none runs, and drive it to its end."""
    if ana.room is not None and ana.room.phase != "racing" and await start_refused(ana):
        await ana.ok(Start(ana.id()))
    async with trio.open_nursery() as playing:
        for player in (ana, ben):
            player.update = None
            playing.start_soon(player.race)
    for player in (ana, ben):
        await player.wait_for(LobbyView, lambda state: state.phase in ("between", "ended"))


async def test_a_paused_race_is_taken_up_next_week(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], QUICK)
        await ana.start()
        await ana.ok(Pause(ana.id(), True))
        await ben.ok(Pause(ben.id(), True))
        await ana.wait_for(Update, lambda update: update.standstill == "paused")
        assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(2))) == "act/paused"
        await ana.hang_up()
        await ben.hang_up()
        await trio.sleep(7 * 86_400)
        assert not house.server.rooms
        ana, ben = await in_race(house, ana), await in_race(house, ben)
        assert ana.update is not None
        assert ana.update.standstill == "paused"
        await ana.ok(Pause(ana.id(), False))
        await ben.ok(Pause(ben.id(), False))
        await ana.wait_for(Update, lambda update: update.standstill is None)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
