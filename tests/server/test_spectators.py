"""Who looks on: in every phase, with the public view, by token and over restarts (NET-15)."""

from __future__ import annotations

import msgspec
import pytest
import trio
from trio.testing import MockClock

from heat_core.bot_names import bot_name
from heat_core.names import MOST_NAME_CELLS
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.codec import HEADER_BYTES, decode_server_message, encode_server_message
from heat_core.wire.messages import (
    MOST_WATCHERS,
    Act,
    Configure,
    Join,
    LobbyView,
    Pause,
    RoomOptions,
    SeasonOptions,
    SeasonUpdate,
    Start,
    TakeSeat,
    Update,
    Watch,
)
from heat_server.config import ServerConfig
from heat_server.store.contract import Store
from tests.server.support import QUICK, House, Player, server_on

pytestmark = pytest.mark.trio

SEASON = RoomOptions(laps=1, cars=2, season=SeasonOptions(None, ("usa", "italy", "gb")))


async def looking_on(house: House, player: Player, name: str = "wim") -> Player:
    watcher = await house.player()
    await watcher.watch(player.code, name)
    return watcher


def room_of(player: Player) -> LobbyView:
    assert player.room is not None
    return player.room


async def race(*players: Player) -> None:
    """Drive the race that has begun to its end, and read what the room is then."""
    async with trio.open_nursery() as playing:
        for player in players:
            playing.start_soon(player.race)
    for player in players:
        await player.wait_for(LobbyView, lambda state: state.phase in ("between", "ended"))


