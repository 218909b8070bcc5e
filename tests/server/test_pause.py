"""A race that stands still because all agree: who counts, and that no time passes (OPS-1, NET-17)."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act, Kick, LobbyView, Pause, RoomOptions, SeasonOptions, Update
from heat_server.store.contract import Store
from tests.server.support import QUICK, House, Player, server_on
from tests.server.test_spectators import race, room_of

pytestmark = pytest.mark.trio


async def racing(house: House, *names: str, options: RoomOptions = QUICK) -> list[Player]:
    players = await house.full_lobby(list(names), options)
    await players[0].start()
    for player in players:
        await player.look()
    return players


async def wish(player: Player, *, pause: bool) -> None:
    await player.ok(Pause(player.id(), pause))


async def is_paused(player: Player) -> bool:
    """Ask how things stand."""
    return (await player.look()).standstill == "paused"


async def paused(house: House, *names: str) -> list[Player]:
    players = await racing(house, *names)
    for player in players:
        await wish(player, pause=True)
    assert await is_paused(players[0])
    return players


def left(player: Player) -> list[int | None]:
    """Give what is left of the open decisions, by seat."""
    assert player.update is not None
    return [decision.milliseconds_left for decision in player.update.decisions]


async def test_it_begins_with_the_last_who_agrees_and_ends_in_the_same_way(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben, cy = await racing(House(nursery), "ana", "ben", "cy")
    for player in (ana, ben):
        await wish(player, pause=True)
        assert not await is_paused(cy)
    assert [place.wants_pause for place in room_of(cy).places[:3]] == [True, True, False]
    await wish(ben, pause=False)
    await wish(cy, pause=True)
    assert not await is_paused(cy)
    await wish(ben, pause=True)
    state = await cy.wait_for(LobbyView, lambda state: state.is_paused)
    assert all(place.wants_pause for place in state.places[:3])
    for player in (ana, ben):
        await wish(player, pause=False)
        assert await is_paused(cy)
    await wish(cy, pause=False)
    assert not await is_paused(ana)
    assert not any(place.wants_pause for place in room_of(ana).places)
    assert ana.news[-2:] == ["cy voted to resume.", "The race continues."]


async def test_time_stands_still_to_the_millisecond(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben = await racing(House(nursery), "ana", "ben")
    await trio.sleep(12.345)
    await wish(ana, pause=True)
    await trio.sleep(2)
    await wish(ben, pause=True)
    await ana.look()
    before = ana.view
    assert left(ana) == [None, None]
    await trio.sleep(80_000)
    await ana.look()
    assert ana.view == before
    await wish(ana, pause=False)
    await trio.sleep(50)
    await wish(ben, pause=False)
    await ana.look()
    assert left(ana) == [60_000 - 14_345] * 2
    began = trio.current_time()
    await ana.wait_for(Update, lambda update: update.view.phase != before.phase)
    assert trio.current_time() - began == pytest.approx(60 - 14.345)


async def test_bots_stand_still_with_the_last_wish(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    """Not a step after it, though bots owe some."""
    house = House(nursery)
    ana = await house.player()
    await ana.create("ana", RoomOptions(laps=1, cars=6))
    for place in range(1, 6):
        await ana.bot(place, "steady")
    await ana.start()
    act = ana.next_act()
    assert act is not None
    ask = Pause(ana.id(), True)
    await ana.send(act)
    await ana.ok(ask)
    number = (await ana.look()).number
    await trio.sleep(1000)
    assert (await ana.look()).number == number


@pytest.mark.spec("NET-17")
async def test_a_paused_race_and_an_ended_one_refuse_every_command_with_that_code(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    season = RoomOptions(laps=1, cars=2, season=SeasonOptions(None, ("usa", "italy", "gb")))
    commands: list[c.Command] = [
        c.ShiftGear(2),
        c.PlayCards(("1",)),
        c.EndReact(),
        c.Slipstream(0),
        c.Discard(()),
        c.GiveUp(),
    ]
    for options in (QUICK, season):
        ana, ben = await racing(House(nursery), "ana", "ben", options=options)
        own = ana.view.own
        assert own is not None
        for player in (ana, ben):
            await wish(player, pause=True)
        before = await ana.look()
        for command in commands:
            for decision in (own.decision, None, 10**6):
                assert await ana.refused(Act(ana.id(), decision, command)) == "act/paused"
        assert (await ana.look()).view == before.view
        for player in (ana, ben):
            await wish(player, pause=False)
        await race(ana, ben)
        for command in commands:
            for decision in (own.decision, None, 10**6):
                assert await ana.refused(Act(ana.id(), decision, command)) == "act/race_ended"


async def test_a_dropped_line_begins_no_pause(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await racing(house, "ana", "ben")
    await wish(ana, pause=True)
    await ben.hang_up()
    await ana.wait_for(LobbyView, lambda state: not state.places[1].is_connected)
    assert not await is_paused(ana)
    ben = await house.back(ben)
    await ana.wait_for(LobbyView, lambda state: state.places[1].is_connected)
    assert not await is_paused(ana)
    await ben.hang_up()
    await ana.wait_for(LobbyView, lambda state: not state.places[1].is_connected)
    await wish(ana, pause=True)
    assert await is_paused(ana), "asked again, those who are there agree"
    ben = await house.back(ben)
    assert room_of(ben).places[1].wants_pause, "and who was not is asked before it ends"
    await wish(ben, pause=False)
    assert await is_paused(ben)
    await wish(ana, pause=False)
    assert not await is_paused(ben)


@pytest.mark.parametrize("is_put_out", [False, True])
async def test_leaving_counts_as_agreeing(
    is_put_out: bool, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben, cy = await racing(House(nursery), "ana", "ben", "cy")

    async def go(player: Player, name: str) -> None:
        if is_put_out:
            await ana.ok(Kick(ana.id(), name))
        else:
            await player.leave()

    await wish(ana, pause=True)
    await wish(ben, pause=True)
    await go(cy, "cy")
    assert await is_paused(ana)
    await cy.join(ana.code, "cy")
    await wish(ana, pause=False)
    await wish(cy, pause=False)
    assert await is_paused(ana)
    await go(ben, "ben")
    assert not await is_paused(ana)
    await ana.ok(Act(ana.id(), 1, c.ShiftGear(1)))


async def test_who_comes_back_alone_does_not_end_it_unasked(store: Store, autojump_clock: MockClock) -> None:
    async with server_on(store) as house:
        ana, ben, cy = await racing(house, "ana", "ben", "cy")
        await cy.hang_up()
        await ana.wait_for(LobbyView, lambda state: not state.places[2].is_connected)
        await wish(ana, pause=True)
        await wish(ben, pause=True)
        assert await is_paused(ana)
        before = ana.view
        await ana.hang_up()
        await ben.hang_up()
        await trio.sleep(86_400)
        assert not house.server.rooms
    async with server_on(store) as house:
        cy = await house.back(cy)
        assert await is_paused(cy)
        await trio.sleep(1000)
        ana = await house.back(ana)
        assert await is_paused(ana)
        assert ana.view == before
        assert await cy.refused(Act(cy.id(), 1, c.ShiftGear(1))) == "act/paused"
        await wish(cy, pause=False)
        await wish(ana, pause=False)
        assert not await is_paused(cy)


async def test_wishes_are_no_way_to_flood_the_others(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await racing(House(nursery), "ana", "ben")
    for _ in range(50):
        for wanted in (True, False):
            await ana.answer(Pause(ana.id(), wanted))
    await ben.ping()
    assert len([text for text in ben.news if text.startswith("ana voted")]) == 5


async def test_there_is_nothing_to_pause_without_a_race(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    assert await ana.refused(Pause(ana.id(), True)) == "act/not_begun"
    await ana.start()
    await race(ana, ben)
    assert await ana.refused(Pause(ana.id(), True)) == "act/not_begun"
