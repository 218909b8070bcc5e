"""The log says what the clock chose: and tells nobody what a hand forced."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.race import events as e
from heat_core.sentences.events import sentence
from heat_core.track import compile_track
from heat_core.wire.messages import Update
from tests.core.support import track_facts
from tests.server.held_races import AT_ONCE, FREE, HANDS, THREE, TIMED, Heard, answer_of, listen, race_from
from tests.server.support import House

pytestmark = pytest.mark.trio

TURN = 60.0


def choices(house: House, seat: int | None) -> list[e.ChoiceMade]:
    """Give the choices of the one room's race, as a seat sees them."""
    (room,) = house.server.rooms.values()
    assert room.state.race is not None
    events = room.state.race.table.events_since(0, seat)
    return [event for event in events if isinstance(event, e.ChoiceMade)]


async def test_whose_time_was_up_is_said_with_what_the_clock_chose(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.racing()
    await ana.ok(answer_of(ana, c.ShiftGear(2)))
    await ben.wait_for(Update, lambda update: update.view.phase == 2)
    assert [(event.seat, event.by_clock) for event in choices(house, None)] == [(0, False), (1, True)]
    own, others = (
        sentence(choices(house, seat)[1], ("ana", "ben"), compile_track(track_facts("usa")))
        for seat in (1, 0)
    )
    assert own is not None
    assert own.endswith("the clock chose: 1st gear")
    assert own.removesuffix(": 1st gear") == others
    assert "ben" in own


async def heard_until_the_clock_chose(hand: str, *, answers_at_once: bool) -> list[Heard]:
    """Give what the first of three is sent while the last never answers; the second has the hand."""
    async with trio.open_nursery() as nursery:
        first, second, _ = await race_from(House(nursery, TIMED), 3, [FREE, hand, FREE])
        began = trio.current_time()
        heard: list[Heard] = []
        nursery.start_soon(listen, first, heard)
        if answers_at_once:
            await second.ok(answer_of(second))
        await trio.sleep(AT_ONCE)
        await first.send(answer_of(first, THREE))
        await trio.sleep(TURN + 1)
        nursery.cancel_scope.cancel()
    return [Heard(round(at - began, 3), payload) for at, payload in heard]


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
async def test_the_clock_tells_nobody_who_had_given_the_only_answer_there_was(
    hand: str, autojump_clock: MockClock
) -> None:
    given = await heard_until_the_clock_chose(hand, answers_at_once=True)
    assert any(one.at >= TURN for one in given)
    assert any(b"by_clock" in one.payload for one in given)
    assert given == await heard_until_the_clock_chose(hand, answers_at_once=False)
