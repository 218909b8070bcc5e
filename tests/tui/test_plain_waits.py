"""Plain mode while an answer is on its way to a server that cannot save it."""

from __future__ import annotations

import asyncio

import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.race import PlainRace
from tests.tui.fake_server import FakeRace, fake_server
from tests.tui.support_app import until as until_true
from tests.tui.support_link import SECONDS, linked, race_on, until
from tests.tui.support_plain import SILENCE, Terminal
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
        await race.answer_act(connection)
        while "Connected again." not in terminal.flow:
            await link.wait(link.changes)
            await asyncio.sleep(0)
        assert terminal.flow.count(WAITS) == 1, terminal.text
        racing.cancel()
        await asyncio.gather(racing, return_exceptions=True)


@pytest.mark.parametrize("typed", ["", "2"])
async def test_the_open_question_is_asked_again_once_the_connection_is_back(typed: str) -> None:
    """What was said meanwhile has moved it away; with an answer typed, what that leads to is said again."""
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        lines = iter((typed,) if typed else ())
        terminal = Terminal(lambda prompt: next(lines, SILENCE))
        racing = asyncio.create_task(PlainRace(session, terminal.line_terminal).run())
        asked = "Enter confirms" if typed else "Choose gear"
        await until_true(lambda: asked in terminal.flow)
        before = len(terminal.prompts)
        connection.drop()
        connection = await fake.accept()
        await connection.welcome()
        view = await connection.expect(m.AskView)
        connection.send(m.Ok(view.id), *race.everything())
        await until_true(lambda: len(terminal.prompts) > before)
        again = terminal.flow.partition("Connected again.")[2]
        assert asked in again, terminal.text
        assert ("Shift" in again) == bool(typed), terminal.text
        racing.cancel()
        await asyncio.gather(racing, return_exceptions=True)


@pytest.mark.parametrize("has_line_before", [False, True])
@pytest.mark.parametrize("way", ["leave", "Ctrl-C"])
async def test_one_can_leave_while_an_answer_is_on_its_way(way: str, has_line_before: bool) -> None:
    """It may be on its way for minutes."""
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        typed = iter(("2", ""))
        terminal = Terminal(lambda prompt: next(typed, SILENCE))
        lines = terminal.line_terminal
        racing = asyncio.create_task(PlainRace(session, lines).run())
        await connection.expect(m.Act)
        if has_line_before:
            lines.hear("", lines.question)
        if way == "leave":
            lines.hear("leave", lines.question)
        else:
            lines.interrupt()
        await until_true(lambda: "Leave" in terminal.flow and lines.is_waiting)
        lines.hear("yes", lines.question)
        if way == "leave":
            assert await racing == "left"
        else:
            with pytest.raises(Left):
                await racing
        assert not [task for task in asyncio.all_tasks() if "submit" in repr(task.get_coro())]
