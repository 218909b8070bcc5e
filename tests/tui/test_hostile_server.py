"""Servers that lie about who else there is: what they name reaches nothing, and drives no terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from heat_core.decisions import ReactChoice
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.backoff import MOST_SHORT
from heat_tui.client.certificates import Streams
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import RequestRefused, without_controls
from heat_tui.client.dialling import ANY_REACH, Dialler, Reach
from heat_tui.client.fleet import Fleet
from heat_tui.client.known_servers import KnownServers
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession
from tests.tui.fake_server import DIRECT, TOKEN, FakeRace
from tests.tui.nonsense import races
from tests.tui.support_app import folders_in, save_seat
from tests.tui.support_fleet import answer_view, fakes, greet, linked, moved, opened, send_on
from tests.tui.support_link import until

pytestmark = pytest.mark.asyncio

ESCAPE = "\x1b[2J"
FAR = Address("192.0.2.7")


@pytest.mark.parametrize("named", [f"[fe80::1%{ESCAPE}]:7777", f"::1%{ESCAPE}", f"host{ESCAPE}", "x" * 400])
async def test_no_word_of_an_address_that_a_server_names_drives_the_terminal(named: str) -> None:
    async with fakes(2) as (here, there):
        told: list[str] = []
        opening = asyncio.create_task(ServerLink(here.address, DIRECT).open("own", told.append))
        await send_on(here, named)
        with pytest.raises(ConnectFailed) as caught:
            await opening
        assert "".join([*told, caught.value.text]).isprintable()
        async with linked(there, here) as (link, connection):
            joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
            asked = await connection.expect(m.Join)
            connection.send(moved(asked.id, named))
            with pytest.raises(RequestRefused) as refused:
                await joining
            assert refused.value.text.isprintable()


async def test_every_text_of_every_message_is_harmless() -> None:
    """The answer to a request, which is kept with the seat, and the reasons in what is asked of a driver."""
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        creating = asyncio.create_task(link.request(m.Create(0, "Ana")))
        asked = await connection.expect(m.Create)
        connection.send(m.Ok(asked.id, f"KX{ESCAPE}", 0))
        answer = await creating
        assert isinstance(answer, m.Ok)
        assert answer.code == "KX [2J"


async def test_what_a_driver_is_asked_is_harmless_too() -> None:
    started, update = next(
        (started, update)
        for started, updates in races()
        for update in updates
        if update.view.own is not None
        and isinstance(update.view.own.choice, ReactChoice)
        and update.view.own.choice.symbols
    )
    plain = msgspec.to_builtins(update)
    for use in plain["view"]["own"]["choice"]["symbols"]:
        use["reason"] = f"no{ESCAPE}"
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        connection.send(FakeRace().room(), started, msgspec.convert(plain, m.Update))
        while link.race is None or link.race.update is None:
            assert link.ended is None, link.ended
            await link.wait(link.changes)
        assert b"\x1b" not in msgspec.msgpack.encode(link.race.update)
        assert b"no [2J" in msgspec.msgpack.encode(link.race.update)


@pytest.mark.parametrize("text", ["Ana", 'Ana "the fast" \\ Ёж', "a\x7fb", "\x9b2J", "a\u202eb", "a\nb"])
async def test_texts_are_looked_at_whatever_they_are_written_in(text: str) -> None:
    cleaned = without_controls(m.Said(1, "chat", 0, "Ana", text)).text
    assert cleaned == "".join(sign if sign.isprintable() else " " for sign in text)


@pytest.mark.parametrize("token", ["", "x" * 129, "x" * 100_000, "a b", "\r\nFLUSHALL\r\n", "т"])
async def test_a_token_that_no_server_gives_is_said_to_nobody(token: str) -> None:
    """The client would say it to every address that the server names."""
    async with fakes(1) as (here,):
        opening = asyncio.create_task(ServerLink(here.address, DIRECT).open())
        connection = await here.accept()
        hello = await connection.expect(m.Hello)
        connection.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", token))
        with pytest.raises(ConnectFailed, match="not a heat-server"):
            await opening


@pytest.mark.parametrize("way", ["moved", "closed", "bye"])
async def test_a_link_that_is_led_in_circles_slows_down(way: str) -> None:
    """Two servers that send their clients to each other, or one that never keeps them."""
    attempts: list[int] = []

    def pause(attempt: int) -> float:
        attempts.append(attempt)
        return 0.0

    async with fakes(2) as (here, there):
        link = ServerLink(here.address, DIRECT, pause=pause)
        connection = await opened(link, here, there)
        first, second = here, there
        for _ in range(MOST_SHORT + 5):
            match way:
                case "moved":
                    connection.send(moved(None, second.address, ErrorCode.ROOM_CLOSED))
                    first, second = second, first
                case "closed":
                    connection.drop()
                case _:
                    connection.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
                    first, second = second, first
            await until(link, "reconnecting" if way != "moved" else "moving")
            connection = await greet(first, second, token=TOKEN)
            await answer_view(connection, FakeRace())
            await until(link, "connected")
        assert [attempt for attempt in attempts if attempt] == [1, 2, 2, 2, 2]
        await link.close()


class _Unreachable(Dialler):
    """A network in which the chosen server is gone."""

    async def _open(self, address: Address, reach: Reach) -> Streams:
        if address == FAR:
            raise ConnectionRefusedError
        return await super()._open(address, reach)


async def test_a_server_elsewhere_sends_nobody_to_their_own_machine() -> None:
    """Programs there may trust whoever is on it."""
    async with fakes(1) as (here,):
        for host in ("127.0.0.1", "localhost", "2130706433"):
            named = here.address._replace(host=host)
            with pytest.raises(ConnectFailed, match="your own machine, so nothing was sent"):
                await DIRECT.dial(named, Reach(chosen=FAR))
            assert await (await here.accept()).heard() == b""
        fleet = Fleet(FAR, [str(here.address)])
        with pytest.raises(ConnectFailed):
            await fleet.open("own", lambda message: None, _Unreachable(KnownServers(None)))
        assert await (await here.accept()).heard() == b""
        for reach in (ANY_REACH, Reach(chosen=Address("127.0.0.1", 1)), Reach(chosen=Address("localhost"))):
            _, writer = await DIRECT.dial(here.address, reach)
            writer.close()


async def test_no_server_poses_as_the_companion_of_another_one(tmp_path: Path) -> None:
    """A seat at one server says nothing of a second one, whatever the first has said of it."""
    async with fakes(2) as (liar, honest):
        folders = folders_in(tmp_path)
        names = (str(liar.address), str(honest.address))
        save_seat(folders, SavedSession(str(liar.address), "own", "KXFRM", "Ana", names))
        beginning = asyncio.create_task(ServerStay.begin(folders, honest.address))
        connection = await honest.accept()
        await connection.welcome()
        stay = await beginning
        assert stay.link.servers == ()
        connection.drop()
        again = await honest.accept()
        hello = await again.welcome()
        assert hello.token == TOKEN
        assert liar.connections.empty()
        await stay.close()
