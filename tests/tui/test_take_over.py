"""A client that starts after its race's server has died: it says what it waits for, and is in."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heat_core.wire import messages as m
from heat_core.wire.address import Address
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client import take_over
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.connection import RequestRefused
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.client.take_over import NOBODY, ROOM_WAITING, SILENT_OWNER, WAITING
from heat_tui.flow.way_back import NoWayBack, rejoin
from tests.tui.fake_server import FakeRace, FakeServer
from tests.tui.support_app import folders_in, save_seat
from tests.tui.support_fleet import answer_view, fakes, greet, linked, moved, send_on

pytestmark = pytest.mark.asyncio

DEAD = Address("127.0.0.1", 1)


def saved_at(path: Path, address: Address, *servers: FakeServer) -> SavedSession:
    """Save a seat at a server, with all of its fleet."""
    named = tuple(str(server.address) for server in servers)
    seat = SavedSession(str(address), "own", "KXFRM", "Ana", (str(address), *named) if named else ())
    save_seat(folders_in(path), seat)
    return seat


async def not_now(fake: FakeServer) -> None:
    """Tell a client at its hello that its room cannot be read at the moment."""
    connection = await fake.accept()
    hello = await connection.expect(m.Hello)
    connection.send(m.Error(hello.id, ErrorCode.NOT_READ, "The server cannot read that race now."))


@pytest.mark.spec("FLEET-4")
async def test_who_starts_before_anybody_has_taken_over_waits_and_is_in(tmp_path: Path) -> None:
    async with fakes(1) as (there,):
        seat = saved_at(tmp_path, DEAD, there)
        told: list[str] = []
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat, told.append))
        await send_on(there, DEAD)
        await not_now(there)
        await answer_view(await greet(there, token="own"), FakeRace())
        stay = await rejoining
        assert stay.link.address == there.address
        assert told == [SILENT_OWNER.format(DEAD)]
        assert stay.link.chat.lines[0].text == f"This room is on {there.address}."
        await stay.close()


async def test_a_server_that_died_and_runs_again_waits_for_its_own_lease_to_end(tmp_path: Path) -> None:
    """The process before it has the room, at the same address."""
    async with fakes(1) as (here,):
        seat = saved_at(tmp_path, here.address)
        told: list[str] = []
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat, told.append))
        await send_on(here, here.address)
        await answer_view(await greet(here, token="own"), FakeRace())
        stay = await rejoining
        assert told == [WAITING]
        await stay.close()


async def test_a_seat_that_nobody_takes_over_stays_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_over, "TAKE_OVER_SECONDS", 0.0)
    async with fakes(1) as (there,):
        seat = saved_at(tmp_path, DEAD, there)
        rejoining = asyncio.create_task(rejoin(folders_in(tmp_path), seat, lambda _: None))
        await send_on(there, DEAD)
        assert await rejoining == NoWayBack(NOBODY)
        assert saved_sessions(folders_in(tmp_path)) == [seat]


async def test_who_starts_while_the_database_is_away_reads_that_and_of_no_server_that_has_gone(
    tmp_path: Path,
) -> None:
    async with fakes(2) as (here, there):
        seat = saved_at(tmp_path, here.address, here, there)
        told: list[str] = []
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat, told.append))
        await not_now(here)
        await not_now(there)
        await answer_view(await greet(here, token="own"), FakeRace())
        stay = await rejoining
        assert told == ["The server cannot read that race now."]
        await stay.close()


async def test_one_server_alone_that_cannot_read_the_race_is_not_waited_for(tmp_path: Path) -> None:
    async with fakes(1) as (here,):
        seat = saved_at(tmp_path, here.address)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        await not_now(here)
        with pytest.raises(ConnectFailed, match="cannot read that race now"):
            await rejoining


async def test_a_seat_that_is_waited_for_no_longer_can_be_taken_again(tmp_path: Path) -> None:
    async with fakes(1) as (there,):
        seat = saved_at(tmp_path, DEAD, there)
        waits = asyncio.Event()
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat, lambda _: waits.set()))
        await send_on(there, DEAD)
        await waits.wait()
        rejoining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await rejoining
        again = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        await answer_view(await greet(there, token="own"), FakeRace())
        await (await again).close()


async def test_who_hangs_up_while_the_server_is_asked_for_the_room_is_there_no_longer(tmp_path: Path) -> None:
    """A line that nobody holds any more would keep the seat taken for as long as the program runs."""
    async with fakes(1) as (here,):
        seat = saved_at(tmp_path, here.address)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        connection = await greet(here, token="own")
        await connection.expect(m.AskView)
        rejoining.cancel()
        assert await connection.heard() == b""
        again = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        await answer_view(first := await greet(here, token="own"), FakeRace())
        stay = await again
        first.drop()
        connection = await greet(here, token="own")
        await connection.expect(m.AskView)
        await stay.close()
        assert await connection.heard() == b""


async def test_who_hangs_up_on_the_way_into_the_lobby_is_there_no_longer(tmp_path: Path) -> None:
    async with fakes(1) as (here,):
        seat = saved_at(tmp_path, here.address)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        connection = await greet(here, token="own")
        asked = await connection.expect(m.AskView)
        connection.send(m.Error(asked.id, ErrorCode.IN_NO_ROOM, "You are in no room."))
        await connection.expect(m.Join)
        rejoining.cancel()
        assert await connection.heard() == b""


async def test_who_names_a_server_that_is_gone_comes_to_one_that_shares_their_race(tmp_path: Path) -> None:
    async with fakes(1) as (there,):
        saved_at(tmp_path, DEAD, there)
        beginning = asyncio.create_task(ServerStay.begin(folders_in(tmp_path), DEAD))
        await greet(there)
        stay = await beginning
        assert stay.link.address == there.address
        await stay.close()
    with pytest.raises(ConnectFailed, match=f"Nothing listens at {DEAD}"):
        await ServerStay.begin(folders_in(tmp_path / "somebody else"), DEAD)


async def test_a_server_that_was_away_for_a_while_is_not_forgotten(tmp_path: Path) -> None:
    """The servers are replaced one by one: while one is away, the other knows no third one."""
    async with fakes(2) as (here, there):
        seat = saved_at(tmp_path, here.address, here, there)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders_in(tmp_path), seat))
        race = FakeRace()
        alone = await greet(here, token="own")
        await answer_view(alone, race)
        stay = await rejoining
        alone.send(m.Bye(ByeCode.SERVER_STOPS, "The server is being stopped."))
        other = await there.accept()
        hello = await other.expect(m.Hello)
        other.send(m.Welcome(hello.id, m.PROTOCOL, "fake", "0", "own"))
        await answer_view(other, race)
        while stay.link.state != "connected":
            await stay.link.wait(stay.link.changes)
        assert stay.link.address == there.address
        assert set(stay.link.servers) == {str(there.address), str(here.address)}
        await stay.close()


async def test_a_guest_goes_to_no_server_that_the_doors_own_one_does_not_name(tmp_path: Path) -> None:
    """A seat may be older than the fleet: what it names besides is not asked while that server answers."""
    async with fakes(2) as (door, elsewhere):
        seat = saved_at(tmp_path, elsewhere.address, elsewhere)
        folders = folders_in(tmp_path)._replace(guest_of=door.address)
        rejoining = asyncio.create_task(ServerStay.rejoin(folders, seat))
        asked = await door.accept()
        hello = await asked.expect(m.Hello)
        asked.send(m.Error(hello.id, ErrorCode.UNKNOWN_TOKEN, "The server no longer has a seat for you."))
        with pytest.raises(RequestRefused, match="no longer has a seat"):
            await rejoining
        assert elsewhere.connections.empty()


async def test_who_joins_a_room_whose_server_has_just_died_reads_that_another_one_takes_over() -> None:
    async with fakes(2) as (here, there), linked(here, there) as (link, connection):
        joining = asyncio.create_task(link.request(m.Join(0, "KXFRM", "Ana")))
        asked = await connection.expect(m.Join)
        connection.send(moved(asked.id, DEAD))
        with pytest.raises(RequestRefused) as refused:
            await joining
        assert refused.value.text == ROOM_WAITING
        assert link.state == "connected"
