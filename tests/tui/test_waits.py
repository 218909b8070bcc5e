"""What a client shows while its room waits for the server's database, and that it comes back by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.race.commands import ShiftGear
from heat_core.wire import messages as m
from heat_core.wire.codes import ErrorCode
from heat_tui.client import connection
from heat_tui.client.remote import RemoteSession
from heat_tui.client.server_link import ServerLink
from heat_tui.flow.race import RaceController
from tests.tui.fake_server import DIRECT, TOKEN, FakeConnection, FakeRace, FakeServer, fake_server
from tests.tui.support_app import shown, until
from tests.tui.support_company import Told, racing

pytestmark = pytest.mark.asyncio

WAITS = "The server cannot reach its database. Your race waits; nothing is lost."
ASLEEP = m.Error(None, ErrorCode.ROOM_CLOSED, WAITS, m.ErrorData(moved_to=""))
SECONDS = 60


async def greet(server: FakeServer, token: str | None = None) -> FakeConnection:
    line = await server.accept()
    hello = await line.expect(m.Hello)
    assert isinstance(hello, m.Hello)
    assert hello.token == token
    line.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", token or TOKEN))
    return line


async def answer_view(line: FakeConnection, race: FakeRace) -> None:
    asked = await line.expect(m.AskView)
    line.send(m.Ok(asked.id), *race.everything())


async def turn_away(server: FakeServer, code: ErrorCode, text: str) -> None:
    line = await server.accept()
    hello = await line.expect(m.Hello)
    line.send(m.Error(hello.id, code, text))


async def wait_until_it_waits_for(link: ServerLink, text: str) -> None:
    while link.waits_for != text:
        await link.wait(link.changes)


async def test_a_race_whose_server_lost_its_database_goes_on_by_itself_when_it_is_back() -> None:
    """The seat stays, the reason is known all the time, and the choice is sent again under its decision."""
    async with asyncio.timeout(SECONDS), fake_server() as server:
        race, link = FakeRace(), ServerLink(server.address, DIRECT, pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        line = await greet(server)
        await opening
        line.send(*race.everything())
        while not RemoteSession.is_ready(link):
            await link.wait(link.changes)
        session = RemoteSession(link)
        submitting = asyncio.create_task(session.submit(0, 1, ShiftGear(2)))
        await line.expect(m.Act)
        line.send(m.Waiting("Slow."))
        await wait_until_it_waits_for(link, "Slow.")
        assert session.trouble == "Slow."
        line.send(m.Waiting(None), m.Error(None, ErrorCode.ROOM_CLOSED, WAITS, m.ErrorData(moved_to="")))
        await wait_until_it_waits_for(link, WAITS)
        await turn_away(server, ErrorCode.NOT_READ, "Still away.")
        await wait_until_it_waits_for(link, "Still away.")
        line = await greet(server, TOKEN)
        await answer_view(line, race)
        await race.answer_act(line)
        await submitting
        assert race.answers == [(1, ShiftGear(2))]
        assert (link.waits_for, link.ended, link.is_token_dead) == ("", None, False)
        await link.close()


async def test_a_silent_server_is_asked_for_a_sign_of_life_and_one_that_speaks_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "PING_SECONDS", 0.4)
    async with asyncio.timeout(SECONDS), fake_server() as server:
        link = ServerLink(server.address, DIRECT)
        opening = asyncio.create_task(link.open())
        line = await greet(server)
        await opening
        for number in range(1, 7):
            line.send(m.Said(number, "news", None, "", "Something happens."))
            await asyncio.sleep(0.1)  # the client must not ask, and there is nothing to wait for
        loop = asyncio.get_running_loop()
        spoke_at = loop.time()
        await line.expect(m.Ping)
        assert loop.time() - spoke_at > 0.2, "it was not asked for while the server spoke"
        await link.close()


async def test_a_spectator_whose_room_slept_watches_again() -> None:
    """A spectator has no seat that a token would lead to."""
    async with asyncio.timeout(SECONDS), fake_server() as server:
        link = ServerLink(server.address, DIRECT, pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        line = await greet(server)
        await opening
        watching = asyncio.create_task(link.request(m.Watch(0, "KXFRM", "Cy")))
        asked = await line.expect(m.Watch)
        line.send(m.Ok(asked.id, "KXFRM"), *FakeRace().everything())
        await watching
        line.send(ASLEEP)
        await turn_away(server, ErrorCode.UNKNOWN_TOKEN, "The server no longer has a seat for you.")
        line = await greet(server)
        asked = await line.expect(m.Watch)
        line.send(m.Ok(asked.id, "KXFRM"), *FakeRace().everything())
        while link.state != "connected":
            await link.wait(link.changes)
        assert link.ended is None
        await link.close()


@pytest.mark.parametrize("is_back", [False, True])
async def test_news_of_a_wait_are_told_once_and_so_is_its_end(*, is_back: bool) -> None:
    link = Told(FakeRace())
    session = RemoteSession(link)
    race = RaceController(session)
    race.settle(race.unseen())
    link.tell(m.Waiting(WAITS))
    await session.changed(race.seen)
    assert race.settle(race.unseen()).trouble == WAITS
    assert race.settle(race.unseen()).trouble == ""
    if is_back:
        link.tell(m.Waiting(None))
        await session.changed(race.seen)
        assert race.settle(race.unseen()).trouble == "The server answers again."
        assert race.around.shown("z").note == ""
    else:
        race.message = ""  # as after any key
        assert race.around.shown("z").note == WAITS, "it stays where it can be read"


async def test_the_screen_shows_what_the_race_waits_for_as_long_as_it_does(tmp_path: Path) -> None:
    async with racing(tmp_path) as (_, pilot, link):
        link.tell(m.Waiting(WAITS))
        await until(lambda: "nothing is lost" in shown(pilot))
        await pilot.press("right", "left")
        await pilot.pause()
        assert "nothing is lost" in shown(pilot)
        link.tell(m.Waiting(None))
        await until(lambda: "nothing is lost" not in shown(pilot))


async def test_the_screen_shows_that_the_room_moves_and_when_it_is_there(tmp_path: Path) -> None:
    async with racing(tmp_path) as (_, pilot, link):
        link._set_state("moving")
        await until(lambda: "moving to another server" in shown(pilot))
        link._set_state("connected")
        await until(lambda: "moving to another server" not in shown(pilot))