@pytest.mark.spec("NET-15")
async def test_a_spectator_sees_the_public_view_in_every_phase(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"], SEASON)
    early = await looking_on(house, ana)
    assert (room_of(early).phase, room_of(early).place) == ("lobby", None)
    state = await ben.wait_for(LobbyView, lambda state: state.watchers == ("wim",))
    assert [place.name for place in state.places] == ["ana", "ben"], "no place is taken"
    await ana.start()
    late = await looking_on(house, ana, "lea")
    for watcher in (early, late):
        update = await watcher.wait_for(Update)
        assert watcher.started is not None
        assert (watcher.started.seat, watcher.started.setup.seed, update.view.own) == (None, None, None)
        assert update.number == len(update.events), "from the first event on"
    await race(ana, ben, early, late)
    await ana.ping()
    for watcher in (early, late):
        assert watcher.season is not None
        assert room_of(watcher).phase == "between"
        assert watcher.season.view.standings
        assert watcher.season.view.sponsorships == ()
        numbers = [event.number for event in watcher.updates if event.view.own is not None]
        assert numbers == []
        told = [event for update in watcher.updates for event in update.events]
        assert not [event for event in told if isinstance(event, e.CardsDrawn) and event.cards is not None]
        assert [event.decision for event in told if isinstance(event, e.ChoiceMade)]
    of_the_break = await looking_on(house, ana, "kai")
    await of_the_break.wait_for(SeasonUpdate)
    assert room_of(of_the_break).phase == "between"
    for _ in range(2):
        await ben.seat(ready=True)
        await ana.start()
        await race(ana, ben, early)
    after = await looking_on(house, ana, "jo")
    assert (await after.wait_for(Update)).view.status == "ended"
    assert room_of(after).phase == "ended"


async def test_a_spectator_decides_nothing(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    watcher = await looking_on(house, ana)
    assert await watcher.refused(TakeSeat(watcher.id(), ready=True)) == "act/only_watching"
    assert await watcher.refused(Start(watcher.id())) == "room/not_host"
    assert await watcher.refused(Configure(watcher.id(), QUICK)) == "room/not_host"
    await ana.start()
    for command in (c.ShiftGear(2), c.GiveUp()):
        assert await watcher.refused(Act(watcher.id(), 1, command)) == "act/only_watching"
    assert await watcher.refused(Pause(watcher.id(), True)) == "act/only_watching"
    await ana.ok(Pause(ana.id(), True))
    await ben.ok(Pause(ben.id(), True))
    await ana.wait_for(Update, lambda update: update.standstill == "paused")


async def test_from_looking_on_to_driving_and_back(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana = await house.player()
    code = await ana.create()
    ben = await looking_on(house, ana, "ben")
    assert await ben.refused(Join(ben.id(), code, "ben")) == "room/already_in_one"
    await ben.leave()
    assert await ben.join(code, "ben") == 1
    state = await ana.wait_for(LobbyView, lambda state: state.places[1].name == "ben")
    assert state.watchers == ()
    await ben.leave()
    await ben.watch(code, "ben")
    assert room_of(ben).places[1].kind is None
    await ana.bot(1, "steady")
    await ana.start()
    await ben.leave()
    assert await ben.refused(Join(ben.id(), code, "ben")) == "room/begun"
    await ben.watch(code, "ben")


async def test_names_are_one_list_of_drivers_bots_and_spectators(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player()
    code = await ana.create("ana", RoomOptions(laps=1, cars=4, legends=1))
    other = await house.player()
    assert await other.refused(Watch(other.id(), code, "Ana")) == "seat/name_taken"
    assert await other.refused(Watch(other.id(), code, "\u202e")) == "seat/bad_name"
    bot = bot_name("steady", 1, code, ())
    await other.watch(code, bot)
    await (await house.player()).watch(code, "Legend 1")
    third = await house.player()
    assert await third.refused(Join(third.id(), code, bot.upper())) == "seat/name_taken"
    assert await ana.refused(TakeSeat(ana.id(), "LEGEND 1")) == "seat/name_taken"
    await ana.bot(1, "steady")
    await ana.bot(2, "legend:hard")
    second_bot = bot_name("steady", 1, code, [bot])
    assert second_bot != bot
    state = await ana.wait_for(LobbyView, lambda state: state.places[2].kind is not None)
    assert [place.name for place in state.places] == ["ana", second_bot, "Legend 2", ""]
    await ana.start()
    assert ana.started is not None
    assert [car.name for car in ana.started.setup.cars] == ["ana", second_bot, "Legend 2", "Legend 3"]


async def test_so_many_may_look_on(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(most_watchers=2))
    ana = await house.player()
    code = await ana.create()
    first = await looking_on(house, ana, "w1")
    await looking_on(house, ana, "w2")
    third = await house.player()
    assert await third.refused(Watch(third.id(), code, "w3")) == "room/full"
    assert await third.join(code, "w3") == 1, "driving is another matter"
    await first.leave()
    await first.watch(code, "w1")


async def test_no_more_may_look_on_than_clients_accept(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(nursery, ServerConfig(most_watchers=100_000))
    ana = await house.player()
    code = await ana.create()
    names = tuple(f"{number:0>{MOST_NAME_CELLS}}" for number in range(MOST_WATCHERS))
    full = msgspec.structs.replace(room_of(ana), watchers=names)
    assert decode_server_message(encode_server_message(full)[HEADER_BYTES:]) == full
    monkeypatch.setattr("heat_server.room.state.MOST_WATCHERS", 1)
    await looking_on(house, ana)
    last = await house.player()
    assert await last.refused(Watch(last.id(), code, "wanda")) == "room/full"


async def test_a_dropped_spectator_comes_back_by_token_within_the_grace_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    watcher = await looking_on(house, ana)
    await ana.start()
    await watcher.wait_for(Update)
    await watcher.hang_up()
    await trio.sleep(19)
    again = await house.back(watcher)
    assert (await again.wait_for(Update)).view.own is None
    await again.hang_up()
    await ben.wait_for(LobbyView, lambda state: state.phase == "racing" and state.watchers == ("wim",))
    await ben.wait_for(LobbyView, lambda state: not state.watchers)
    assert trio.current_time() == pytest.approx(39, abs=0.1)
    assert house.server.clients.find(watcher.token) is None, "nobody comes back to what is forgotten"


async def test_spectators_do_not_keep_a_lobby_but_a_race(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(empty_lobby_seconds=100, deserted_seconds=1000, sleep_seconds=50))
    ana, ben = await house.full_lobby(["ana", "ben"])
    watcher = await looking_on(house, ana)
    await ana.start()
    await ana.leave()
    await ben.leave()
    update = await watcher.wait_for(Update, lambda update: update.standstill is not None)
    assert (update.standstill, update.away) == ("nobody", (0, 1))
    await trio.sleep(1500)
    before = watcher.view
    await ana.join(watcher.code, "ana")
    await watcher.wait_for(Update, lambda update: update.standstill is None)
    assert watcher.view == before, "it stood still"
    cy = await house.player()
    code = await cy.create("cy")
    alone = await looking_on(house, cy)
    await cy.leave()
    assert code not in [room.code for room in (await cy.rooms()).rooms]
    await trio.sleep(99)
    assert code in house.server.rooms
    await cy.join(code, "cy")
    state = await alone.wait_for(LobbyView, lambda state: state.places[0].name == "cy")
    assert state.host == 0
    await cy.leave()
    await trio.sleep(101)
    assert code not in house.server.rooms
    await alone.ping()
    assert [error.code for error in alone.unasked] == ["room/closed"]


@pytest.mark.parametrize("phase", ["lobby", "racing", "between", "ended"])
async def test_spectators_come_back_after_a_restart(
    phase: str, store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], SEASON if phase == "between" else QUICK)
        watcher = await looking_on(house, ana)
        if phase != "lobby":
            await ana.start()
        if phase in ("between", "ended"):
            await race(ana, ben)
            await watcher.wait_for(LobbyView, lambda state: state.phase == phase)
        code, before = ana.code, ana.update
    async with server_on(store) as house:
        again = await house.back(watcher)
        assert (again.code, room_of(again).phase, room_of(again).place) == (code, phase, None)
        if phase != "lobby":
            update = await again.wait_for(Update)
            assert before is not None
            assert update.number >= before.number
            assert update.view.own is None
            assert again.started is not None
            assert again.started.seat is None
        await again.say("still here")
        lea = await house.player()
        await lea.watch(code, "lea")
        await house.back(ana)
        assert room_of(lea).watchers == ("wim", "lea")
