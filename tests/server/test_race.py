"""Whole races through the server, in memory and on the virtual clock."""

from __future__ import annotations

import msgspec
import pytest
import trio
from trio.testing import MockClock

from heat_core.decisions import sample_command
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.rng import Stream
from heat_core.view.observation import Observation
from heat_core.wire.messages import Act, LobbyView, Ok, RoomOptions, Start, Update
from tests.server.support import QUICK, House, Player, Policy

pytestmark = pytest.mark.trio


def sampler(number: int) -> Policy:
    """Choose at random among what the view offers."""
    stream = Stream(f"player {number}")

    def policy(observation: Observation) -> c.Command:
        assert observation.own.choice is not None
        return sample_command(observation.own.choice, stream)

    return policy


async def race_all(players: list[Player]) -> None:
    with trio.fail_after(1_000_000):
        async with trio.open_nursery() as nursery:
            for number, player in enumerate(players):
                nursery.start_soon(player.race, sampler(number))


def event_numbers(update: Update) -> range:
    return range(update.number - len(update.events) + 1, update.number + 1)


async def test_every_client_gets_every_event_once_and_the_view_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    players = await House(nursery).full_lobby(["ana", "ben", "cy"], RoomOptions(laps=1, cars=4, legends=1))
    await players[0].start()
    await race_all(players)
    assert len({player.view.standings for player in players}) == 1
    for player in players:
        await player.wait_for(LobbyView, lambda state: state.phase == "ended")
        numbers = [number for update in player.updates for number in event_numbers(update)]
        assert numbers == list(range(1, player.view.event_number + 1))
        assert all(update.number == update.view.event_number for update in player.updates)
        assert player.view.end == "finished"


async def test_bots_of_all_kinds_drive(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    player = await House(nursery).player()
    await player.create("ana", RoomOptions(laps=1, cars=6))
    for place, kind in enumerate(
        ["steady", "random", "legend:easy", "legend:medium", "legend:hard"], start=1
    ):
        await player.bot(place, kind)
    await player.start()
    await player.race()
    assert len(player.view.standings) == 6
    assert [car.is_legend for car in player.view.cars] == [False, False, False, True, True, True]


async def test_a_room_with_garage_and_weather_races_to_the_end_and_plays_for_who_is_away(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    options = RoomOptions(track="italy", laps=1, cars=5, garage="mixed", expansion=True, weather=True)
    ana, ben = await House(nursery).full_lobby(["ana", "ben"], options)
    await ana.bot(2, "steady")
    await ana.bot(3, "random")
    await ana.bot(4, "legend:hard")
    await ana.start()
    await ana.wait_for(Update)
    assert ana.started is not None
    modules = ana.started.setup.modules
    assert (modules.garage, modules.expansion, modules.weather) == ("mixed", True, True)
    assert (modules.sponsorships, modules.event) == (False, None)
    await ben.hang_up()
    await ana.race(sampler(0))
    view = ana.view
    assert view.end == "finished"
    assert [len(car.upgrades) for car in view.cars] == [3, 3, 3, 3, 0]
    assert view.weather is not None
    picks = [event for update in ana.updates for event in update.events if isinstance(event, e.UpgradePicked)]
    assert len(picks) == 12


async def test_only_the_own_open_decision_can_be_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).racing()
    act = ana.next_act()
    assert act is not None
    before = ana.view.event_number
    stolen = msgspec.structs.replace(act, id=ben.id())
    assert await ben.refused(stolen) == "act/late"
    assert await ana.refused(Act(ana.id(), 10**6, c.ShiftGear(1))) == "act/late"
    assert await ana.refused(Act(ana.id(), None, c.ShiftGear(1))) == "act/late"
    assert await ana.refused(Act(ana.id(), act.decision, c.ShiftGear(4))) == "act/gear_out_of_reach"
    assert (
        await ana.refused(Act(ana.id(), act.decision, c.PlayCards(("4", "4", "4")))) == "act/other_decision"
    )
    assert (await ana.look()).number == before


async def test_a_resent_act_is_answered_the_same_and_done_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, _ = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    act = ana.next_act()
    assert act is not None
    await ana.ok(act)
    number = (await ana.wait_for(Update)).number
    assert isinstance(await ana.answer(msgspec.structs.replace(act, id=ana.id())), Ok)
    assert (await ana.look()).number == number


async def test_giving_up_needs_no_decision(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    await ben.ok(Act(ben.id(), None, c.GiveUp()))
    await ana.wait_for(Update, lambda update: update.view.cars[1].status == "gave_up")
    await ana.race()
    assert ana.view.standings[0].car == 0


async def test_every_command_after_the_end_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    await race_all([ana, ben])
    assert await ana.refused(Act(ana.id(), None, c.GiveUp())) == "act/race_ended"
    assert await ana.refused(Start(ana.id())) == "room/begun"


async def test_who_sees_everything_again_gets_the_same(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, _ = await House(nursery).full_lobby(["ana", "ben"], QUICK)
    await ana.start()
    first = ana.updates[0]
    again = await ana.look(0)
    assert again.view == first.view
    assert again.events == first.events
    assert (await ana.look(10**6)).events == ()
