"""A store that is late or out of reach: people read what they wait for, and can come back to their race."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act, Error, ErrorData, Join, Ok, RoomOptions, Waiting
from heat_server.room.waiting import NO_DATABASE
from heat_server.store import worker
from heat_server.store.contract import Store
from heat_server.store.errors import StoreUnreachable
from heat_server.store.sqlite.store import SqliteStore
from heat_server.store.writes import Write
from tests.patience import PATIENCE_SECONDS
from tests.server.restarts import FailingDisk
from tests.server.stores import WallClock
from tests.server.support import server_on

pytestmark = pytest.mark.trio

OPTIONS = RoomOptions(laps=1, cars=2, turn_milliseconds=60_000)


async def test_a_room_whose_database_is_lost_sleeps_and_its_people_may_come_back(
    store: Store, autojump_clock: MockClock
) -> None:
    """What was asked for is in doubt until the database is back: nobody waits in the room for that."""
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, ben = await house.racing(OPTIONS)
        code = ana.room.code if ana.room else ""
        disk.fault, disk.commits_to_fail = StoreUnreachable("lost"), 1
        answer = await ana.answer(Act(ana.id(), 1, c.ShiftGear(2)))
        assert isinstance(answer, Error)
        assert (answer.code, "look whether it counts" in answer.text) == ("server/not_saved", True)
        for player in (ana, ben):
            await player.ping()
            (closed,) = player.unasked
            assert (closed.code, closed.data) == ("room/closed", ErrorData(moved_to=""))
            assert closed.text == NO_DATABASE
        assert code in house.server.rooms.sleeping
        await ana.ok(Join(ana.id(), code, "ana"))
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))


async def test_who_still_seems_to_be_there_does_not_come_back_into_nothing(
    store: Store, autojump_clock: MockClock
) -> None:
    """The server has not noticed yet that a line is dead when its player comes by another one."""
    disk = FailingDisk(store)
    async with server_on(store, worker=disk) as house:
        ana, _ = await house.racing(OPTIONS)
        disk.fault, disk.commits_to_fail, disk.reads = StoreUnreachable("lost"), 1, False
        assert await ana.refused(Act(ana.id(), 1, c.ShiftGear(2))) == "server/not_saved"
        with pytest.raises(AssertionError, match="server/not_read"):
            await house.connect().hello(ana.token)


class HeldDisk(SqliteStore):
    """A disk that takes as long as a test wants."""

    goes_on = threading.Event()

    def write(self, writes: Sequence[Write]) -> None:
        assert self.goes_on.wait(60)
        super().write(writes)


async def test_who_waits_for_a_slow_disk_reads_so_until_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LATE_SECONDS", 0.1)
    HeldDisk.goes_on.set()
    with HeldDisk.open(tmp_path / "store", WallClock()) as store:
        disk = worker.StoreWorker(store)
        async with trio.open_nursery() as running:
            await running.start(disk.run)
            async with server_on(store, worker=disk) as house:
                ana, ben = await house.racing(OPTIONS)
                HeldDisk.goes_on.clear()
                act = Act(ana.id(), 1, c.ShiftGear(2))
                await ana.send(act)
                with trio.fail_after(PATIENCE_SECONDS):
                    told = await ben.wait_for(Waiting)
                    assert told.text == "The server waits for its disk. Your race waits too; nothing is lost."
                    HeldDisk.goes_on.set()
                    assert await ben.wait_for(Waiting) == Waiting(None)
                    await ana.wait_for(Ok, lambda answer: answer.re == act.id)
            running.cancel_scope.cancel()
