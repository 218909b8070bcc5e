"""Plain mode while an answer is on its way to a server that cannot save it."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.plain.race import PlainRace
from tests.tui.fake_server import FakeRace, fake_server
from tests.tui.support_plain import SILENCE, Terminal
from tests.tui.test_remote import SECONDS, linked, race_on, until
from tests.tui.test_waits import WAITS

pytestmark = pytest.mark.asyncio


async def test_what_a_sent_answer_waits_for_is_said_while_it_waits() -> None:
    """Nothing may come back for minutes; who hears the screen would take the program for broken."""
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        typed = iter(("2", ""))
        terminal = Terminal(lambda prompt: next(typed, SILENCE))
        racing = asyncio.create_task(PlainRace(session, terminal.line_terminal).run())
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        connection.send(m.Waiting(WAITS))
        while link.waits_for != WAITS:
            await link.wait(link.changes)
        await asyncio.sleep(0)
        assert terminal.flow.count(WAITS) == 1, terminal.text
        connection.send(m.Error(None, ErrorCode.ROOM_CLOSED, WAITS, m.ErrorData(moved_to="")))
        await until(link, "reconnecting")
        await asyncio.sleep(0)
        assert "The connection was lost; trying again." in terminal.flow
        connection = await fake.accept()
        await connection.welcome()
        asked = await connection.expect(m.AskView)
        connection.send(m.Ok(asked.id), *race.everything())
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        race.act(act)
        connection.send(m.Ok(act.id), race.update())
        while "Connected again." not in terminal.flow:
            await link.wait(link.changes)
            await asyncio.sleep(0)
        assert terminal.flow.count(WAITS) == 1, terminal.text
        racing.cancel()
        await asyncio.gather(racing, return_exceptions=True)
