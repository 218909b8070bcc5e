"""A fault in a room: it is faulted and keeps its record, everybody is answered, the next start is sound."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act, Error, Join, Ping, Pong, Say, Watch
from heat_server.store.contract import Store
from tests.server.restarts import FailingDisk, stored_log
from tests.server.support import House, Player, server_on

pytestmark = pytest.mark.trio


class _Broken(Exception):
    """What no one has thought of."""


class _BadTable:
    """What a fault has left where a table was: everything asked of it fails."""

    def __getattr__(self, name: str) -> object:
        raise _Broken(name)


def break_room(house: House, code: str) -> None:
    race = house.server.rooms[code].state.race
    assert race is not None
    race.table = _BadTable()  # type: ignore[assignment]


@pytest.mark.spec("NET-14")
async def test_a_room_that_crashes_is_faulted_and_the_next_start_is_sound(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.racing()
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        code = ana.room.code if ana.room else ""
        cy = await house.player()
        other = await cy.create("cy")
        match = house.server.rooms[code].match
        kept = stored_log(store, match)
        break_room(house, code)
        assert await ben.refused(Act(ben.id(), 2, c.ShiftGear(2))) == "room/crashed"
        await ana.ping()
        assert [error.code for error in ana.unasked] == ["room/crashed"]
        assert code not in house.server.rooms
        assert code not in house.server.rooms.sleeping
        await cy.seat(ready=True)
        assert store.find(match).outcome == "faulted"
        assert stored_log(store, match) == kept
        assert await ana.refused(Join(ana.id(), code, "ana")) == "room/unknown"
        await ana.create("ana")
    async with server_on(store) as house:
        assert other in house.server.rooms.sleeping
        assert code not in house.server.rooms.sleeping
        with pytest.raises(AssertionError, match="hello/unknown_token"):
            await house.player(ben.token)
        cy = await house.back(cy)
        await cy.bot(1, "random")
        await cy.start()


async def test_a_crash_answers_everybody_who_waits(store: Store, autojump_clock: MockClock) -> None:
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing()
        code = ana.room.code if ana.room else ""
        cy, dee, eve = [await house.player() for _ in range(3)]
        await eve.ok(Watch(eve.id(), code, "eve"))
        disk.gate = trio.Event()
        await eve.send(Say(eve.id(), "this is kept"))
        await trio.testing.wait_all_tasks_blocked()
        asked: list[tuple[Player, Watch | Say | Act]] = [
            (dee, Watch(dee.id(), code, "dee")),
            (ana, Say(ana.id(), "hello")),
            (ben, Act(ben.id(), 2, c.ShiftGear(2))),  # here it breaks
            (cy, Watch(cy.id(), code, "cy")),
        ]
        for player, request in asked:
            await player.send(request)
            await trio.testing.wait_all_tasks_blocked()
        break_room(house, code)
        disk.gate.set()
        for player, request in asked:
            await trio.testing.wait_all_tasks_blocked()
            await player.send(Ping(player.id()))
            codes: list[str] = []
            while not isinstance(message := await player.receive(), Pong):
                if isinstance(message, Error) and message.re == request.id:
                    codes.append(message.code)
            assert codes == ["room/crashed"], "exactly one answer"
            assert await player.refused(Say(player.id(), "anybody there?")) == "room/in_none"
