"""A link to servers that share their rooms: where it is led, where it goes by itself, and where not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.race.commands import ShiftGear
from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codec import encode_server_message
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import ConnectionLost
from heat_tui.client.dialling import Dialler
from heat_tui.client.fleet import MOST_HOPS, MOST_TRIED, Fleet
from heat_tui.client.known_servers import KnownServers
from heat_tui.client.server_link import ServerLink
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.client.take_over import MOVING
from heat_tui.door_way import DoorWay
from heat_tui.flow.race import RaceController
from heat_tui.words.race_talk import CONNECTION_NEWS
from tests.tui.fake_server import DIRECT, TOKEN, FakeRace
from tests.tui.support_app import folders_in, save_seat
from tests.tui.support_fleet import answer_view, fakes, greet, linked, moved, opened, send_on
from tests.tui.support_link import SECONDS, race_on, until

pytestmark = pytest.mark.asyncio

MOVES = CONNECTION_NEWS["moving"]


@pytest.mark.parametrize(
    "request_", [m.Join(0, "KXFRM", "Ana"), m.Watch(0, "KXFRM", "Ana"), m.Create(0, "Ana")]
)
async def test_a_room_of_another_server_is_entered_there(request_: m.Join | m.Watch | m.Create) -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        joining = asyncio.create_task(link.request(request_))
        asked = await connection.expect(type(request_))
        connection.send(moved(asked.id, there.address))
        other = await greet(there, here)
        again = await other.expect(type(request_))
        other.send(m.Ok(again.id, "KXFRM", 0))
        assert isinstance(await joining, m.Ok)
        assert (link.address, link.state) == (there.address, "connected")
        assert link.chat.lines[0].text == f"This room is on {there.address}."
        assert await connection.heard() == b""


@pytest.mark.parametrize("code", [ByeCode.SERVER_STOPS, None])
async def test_a_race_goes_on_at_another_server_when_its_own_is_gone(code: ByeCode | None) -> None:
    """What was sent and not answered is sent again there, under the same decision."""
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        race = FakeRace()
        session = await race_on(link, connection, race)
        submitting = asyncio.create_task(session.submit(0, 1, ShiftGear(2)))
        await connection.expect(m.Act)
        if code is None:
            connection.send(moved(None, there.address, ErrorCode.ROOM_CLOSED))
        else:
            connection.send(m.Bye(code, "The server is being stopped."))
        other = await greet(there, here, token=TOKEN)
        await answer_view(other, race)
        await race.answer_act(other)
        await submitting
        assert race.answers == [(1, ShiftGear(2))]
        assert (link.address, link.ended, link.is_token_dead) == (there.address, None, False)


async def test_who_is_sent_on_goes_there_at_once_and_reads_that_the_room_moves() -> None:
    """The usual pause before a try never ends here: it is for servers that are lost."""
    async with fakes(2) as (here, there):
        link = ServerLink(here.address, DIRECT, pause=lambda attempt: float(SECONDS))
        connection = await opened(link, here, there)
        race = FakeRace()
        session = await race_on(link, connection, race)
        controller = RaceController(session)
        controller.settle(controller.unseen())
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        connection.send(moved(None, there.address, ErrorCode.ROOM_CLOSED))
        await until(link, "moving")
        assert controller.settle(controller.unseen()).connection == MOVES
        await answer_view(await greet(there, here, token=TOKEN), race)
        await until(link, "connected")
        assert loop.time() - asked_at < SECONDS / 2
        assert link.address == there.address
        await link.close()


@pytest.mark.spec("FLEET-4")
@pytest.mark.parametrize("answer", ["none", "in no room", "the room"])
async def test_a_room_that_moves_on_while_its_player_comes_back_is_followed(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server that the player comes back to is stopped at that moment; nobody waits for its silence."""
    monkeypatch.setattr("heat_tui.client.connection.ANSWER_SECONDS", 3600)
    monkeypatch.setattr("heat_tui.client.connection.PING_SECONDS", 3600)
    async with fakes(3) as (here, there, third):
        link = ServerLink(here.address, DIRECT, pause=lambda attempt: 0.0)
        connection = await opened(link, here, there, third)
        race = FakeRace()
        session = await race_on(link, connection, race)
        connection.send(moved(None, there.address, ErrorCode.ROOM_CLOSED))
        stopping = await greet(there, here, third, token=TOKEN)
        asked = await stopping.expect(m.AskView)
        assert isinstance(asked, m.AskView)
        gone = moved(None, third.address, ErrorCode.ROOM_CLOSED)
        match answer:
            case "none":
                stopping.send(gone)
            case "in no room":
                stopping.send(gone, m.Error(asked.id, ErrorCode.IN_NO_ROOM, "You are in no room."))
            case _:  # all of it comes at once
                messages = (m.Ok(asked.id), *race.everything(), gone)
                stopping.send_bytes(b"".join(map(encode_server_message, messages)))
        other = await greet(third, here, there, token=TOKEN)
        await answer_view(other, race)
        await until(link, "connected")
        submitting = asyncio.create_task(session.submit(0, 1, ShiftGear(2)))
        await race.answer_act(other)
        await submitting
        assert (link.address, link.ended, link.waits_for) == (third.address, None, "")
        await link.close()


