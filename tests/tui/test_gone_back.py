"""A race that goes back, because its server's database has lost the last commits."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.race.commands import ShiftGear
from heat_core.wire import messages as m
from heat_tui.flow.asking import Reply
from heat_tui.flow.race import RaceController
from heat_tui.words.race_talk import HAS_GONE_BACK
from tests.tui.fake_server import FakeRace, fake_server
from tests.tui.support_link import SECONDS, linked, race_on

pytestmark = pytest.mark.asyncio


async def test_a_race_whose_server_lost_its_last_events_goes_back_and_on_from_there() -> None:
    """As after a failover to a database that was behind."""
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        controller = RaceController(session)
        controller.settle(controller.unseen())
        first, before = session.view(0).event_number, race.everything()
        own = session.view(0).own
        assert own is not None
        sending = asyncio.create_task(controller.submit(Reply(0, own.decision, ShiftGear(2))))
        await race.answer_act(connection, first)
        assert await sending
        await controller.wait()
        controller.settle(controller.unseen())
        assert controller.seen > first
        connection.send(m.Waiting("The server waits for its database."))
        await controller.wait()
        controller.settle(controller.unseen())
        connection.send(m.Waiting(None), *before)
        await controller.wait()
        news = controller.settle(controller.unseen())
        assert controller.message == news.trouble == HAS_GONE_BACK
        assert controller.seen == first == len(session.events_since(0, 0))
        assert controller.owes_a_choice
        again = asyncio.create_task(controller.submit(Reply(0, own.decision, ShiftGear(1))))
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        connection.send(m.Ok(act.id))
        assert await again, "the same decision is open once more"
