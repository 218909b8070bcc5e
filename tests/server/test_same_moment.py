"""The time runs out in the very moment in which the answer comes: what the room takes first counts, once."""

from __future__ import annotations

import pytest

from heat_core.planner.workers import TableWorkers
from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.refusal import RefusalCode, Refused
from heat_core.table import Table
from heat_core.wire.messages import Act, RoomOptions
from heat_server.net.clients import Clients
from heat_server.room.bot_scheduler import BotScheduler, Pace
from heat_server.room.bot_tables import BotTables
from heat_server.room.participants import Attendance, Participants
from heat_server.room.race_clock import RaceClock
from heat_server.room.saved_room import Member, SavedRoom
from heat_server.room.timing import Timing
from tests.core.support import setup_of

TURN_SECONDS = 60.0


@pytest.mark.parametrize("first", ["answer", "clock"])
def test_one_of_answer_and_clock_counts_and_no_card_is_drawn_twice(first: str) -> None:
    table = Table(setup_of(seats=2), {0: "human", 1: "human"})
    ana = Member.new(b"a", "ana", "red")
    ben = Member.new(b"b", "ben", "blue")
    ben.seat = 1
    sessions, kept = Clients(), SavedRoom.new(RoomOptions(cars=2))
    people = Participants("CODE1", kept, Attendance.beginning(0), sessions, 0)
    for member in (ana, ben):
        people.let_in(sessions.adopt(member.key), member)
    run = RaceClock(
        table,
        kept,
        people,
        Timing(TURN_SECONDS, 20, 1),
        0,
        Pace(BotScheduler(lambda: 0.0, BotTables(TableWorkers())), "", lambda: None, 0),
    )
    own = table.view(1).own
    assert own is not None
    assert own.decision is not None
    act = Act(1, own.decision, c.ShiftGear(2))
    run.submit(ana, Act(1, 1, c.ShiftGear(2)), 1)
    assert run.next_wake(1) == TURN_SECONDS
    if first == "answer":
        assert run.submit(ben, act, TURN_SECONDS)
        assert not run.advance(TURN_SECONDS), "the next decisions have their own time"
    else:
        assert run.advance(TURN_SECONDS)
        with pytest.raises(Refused) as refused:
            run.submit(ben, act, TURN_SECONDS)
        assert refused.value.code is RefusalCode.LATE
    assert run.next_wake(TURN_SECONDS) == 2 * TURN_SECONDS
    made = [event.seat for event in table.log if isinstance(event, e.ChoiceMade)]
    assert made == [0, 1]
    gears = [event.gear for event in table.log if isinstance(event, e.GearShifted)]
    assert gears == [2, 2 if first == "answer" else 1]
    drawn = [event.seat for event in table.log if isinstance(event, e.CardsDrawn)]
    assert drawn == [0, 1], "the hands of the start, and none since"