async def test_a_seat_whose_room_moves_on_while_it_is_taken_again_is_found_there(tmp_path: Path) -> None:
    async with fakes(2) as (here, there):
        folders = folders_in(tmp_path)
        saved = SavedSession(str(here.address), "own", "KXFRM", "Ana")
        save_seat(folders, saved)
        told: list[str] = []
        rejoining = asyncio.create_task(ServerStay.rejoin(folders, saved, told.append))
        stopping = await greet(here, there, token="own")
        await stopping.expect(m.AskView)
        stopping.send(moved(None, there.address, ErrorCode.ROOM_CLOSED))
        await answer_view(await greet(there, here, token="own"), FakeRace())
        stay = await rejoining
        assert (stay.link.address, told) == (there.address, [MOVING])
        await stay.close()


@pytest.mark.parametrize("code", [ErrorCode.NOT_SAVED, ErrorCode.NOT_READ])
async def test_a_room_that_cannot_be_given_at_the_moment_is_asked_for_again(code: ErrorCode) -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        race = FakeRace()
        await race_on(link, connection, race)
        connection.drop()
        first = await greet(here, there, token=TOKEN)
        asked = await first.expect(m.AskView)
        first.send(m.Error(asked.id, code, "The server could not save that."))
        await answer_view(await greet(there, here, token=TOKEN), race)
        await until(link, "connected")
        assert link.ended is None


async def test_a_link_that_is_sent_on_in_vain_goes_on_as_after_any_loss() -> None:
    """A server that sends clients to itself gets none sooner, nor does one that is not there."""
    pauses: list[int] = []

    def pause(attempt: int) -> float:
        pauses.append(attempt)
        return 0.0

    async with fakes(2) as (here, there):
        link = ServerLink(here.address, DIRECT, pause=pause)
        connection = await opened(link, here, there)
        race = FakeRace()
        await race_on(link, connection, race)
        connection.send(moved(None, here.address, ErrorCode.ROOM_CLOSED))
        await until(link, "reconnecting")
        connection = await greet(here, there, token=TOKEN)
        await answer_view(connection, race)
        await until(link, "connected")
        assert pauses == [0]
        connection.send(moved(None, there.address, ErrorCode.ROOM_CLOSED))
        for fake in (there, here):
            (await fake.accept()).drop()
        await until(link, "reconnecting")
        await answer_view(await greet(there, here, token=TOKEN), race)
        await until(link, "connected")
        assert pauses == [0, 1]
        await link.close()


async def test_who_was_in_no_room_begins_anew_at_another_server() -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        connection.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
        stranger = await there.accept()
        hello = await stranger.expect(m.Hello)
        assert isinstance(hello, m.Hello)
        assert hello.token == TOKEN
        stranger.send(m.Error(hello.id, ErrorCode.UNKNOWN_TOKEN, "The server no longer has a seat for you."))
        await greet(there, here)
        while link.state != "connected":
            await link.wait(link.changes)
        assert (link.address, link.ended) == (there.address, None)


async def test_a_token_is_led_to_its_seat_and_the_seat_saved_with_all_servers(tmp_path: Path) -> None:
    async with fakes(2) as (here, there):
        folders = folders_in(tmp_path)
        saved = SavedSession(str(here.address), "own", "KXFRM", "Ana")
        save_seat(folders, saved)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders, saved))
        await send_on(here, there.address)
        other = await greet(there, here, token="own")
        await answer_view(other, FakeRace())
        stay = await rejoining
        servers = (str(there.address), str(here.address))
        seat = SavedSession(str(there.address), "own", "KXFRM", "Ana", servers, str(here.address))
        assert stay._file.saved == seat
        await stay.close()


async def test_a_seat_is_found_by_the_servers_saved_with_it_when_its_own_is_gone(tmp_path: Path) -> None:
    async with fakes(1) as (there,):
        folders = folders_in(tmp_path)
        saved = SavedSession("127.0.0.1:1", "own", "KXFRM", "Ana", ("127.0.0.1:1", str(there.address)))
        save_seat(folders, saved)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders, saved))
        await answer_view(await greet(there, token="own"), FakeRace())
        stay = await rejoining
        assert stay.link.address == there.address
        await stay.close()


