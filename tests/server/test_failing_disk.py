"""A disk that fails: nobody hears of what is undone, everybody gets an answer, and the others play on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.wire.messages import (
    Act,
    Create,
    Error,
    ErrorData,
    Join,
    Kick,
    Leave,
    LobbyView,
    Ok,
    Ping,
    Pong,
    Rematch,
    RoomOptions,
    Said,
    Say,
    SeasonOptions,
    ServerMessage,
    Start,
    Started,
    TakeSeat,
    Update,
    Watch,
)
from heat_server.store.contract import Store
from heat_server.store.errors import BadWrites
from tests.server.restarts import FailingDisk, in_race, stored_log
from tests.server.support import House, HungUp, Player, server_on

pytestmark = pytest.mark.trio

FOREVER = float("inf")


async def heard(player: Player) -> list[ServerMessage]:
    """Read all that a player has been sent by now, with a ping behind it as the last."""
    await trio.testing.wait_all_tasks_blocked()
    got: list[ServerMessage] = []
    ping = Ping(player.id())
    await player.send(ping)
    while True:
        message = await player.receive()
        if isinstance(message, Pong) and message.re == ping.id:
            return got
        got.append(message)


def answers(messages: list[ServerMessage]) -> list[Ok | Error]:
    return [message for message in messages if isinstance(message, (Ok, Error)) and message.re is not None]


def match_of(house: House) -> str:
    (room,) = house.server.rooms.values()
    return room.match


async def test_an_act_that_is_not_saved_is_refused_and_nobody_else_hears_of_it(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        before = ana.view
        stored = stored_log(store, match_of(house))
        for player in (ana, ben):
            await heard(player)
        disk.commits_to_fail = 1
        act = Act(ana.id(), 1, c.ShiftGear(2))
        assert await ana.refused(act) == "server/not_saved"
        for player in (ana, ben):
            again = await heard(player)
            kinds = [type(message) for message in again if not isinstance(message, LobbyView)]
            assert kinds == [Started, Update], "all anew, and nothing else"
            assert player.view.cars == before.cars
            assert not any(decision.has_chosen for decision in player.update.decisions)  # type: ignore[union-attr]
        assert stored_log(store, match_of(house)) == stored
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.wait_for(Update, lambda update: update.decisions[0].has_chosen)
        choices = [event for event in stored_log(store, match_of(house)) if isinstance(event, e.ChoiceMade)]
        assert [choice.seat for choice in choices] == [0]


async def test_each_request_of_a_batch_gets_exactly_one_answer(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        cy, dee, eve = [await house.player() for _ in range(3)]
        code = ana.room.code if ana.room else ""
        await eve.ok(Watch(eve.id(), code, "eve"))
        for player in (ana, ben):
            await heard(player)
        disk.gate = trio.Event()
        await eve.send(Say(eve.id(), "this is kept"))
        await trio.testing.wait_all_tasks_blocked()
        disk.commits_to_fail = 1
        await dee.send(Watch(dee.id(), code, "dee"))
        await ana.send(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.send(Say(ben.id(), "hello"))
        await cy.send(Join(cy.id(), code, "cy"))
        await trio.testing.wait_all_tasks_blocked()
        disk.gate.set()
        for player in (ana, ben, cy, dee):
            (answer,) = answers(got := await heard(player))
            assert isinstance(answer, Error)
            assert answer.code == "server/not_saved"
            lines = [message.text for message in got if isinstance(message, Said)]
            assert lines == (["this is kept"] if player in (ana, ben) else [])
            assert not player.unasked
        assert disk.commits_to_fail == 0
        assert await cy.refused(Join(cy.id(), code, "cy")) == "room/begun"


@pytest.mark.parametrize("fault", ["disk", "ours"])
async def test_a_room_whose_first_write_fails_was_never_there(
    fault: str, store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana = await house.player()
        disk.commits_to_fail = 1
        if fault == "ours":
            disk.fault = BadWrites("no such match")
        refused = await ana.refused(Create(ana.id(), "ana"))
        assert refused == ("server/not_saved" if fault == "disk" else "room/crashed")
        assert await heard(ana) == []
        assert store.list_matches(10) == []
        assert not house.server.rooms
        code = await ana.create("ana")
        assert [match.code for match in store.list_matches(10)] == [code]


@pytest.mark.parametrize("request_kind", ["create", "join", "leave", "seat", "say"])
async def test_what_a_lobby_could_not_save_can_be_asked_again(
    request_kind: str, store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.player(), await house.player()
        code = ""
        if request_kind != "create":
            code = await ana.create("ana")
        if request_kind in ("leave", "seat", "say"):
            await ben.join(code, "ben")
        who: Player = ana if request_kind in ("create", "say") else ben
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "create": lambda: who.answer(Create(who.id(), "ana")),
            "join": lambda: who.answer(Join(who.id(), code, "ben")),
            "leave": lambda: who.answer(Leave(who.id())),
            "seat": lambda: who.answer(TakeSeat(who.id(), name="benno", ready=True)),
            "say": lambda: who.answer(Say(who.id(), "hello")),
        }
        await heard(ana)
        if request_kind == "create":
            await trio.testing.wait_all_tasks_blocked()
            disk.commits_to_fail = 2  # the room's, and that of who made it
        else:
            disk.commits_to_fail = 1
        answer = await asked[request_kind]()
        assert isinstance(answer, Error), answer
        assert answer.code == "server/not_saved"
        disk.commits_to_fail = 0
        assert isinstance(await asked[request_kind](), Ok)
        if request_kind in ("join", "seat"):
            name = "ben" if request_kind == "join" else "benno"
            await ana.wait_for(LobbyView, lambda state: state.places[1].name == name)
        if request_kind == "say":
            line = await ben.wait_for(Said, lambda line: line.kind == "chat")
            assert (line.text, line.number) == ("hello", 2), "as if it had never been said before"


async def test_bots_do_not_spin_and_other_rooms_do_not_notice(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana = await house.player()
        await ana.create("ana", RoomOptions(laps=1, turn_milliseconds=5_000))
        await ana.bot(1, "random")
        cy = await house.player()
        await cy.create("cy")
        await ana.start()
        disk.commits_to_fail = FOREVER
        tried = disk.tried
        await trio.sleep(300)
        assert disk.tried - tried < 25, "with growing pauses"
        await cy.ping()
        disk.commits_to_fail = 0
        await cy.seat(ready=True)
        await ana.race()
        assert ana.view.status == "ended"


async def test_a_disk_that_can_neither_be_written_nor_read_sends_the_race_to_sleep(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        code = ana.room.code if ana.room else ""
        await heard(ben)
        disk.commits_to_fail, disk.reads = FOREVER, False
        assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(2))) == "server/not_saved"
        await heard(ana)
        await heard(ben)
        assert [error.code for error in ana.unasked] == ["room/closed"]
        assert [error.code for error in ben.unasked] == ["room/closed"]
        assert ben.unasked[0].data == ErrorData(moved_to=""), "its saved seat is worth keeping"
        assert code in house.server.rooms.sleeping
        assert await ana.refused(Join(ana.id(), code, "ana")) == "server/not_read"
        await ben.hang_up()
        stranger = house.connect()
        with pytest.raises(AssertionError, match="server/not_read"):
            await stranger.hello(ben.token)
        disk.commits_to_fail, disk.reads = 0, True
        await ana.ok(Join(ana.id(), code, "ana"))
        ben = await in_race(house, ben)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        await ben.wait_for(Update, lambda update: update.decisions[0].has_chosen)


@pytest.mark.parametrize(
    ("what", "phase", "wanted"),
    [
        ("start", "lobby", "racing"),
        ("end", "racing", "ended"),
        ("next race", "between", "racing"),
        ("rematch", "ended", "lobby"),
    ],
)
async def test_the_great_steps_of_a_room_are_undone_whole(
    what: str, phase: str, wanted: str, store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    season = SeasonOptions(None, ("usa", "italy", "gb")) if what == "next race" else None
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.full_lobby(["ana", "ben"], RoomOptions(laps=1, cars=2, season=season))
        if what != "start":
            await ana.start()
        if what in ("next race", "rematch"):
            await ana.ok(Act(ana.id(), None, c.GiveUp()))
        if what != "start":
            await ben.ok(Act(ben.id(), None, c.GiveUp()))
        if what == "next race":
            await ben.seat(ready=True)
        await heard(ana)
        assert ana.room is not None
        assert ana.room.phase == phase
        match = match_of(house)
        disk.commits_to_fail = 1
        assert await ana.refused(great_step(what, ana.id())) == "server/not_saved"
        await heard(ana)
        assert ana.room.phase == phase
        assert match_of(house) == match
        await ana.ok(great_step(what, ana.id()))
        await ana.wait_for(LobbyView, lambda state: state.phase == wanted)
    outcomes = [(one.match == match, one.outcome) for one in store.list_matches(10)]
    assert outcomes == ([(False, None), (True, "ended")] if what == "rematch" else [(True, None)])
    async with server_on(store) as house:
        ana = await house.back(ana)
        assert ana.room is not None
        assert ana.room.phase == wanted


def great_step(what: str, number: int) -> Start | Rematch | Act:
    match what:
        case "rematch":
            return Rematch(number)
        case "end":
            return Act(number, None, c.GiveUp())
        case _:
            return Start(number)


async def test_a_mistake_in_what_is_written_ends_that_room_alone(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        cy = await house.player()
        await cy.create("cy")
        match = next(room.match for room in house.server.rooms.values() if room.state.phase == "racing")
        stored = stored_log(store, match)
        disk.fault, disk.commits_to_fail = BadWrites("event 9 behind event 7"), 1
        assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(2))) == "room/crashed"
        await heard(ben)
        assert [error.code for error in ben.unasked] == ["room/crashed"]
        await cy.seat(ready=True)
        assert store.find(match).outcome == "faulted"
        assert stored_log(store, match) == stored
    async with server_on(store) as house:
        with pytest.raises(AssertionError, match="unknown_token"):
            await house.player(ana.token)
        await house.back(cy)


async def test_a_ban_that_is_not_saved_bans_nobody_and_an_earlier_one_holds(
    store: Store, autojump_clock: MockClock
) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben, cy = await house.player(), await house.player(peer="ben's"), await house.player(peer="cy's")
        code = await ana.create("ana")
        await ben.join(code, "ben")
        await cy.join(code, "cy")
        await ana.ok(Kick(ana.id(), "ben", True))
        disk.commits_to_fail = 2
        for _ in range(2):
            assert await ana.refused(Kick(ana.id(), "cy", True)) == "server/not_saved"
        await cy.seat(ready=True)
        others = {peer: await house.player(peer=peer) for peer in ("ben's", "cy's")}
        await others["cy's"].ok(Join(99, code, "dee"))
        assert await others["ben's"].refused(Join(99, code, "eve")) == "room/banned"


async def test_an_end_that_cannot_be_saved_is_tried_again(store: Store, autojump_clock: MockClock) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        match = match_of(house)
        for player in (ana, ben):
            await player.hang_up()
        await trio.sleep(80_000)
        disk.commits_to_fail = 3
        await trio.sleep(10_000)
        assert disk.commits_to_fail == 0
        assert not house.server.rooms
        assert not len(house.server.rooms.sleeping)
        assert store.find(match).outcome == "closed"
        (record,) = store.races(match)
        assert record.reason == "abandoned"
        with pytest.raises((HungUp, AssertionError)):
            await house.back(ana)
