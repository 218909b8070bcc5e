"""Going away and coming back: who drives meanwhile, what one hears of it, and who is host."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.view.defaults import default_command
from heat_core.wire.messages import (
    Act,
    AwayDriver,
    Join,
    LobbyView,
    Meanwhile,
    PlaceBot,
    RoomOptions,
    Said,
    Say,
    SeasonOptions,
    Start,
    Update,
    Watch,
)
from tests.server.support import UNHURRIED, House, Player

pytestmark = pytest.mark.trio

AWAY = RoomOptions(laps=1, cars=2, turn_milliseconds=60_000, grace_milliseconds=5_000)


async def play_until_round(player: Player, number: int) -> None:
    """Play on by defaults until a round begins."""
    answered = -1
    while player.update is None or player.view.round < number:
        if player.update is not None:
            act = player.next_act()
            if act is not None and act.decision is not None and act.decision > answered:
                answered = act.decision
                await player.send(act)
        await player.receive()


@pytest.mark.spec("NET-9")
async def test_who_comes_back_gets_the_state_and_hears_what_happened(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.racing(AWAY)
    await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))
    await ben.hang_up()
    await ana.ok(Say(ana.id(), "where is ben?"))
    await play_until_round(ana, 3)
    ben = await house.player(ben.token)
    told = await ben.wait_for(Meanwhile)
    assert told.sentences[0] == "Two rounds went by; it is round 3 now."
    assert told.sentences[1].startswith("Your car ")
    assert len(told.sentences) <= 3
    lines = [await ben.wait_for(Said) for _ in range(2)]
    assert [line.text for line in lines] == ["ben has joined.", "where is ben?"]
    await ben.wait_for(Update)
    await ana.wait_for(Update, lambda update: update.away == ())
    assert ben.view.cars == ana.view.cars
    assert ben.view.own is not None
    assert ben.view.own.seat == 1
    stranger = house.connect()
    with pytest.raises(AssertionError, match="hello/unknown_token"):
        await stranger.hello(ben.token[:-1] + ("A" if ben.token[-1] != "A" else "B"))
    assert len(ben.token) >= 43, "256 bits cannot be guessed"


async def test_who_comes_back_is_not_told_again_what_they_saw_before_they_hung_up(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"], AWAY)
    await ana.start()
    await play_until_round(ana, 3)  # time runs out for ben, who looks on
    while ben.update is None or ben.view.round < 3:
        await ben.receive()
    await ben.hang_up()
    await play_until_round(ana, 4)
    ben = await house.player(ben.token)
    told = await ben.wait_for(Meanwhile)
    assert told.sentences[0] == "A round went by; it is round 4 now."


async def test_a_spectator_hears_what_happened_since_but_not_when_new(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.racing(AWAY)
    await ben.hang_up()
    await play_until_round(ana, 3)
    cy = await house.player()
    await cy.send(Watch(cy.id(), ana.room.code if ana.room else "", "cy"))
    while not isinstance(message := await cy.receive(), Update):
        assert not isinstance(message, Meanwhile)
    await cy.hang_up()
    await play_until_round(ana, 4)
    cy = await house.player(cy.token)
    told = await cy.wait_for(Meanwhile)
    assert told.sentences[0] == "A round went by; it is round 4 now."


@pytest.mark.parametrize("driver", ["defaults", "steady"])
async def test_the_room_says_who_drives_for_who_is_away_and_the_seat_is_taken_back(
    driver: AwayDriver, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.racing(replace_driver(driver))
    await ben.hang_up()
    began = trio.current_time()
    shifts = 0
    while shifts < 12 and (ana.update is None or ana.view.status == "running"):
        await play_until_round(ana, ana.view.round + 1)
        shifts += 1
        if shifts == 1:
            assert trio.current_time() - began == 5, "the grace time that the room has set"
    assert trio.current_time() - began == 5, "from then on nobody waits"
    (room,) = house.server.rooms.values()
    assert room.state.race is not None
    choices = [
        event for event in room.state.race.table.log if isinstance(event, e.ChoiceMade) and event.seat == 1
    ]
    commands = [choice.command for choice in choices]
    # By defaults the gear stays the first one; the steady bot shifts up.
    assert any(command in (c.ShiftGear(3), c.ShiftGear(4)) for command in commands) is (driver == "steady")
    ben = await house.player(ben.token)
    await ben.wait_for(Update)
    own = ben.view.own
    assert own is not None
    assert own.decision is not None
    await trio.sleep(50)
    await ben.ok(Act(ben.id(), own.decision, default_command(ben.observation)))


def replace_driver(driver: AwayDriver) -> RoomOptions:
    return RoomOptions(
        track="usa", laps=3, cars=2, turn_milliseconds=60_000, grace_milliseconds=5_000, away_driver=driver
    )


async def test_a_host_whose_line_drops_in_the_race_hands_the_room_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.racing(AWAY)
    await ana.hang_up()
    began = trio.current_time()
    await ben.wait_for(LobbyView, lambda state: not state.places[0].is_connected)
    await ben.wait_for(LobbyView, lambda state: state.host == 1)
    assert trio.current_time() - began == 5
    ana = await house.back(ana)
    assert ana.room is not None
    assert ana.room.host == 1, "and does not take it back"


async def test_in_a_break_of_a_championship_whoever_is_there_can_go_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    options = RoomOptions(laps=1, cars=3, season=SeasonOptions(None, ("usa", "italy", "gb")))
    house = House(nursery)
    ana, ben, cy = await house.full_lobby(["ana", "ben", "cy"], options)
    await ana.start()
    for player in (ana, ben, cy):
        await player.ok(Act(player.id(), None, c.GiveUp()))
    await cy.wait_for(LobbyView, lambda state: state.phase == "between")
    for player in (ana, ben, cy):
        await player.hang_up()
    await trio.sleep(3 * 86_400)
    cy = await house.back(cy)
    await cy.wait_for(LobbyView, lambda state: state.host == 2)
    await cy.ok(PlaceBot(cy.id(), 0, "steady"))
    await cy.refused(Start(cy.id()))
    await cy.ok(Start(cy.id()))
    await cy.wait_for(Update, lambda update: update.view.status == "running")
    ben = await house.back(ben)
    assert ben.room is not None
    assert ben.room.phase == "racing"


async def test_all_leave_and_come_back_within_the_time_and_not_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, replace(UNHURRIED, deserted_seconds=1000))
    ana, ben = await house.racing()
    code = ana.room.code if ana.room else ""
    for player in (ana, ben):
        await player.leave()
    await trio.sleep(999)
    await ben.ok(Join(ben.id(), code, "ben"))
    await ben.wait_for(LobbyView, lambda state: state.host == 1)
    await ben.leave()
    await trio.sleep(1001)
    assert await ben.refused(Join(ben.id(), code, "ben")) == "room/unknown"
    assert not house.server.rooms
