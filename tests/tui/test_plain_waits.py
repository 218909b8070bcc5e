"""Plain mode while an answer is on its way to a server that cannot save it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SessionFile
from heat_tui.plain.asking import GoneBack
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.meanwhile import NOT_YET, Meanwhile, until_answered
from heat_tui.plain.race import End, PlainRace
from heat_tui.plain.server import play_there
from heat_tui.plain.talk import Talk
from tests.tui.fake_server import FakeConnection, FakeRace, fake_server
from tests.tui.support_app import folders_in
from tests.tui.support_app import until as until_true
from tests.tui.support_link import SECONDS, linked, race_on, until
from tests.tui.support_plain import SILENCE, Terminal
from tests.tui.test_waits import WAITS

pytestmark = pytest.mark.asyncio


class Answering(NamedTuple):
    """A race whose first answer is on its way.

    Attributes:
        act: What the server has not answered.
    """

    racing: asyncio.Task[End]
    terminal: Terminal
    connection: FakeConnection
    act: m.Act


@asynccontextmanager
async def answering() -> AsyncIterator[Answering]:
    async with fake_server() as fake, linked(fake) as (link, connection):
        session = await race_on(link, connection, FakeRace())
        typed = iter(("2", ""))
        terminal = Terminal(lambda prompt: next(typed, SILENCE))
        talk = Talk(terminal.line_terminal, session.company)
        racing = asyncio.create_task(PlainRace(session, terminal.line_terminal, talk).run())
        act = await connection.expect(m.Act)
        assert isinstance(act, m.Act)
        try:
            yield Answering(racing, terminal, connection, act)
        finally:
            racing.cancel()
            await asyncio.gather(racing, return_exceptions=True)


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
    async with asyncio.timeout(SECONDS), answering() as here:
        lines = here.terminal.line_terminal
        if has_line_before:
            lines.hear("", lines.question)
        if way == "leave":
            lines.hear("leave", lines.question)
        else:
            lines.interrupt()
        await until_true(lambda: "Leave" in here.terminal.flow and lines.is_waiting)
        lines.hear("yes", lines.question)
        if way == "leave":
            assert await here.racing == "left"
        else:
            with pytest.raises(Left):
                await here.racing
        assert not [task for task in asyncio.all_tasks() if "submit" in repr(task.get_coro())]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("cars", "1st Ana: on the grid"),
        ("where", "You are "),
        ("help", "At any time: where, cars"),
        ("code", "letter by letter: K, X, F, R, M"),
        ("who", "1: Ana, red"),
        ("chat", "Nobody has written anything."),
        ("settings", "name"),
    ],
)
async def test_what_needs_no_server_can_be_typed_while_an_answer_is_on_its_way(typed: str, said: str) -> None:
    async with asyncio.timeout(SECONDS), answering() as here:
        lines, before = here.terminal.line_terminal, len(here.terminal.flow)
        lines.settings = lambda rest: ["name Ana"]
        lines.hear(typed, lines.question)
        await until_true(lambda: said in here.terminal.flow[before:])
        assert NOT_YET not in here.terminal.flow
        assert not here.racing.done()


async def test_what_needs_the_server_says_what_it_waits_for_and_is_done_afterwards() -> None:
    async with asyncio.timeout(SECONDS), answering() as here:
        lines = here.terminal.line_terminal
        lines.hear("say hello", lines.question)
        await until_true(lambda: here.terminal.flow.count(NOT_YET) == 1)
        assert "'say hello' must wait." in here.terminal.flow
        lines.hear("cars", lines.question)
        await until_true(lambda: "Legend 1" in here.terminal.flow.partition(NOT_YET)[2])
        here.connection.send(m.Ok(here.act.id))
        said = await here.connection.expect(m.Say)
        assert isinstance(said, m.Say)
        assert said.text == "hello"


async def test_an_answer_that_comes_soon_leaves_lines_in_their_order() -> None:
    """Nothing is heard ahead of its turn, and nothing is said of any waiting."""
    async with asyncio.timeout(SECONDS):
        terminal, answer = Terminal(lambda prompt: SILENCE), asyncio.Event()
        lines = terminal.line_terminal
        lines.hear("cars", lines.question)
        asking = asyncio.create_task(until_answered(lines, answer.wait(), Meanwhile(takes=lambda line: True)))
        await asyncio.sleep(0)
        answer.set()
        assert await asking
        assert (await lines.heard(), terminal.text) == ("cars", "")


@pytest.mark.parametrize("leaves", [False, True])
async def test_whoever_is_asked_whether_to_leave_answers_before_anything_else_is_asked(leaves: bool) -> None:
    """The answer may come just then, and a yes would be taken for something else."""
    async with asyncio.timeout(SECONDS):
        terminal, answer = Terminal(lambda prompt: SILENCE), asyncio.Event()
        lines, meanwhile = terminal.line_terminal, Meanwhile(leave_question=lambda: "Leave the room?")
        asking = asyncio.create_task(until_answered(lines, answer.wait(), meanwhile))
        lines.hear("leave", lines.question)
        await until_true(lambda: lines.is_waiting)
        answer.set()
        await asyncio.sleep(0.05)
        assert not asking.done()
        lines.hear("yes" if leaves else "no", lines.question)
        if leaves:
            with pytest.raises(GoneBack):
                await asking
        else:
            assert await asking


# --- in a room, and on the way into one --------------------------------------------------------------------


def has_come(terminal: Terminal, behind: int, text: str) -> bool:
    return text in terminal.flow[behind:]


def lobby(**changes: object) -> m.LobbyView:
    return msgspec.structs.replace(FakeRace().room(), phase="lobby", **changes)


@asynccontextmanager
async def at_question(path: Path) -> AsyncIterator[tuple[Terminal, FakeConnection, asyncio.Task[None]]]:
    """Stand at the question for a room, with the list still asked for."""
    async with fake_server() as fake, linked(fake) as (link, connection):
        folders, terminal = folders_in(path), Terminal(lambda prompt: SILENCE)
        stay = ServerStay(link, SessionFile(None, None, None))
        playing = asyncio.create_task(
            play_there(terminal.line_terminal, folders, stay, name="Ana", colour="red")
        )
        try:
            yield terminal, connection, playing
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


async def test_a_server_that_cannot_list_its_rooms_says_so_and_the_question_stands(tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), at_question(tmp_path) as (terminal, connection, playing):
        lines = terminal.line_terminal
        asked = await connection.expect(m.ListRooms)
        connection.send(m.Error(asked.id, ErrorCode.NOT_READ, WAITS))
        await until_true(lambda: "Type a room's code to join" in terminal.flow)
        assert WAITS in terminal.flow
        assert "no rooms" not in terminal.flow
        lines.hear("new", lines.question)
        create = await connection.expect(m.Create)
        connection.send(m.Error(create.id, ErrorCode.NOT_SAVED, "Try again in a moment."))
        await until_true(lambda: len(terminal.prompts) == 2)
        assert "Try again in a moment." in terminal.flow
        lines.hear("rooms", lines.question)
        asked = await connection.expect(m.ListRooms)
        connection.send(m.RoomList(asked.id, ()))
        await until_true(lambda: len(terminal.prompts) == 3)
        assert "There are no rooms yet." in terminal.flow
        assert not playing.done()


async def test_a_list_that_does_not_come_need_not_be_waited_for(tmp_path: Path) -> None:
    async with asyncio.timeout(SECONDS), at_question(tmp_path) as (terminal, connection, playing):
        lines = terminal.line_terminal
        await connection.expect(m.ListRooms)
        lines.hear("new", lines.question)
        await until_true(lambda: f"{NOT_YET} 'new' must wait. leave ends the waiting." in terminal.flow)
        lines.hear("leave", lines.question)
        await until_true(lambda: "You began to type 'new' before this question appeared." in terminal.flow)
        assert terminal.prompts[-1].startswith("Type a room's code")
        lines.hear("leave", lines.question)
        await playing


async def test_a_room_says_what_it_waits_for_while_a_command_is_on_its_way(tmp_path: Path) -> None:
    """The server, its database or the line may be gone for a while; the room can be looked at, and left."""
    async with asyncio.timeout(SECONDS), at_question(tmp_path) as (terminal, connection, _):
        lines = terminal.line_terminal
        asked = await connection.expect(m.ListRooms)
        connection.send(m.RoomList(asked.id, ()))
        await until_true(lambda: len(terminal.prompts) == 1)
        lines.hear("new", lines.question)
        create = await connection.expect(m.Create)
        connection.send(m.Ok(create.id, "KXFRM"), lobby())
        tracks = await connection.expect(m.ListTracks)
        connection.send(m.TrackList(tracks.id, ()))
        await until_true(lambda: "You are the host." in terminal.flow)
        lines.hear("say hello", lines.question)
        await connection.expect(m.Say)
        connection.send(m.Waiting(WAITS))
        await until_true(lambda: WAITS in terminal.flow)
        for typed, said in (("who", "1: Ana, red"), ("options", "USA, "), ("code", "letter by letter")):
            lines.hear(typed, lines.question)
            await until_true(partial(has_come, terminal, len(terminal.flow), said))
        lines.hear("start", lines.question)
        await until_true(lambda: "'start' must wait." in terminal.flow)
        lines.hear("leave", lines.question)
        await until_true(lambda: "Leave the room?" in terminal.flow and lines.is_waiting)
