"""A server that has less of a race than before, as when a backup was restored: the client goes back too."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.race.commands import ShiftGear
from heat_core.wire import messages as m
from heat_core.wire.codes import ByeCode
from heat_tui.client.line_state import SessionClosed
from heat_tui.client.remote import HAS_GONE_BACK, RemoteSession
from tests.tui.fake_server import TOKEN, FakeRace
from tests.tui.test_fleet_link import fakes, greet, linked, racing

pytestmark = pytest.mark.asyncio


async def ended(session: RemoteSession, number: int) -> None:
    while True:
        await session.changed(number)


async def test_a_race_goes_on_from_what_the_server_has() -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        race, restored = FakeRace(), FakeRace()
        session = await racing(link, connection, race)
        submitting = asyncio.create_task(session.submit(0, 1, ShiftGear(2)))
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        race.act(act)
        connection.send(m.Ok(act.id), race.update())
        await submitting
        while session.view(0).event_number < race.table.event_number:
            await link.wait(link.changes)
        number = session.view(0).event_number
        assert number > restored.table.event_number
        connection.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
        other = await greet(there, here, token=TOKEN)
        asked = await other.expect(m.AskView)
        assert isinstance(asked, m.AskView)
        assert asked.since == number
        other.send(*restored.everything(number), m.Ok(asked.id))
        with pytest.raises(SessionClosed, match=HAS_GONE_BACK):
            await ended(session, number)
        again = await other.expect(m.AskView)
        assert isinstance(again, m.AskView)
        assert again.since == 0, "the events that are missing"
        other.send(restored.update(), m.Ok(again.id))
        session = RemoteSession(link)
        while link.race is None or not link.race.is_whole:
            await link.wait(link.changes)
        assert session.view(0).event_number == restored.table.event_number
        assert len(session.events_since(0, 0)) == restored.table.event_number