async def test_a_guests_seat_is_sought_at_the_doors_own_server_first(tmp_path: Path) -> None:
    async with fakes(2) as (door, there):
        folders = folders_in(tmp_path)._replace(guest_of=door.address)
        servers = (str(there.address), str(door.address))
        saved = SavedSession(str(there.address), "own", "KXFRM", "Ana", servers)
        save_seat(folders, saved)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders, saved))
        await send_on(door, there.address)
        await answer_view(await greet(there, door, token="own"), FakeRace())
        stay = await rejoining
        assert stay.link.address == there.address
        await stay.close()


async def test_a_guest_reaches_the_other_servers_past_the_door_socket(tmp_path: Path) -> None:
    """It belongs to the door's own server, and no other one believes what is said of a guest's address."""
    async with fakes(1) as (there,):
        way = DoorWay(tmp_path / "no socket", "192.0.2.7")
        door = Address("127.0.0.1", 1)
        dialler = Dialler(KnownServers(None), way, door)
        assert dialler.header_for(door) == way.header
        assert dialler.header_for(there.address) == b""
        with pytest.raises(ConnectFailed, match="server of this door"):
            await dialler.dial(door)
        _, writer = await dialler.dial(there.address)
        writer.close()


async def test_servers_that_send_a_client_round_in_circles_are_left(tmp_path: Path) -> None:
    async with fakes(2) as (here, there):
        link = ServerLink(here.address, DIRECT)
        opening = asyncio.create_task(link.open("own"))
        for hop in range(MOST_HOPS + 1):
            first, second = (here, there) if hop % 2 == 0 else (there, here)
            await send_on(first, second.address)
        with pytest.raises(ConnectFailed, match="on another server"):
            await opening


@pytest.mark.parametrize("is_closed", [True, False])
async def test_a_way_to_another_server_is_given_up_when_the_link_changes_meanwhile(is_closed: bool) -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, there.address))
        other = await there.accept()
        hello = await other.expect(m.Hello)
        if is_closed:
            await link.close()
        else:
            connection.drop()
            await answer_view(await greet(here, there, token=TOKEN), FakeRace())
            while link.state != "connected":
                await link.wait(link.changes)
        other.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", "of-the-other", servers=()))
        with pytest.raises(ConnectionLost):
            await joining
        assert await other.heard() == b""
        assert (link.state, link.token) == ("offline" if is_closed else "connected", TOKEN)
        assert link.address == here.address


async def test_the_server_that_was_chosen_is_one_of_those_that_it_names() -> None:
    """A player types a name, the server says its number: the same one is not tried twice."""
    fleet = Fleet(Address("club.example"))
    fleet.note(Address("club.example"), ("192.0.2.1:7777", "192.0.2.2:7777"))
    assert fleet.servers == ("club.example:7777", "192.0.2.2:7777")
    assert fleet.has_others


async def test_of_many_servers_an_attempt_asks_a_few() -> None:
    fleet = Fleet(Address("a.example"), [f"192.0.2.{number}" for number in range(1, 99)])
    fleet.begin_at("")
    tried = fleet._to_try()
    assert len(set(tried)) == len(tried) == MOST_TRIED
    assert tried[0] != fleet.address


async def test_a_server_that_started_after_the_client_came_takes_it_in() -> None:
    async with fakes(2) as (here, there):
        link = ServerLink(here.address, DIRECT, pause=lambda attempt: 0.0)
        opening = asyncio.create_task(link.open())
        connection = await here.accept()
        await connection.welcome()
        await opening
        assert not link.servers
        asking = asyncio.create_task(link.request(m.Ping(0)))
        ping = await connection.expect(m.Ping)
        connection.send(m.Pong(ping.id, (str(here.address), str(there.address))))
        await asking
        assert link.servers == (str(here.address), str(there.address))
        connection.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
        await greet(there, here, token=TOKEN)
        await link.close()


async def test_a_seat_is_saved_with_the_servers_that_came_later(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    async with fakes(2) as (here, there):
        save_seat(folders, SavedSession(str(here.address), TOKEN, "KXFRM", "Ana"))
        (saved,) = saved_sessions(folders)
        coming = asyncio.create_task(ServerStay.rejoin(folders, saved))
        connection = await here.accept()
        await connection.welcome()
        await answer_view(connection, FakeRace())
        stay = await coming
        asking = asyncio.create_task(stay.link.request(m.Ping(0)))
        ping = await connection.expect(m.Ping)
        connection.send(m.Pong(ping.id, (str(here.address), str(there.address))))
        await asking
        await stay.close()
        (saved,) = saved_sessions(folders)
        assert saved.servers == (str(here.address), str(there.address))


async def test_a_server_that_says_something_all_the_time_is_asked_for_news_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("heat_tui.client.connection.PING_SECONDS", 3600)
    monkeypatch.setattr("heat_tui.client.connection.NEWS_SECONDS", 0.05)
    async with fakes(2) as (here, there), linked(here, there) as (_, connection):
        for _ in range(3):
            ping = await connection.expect(m.Ping)
            connection.send(FakeRace().room(), m.Pong(ping.id))
