"""What the operator sees of a running server, and does about it."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.wire.lan import Doors
from heat_core.wire.messages import PROTOCOL, Error, Hello, Ping, RoomOptions, Update
from heat_core.wire.operator import (
    AnnounceDoors,
    AskBans,
    AskConnections,
    AskRooms,
    Ban,
    BanInfo,
    Bans,
    CloseRoom,
    ConnectionList,
    Done,
    NotDone,
    OpenRoom,
    Remove,
    RoomInfo,
    Rooms,
    Unban,
)
from heat_server.config import ServerConfig
from heat_server.operator.commands import bans_text
from heat_server.operator.handlers import answer_operator
from heat_server.operator.socket import MOST_REQUEST_BYTES, NoAnswer, ask_operator
from heat_server.operator.status import status_of
from heat_server.store.contract import Store
from tests.server.operators import ask_status, house_with_socket
from tests.server.support import UNHURRIED, House, HungUp, Player, server_on

pytestmark = pytest.mark.trio


async def bye_of(player: Player) -> str:
    with pytest.raises(HungUp):
        await player.wait_for(int)
    assert player.bye is not None
    return str(player.bye.code)


async def test_connections_are_listed_with_all_that_finds_them(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.7")
    code = await ana.create("ana")
    await trio.sleep(5)
    house.connect(peer="2001:db8:1:2::/64")
    await trio.sleep(2)
    await ana.ping()
    answer = await answer_operator(house.server, AskConnections())
    assert isinstance(answer, ConnectionList)
    first, second = answer.connections
    assert (first.number, first.peer, first.program, first.room, first.name) == (
        1,
        "192.0.2.7",
        "scripted 1",
        code,
        "ana",
    )
    assert (first.open_seconds, first.silent_seconds) == (7, 0)
    assert (second.number, second.peer, second.program, second.room, second.name) == (
        2,
        "2001:db8:1:2::/64",
        "",
        "",
        "",
    )
    assert (second.open_seconds, second.silent_seconds) == (2, 2)


async def test_the_doors_of_the_machine_are_known_to_the_server_once_they_are_named(
    nursery: trio.Nursery,
) -> None:
    house = House(nursery)
    assert house.server.doors == Doors()
    assert isinstance(await answer_operator(house.server, AnnounceDoors(Doors(ssh=2222))), Done)
    assert house.server.doors == Doors(ssh=2222, web=None)


async def test_a_room_that_the_operator_opens_waits_for_whoever_comes_and_keeps_its_code(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    opening = OpenRoom("k7qx4", RoomOptions(track="italy"))
    assert await answer_operator(house.server, opening) == Done("K7QX4")
    await trio.sleep(7 * 86_400)
    ana = await house.player()
    assert [(room.code, room.players) for room in (await ana.rooms()).rooms] == [("K7QX4", 0)], "it is listed"
    await ana.join("K7QX4", "ana")
    assert await answer_operator(house.server, opening) == Done("K7QX4"), "it is there already"
    asked = await answer_operator(house.server, AskRooms())
    assert asked == Rooms((RoomInfo("K7QX4", "lobby", "italy", 1, 0, "ana"),)), "the first is the host"
    await ana.leave()
    await trio.sleep(7 * 86_400)
    assert await answer_operator(house.server, CloseRoom("K7QX4")) == Done("room K7QX4 is closed")
    await trio.testing.wait_all_tasks_blocked()
    assert await answer_operator(house.server, AskRooms()) == Rooms(())


async def test_a_race_that_sleeps_is_still_the_room_of_its_code(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, _ = await house.full_lobby(["ana", "ben"])
        await ana.start()
    async with server_on(store) as house:
        assert ana.code in house.server.rooms.sleeping
        assert await answer_operator(house.server, OpenRoom(ana.code, RoomOptions())) == Done(ana.code)
        assert ana.code in house.server.rooms.sleeping, "its drivers wake it"


@pytest.mark.parametrize("code", ["no+code", "x" * 40, "\x1b[2J"])
async def test_a_room_is_opened_under_no_code_that_nobody_could_type(
    nursery: trio.Nursery, code: str
) -> None:
    house = House(nursery)
    assert isinstance(await answer_operator(house.server, OpenRoom(code, RoomOptions())), NotDone)
    assert not house.server.rooms


async def test_a_room_is_closed_awake_or_asleep_and_its_record_stays(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.full_lobby(["ana", "ben"])
        await ana.start()
        typed = f" {ana.code[:2].lower()}-{ana.code[2:]}"
        assert await answer_operator(house.server, CloseRoom(typed)) == Done(f"room {ana.code} is closed")
        for player in (ana, ben):
            error = await player.wait_for(Error)
            assert (error.re, error.code, error.text) == (
                None,
                "room/closed",
                "The server's operator has closed the room.",
            )
        assert not house.server.rooms
        assert store.list_matches(1)[0].outcome == "closed"
        assert await answer_operator(house.server, CloseRoom(ana.code)) == NotDone(
            "no room has this code; `heat-server connections` shows which rooms people are in"
        )
        await ana.create("ana")
        await ana.bot(1, "steady")
        await ana.start()
        code = ana.code
        await ana.hang_up()
        await trio.sleep(UNHURRIED.sleep_seconds + 1)
        assert code in house.server.rooms.sleeping
        assert await answer_operator(house.server, CloseRoom(code)) == Done(f"room {code} is closed")
        assert not house.server.rooms
        assert not len(house.server.rooms.sleeping)
        assert not store.open_matches()


@pytest.mark.parametrize("who", ["1", "192.0.2.7", "192.0.2.0/24"])
async def test_who_is_removed_is_disconnected_and_may_come_back(
    who: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player(peer="192.0.2.7")
    await ana.create("ana")
    ben = await house.player(peer="198.51.100.1")
    assert await answer_operator(house.server, Remove(who)) == Done("1 connection closed")
    assert await bye_of(ana) == "bye/removed"
    await ben.ping()
    assert await answer_operator(house.server, Remove(who)) == NotDone("no such connection is open")
    await house.back(ana)


async def test_a_ban_disconnects_and_holds_over_restarts_until_it_is_lifted(
    store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(store) as house:
        ana, ben = await house.player(peer="192.0.2.7"), await house.player(peer="192.0.2.8")
        assert await answer_operator(house.server, Ban("192.0.2.7", " floods  the chat ")) == Done(
            "192.0.2.7 is banned, 1 connection closed"
        )
        assert await bye_of(ana) == "bye/banned"
        await ben.ping()
    async with server_on(store) as house:
        assert await bye_of(house.connect(peer="192.0.2.7")) == "bye/banned"
        assert await answer_operator(house.server, AskBans()) == Bans(
            (BanInfo("192.0.2.7", "floods the chat"),)
        )
        assert await answer_operator(house.server, Unban("192.0.2.0/24")) == NotDone(
            "192.0.2.0/24 is not banned; `heat-server bans` lists the bans"
        )
        assert await answer_operator(house.server, Unban("192.0.2.7")) == Done(
            "the ban of 192.0.2.7 is lifted"
        )
        await house.player(peer="192.0.2.7")


async def test_a_ban_that_cannot_be_saved_says_so(
    tmp_path: Path, store: Store, autojump_clock: MockClock
) -> None:
    path = tmp_path / "store.sqlite3.banned"
    async with server_on(store) as house:
        await answer_operator(house.server, Ban("192.0.2.8", "cheats"))
        path.unlink()
        path.mkdir()
        assert await answer_operator(house.server, Ban("192.0.2.7", "floods")) == Done(
            "192.0.2.7 is banned on this server until it stops; "
            f"the ban cannot be saved: {path}: Is a directory"
        )
        assert await bye_of(house.connect(peer="192.0.2.7")) == "bye/banned"
        answer = await answer_operator(house.server, AskBans())
        assert isinstance(answer, Bans)
        assert bans_text(answer).splitlines() == [
            "192.0.2.7  not saved: only at this server, until it stops  floods",
            "192.0.2.8                                                  cheats",
        ]
        with structlog.testing.capture_logs() as lines:
            assert await answer_operator(house.server, Unban("192.0.2.8")) == NotDone(
                "192.0.2.8 is not banned on this server until it stops; "
                f"the change cannot be saved: {path}: Is a directory"
            )
        assert "ban lifted by the operator, but not saved" in [line["event"] for line in lines]
        await house.player(peer="192.0.2.8")


async def test_a_full_list_of_bans_says_what_to_do(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heat_server.net.bans.MOST_BANS", 1)
    house = House(nursery)
    assert isinstance(await answer_operator(house.server, Ban("192.0.2.7")), Done)
    assert await answer_operator(house.server, Ban("192.0.2.8")) == NotDone(
        "the list of bans is full (10,000): lift some, or ban wider networks"
    )
    await house.player(peer="192.0.2.8")
    assert isinstance(await answer_operator(house.server, Ban("192.0.2.7", "a note")), Done)


@pytest.mark.parametrize("request_type", [Remove, Ban, Unban])
@pytest.mark.parametrize("text", ["", "ana", "192.0.2.7/24", "[b]", "\x1b[2J", "²"])
async def test_what_is_no_address_is_said_to_be_none(
    request_type: type[Remove | Ban | Unban], text: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    player = await house.player(peer="192.0.2.7")
    answer = await answer_operator(house.server, request_type(text))
    assert isinstance(answer, NotDone)
    assert "network" in answer.text
    assert answer.text.isprintable()
    await player.ping()


@pytest.mark.parametrize("note", ["x" * 101, "\x1b[2J", "a\0b"])
async def test_a_note_is_one_short_line(note: str, nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    assert isinstance(await answer_operator(house.server, Ban("192.0.2.7", note)), NotDone)
    await house.player(peer="192.0.2.7")


async def test_a_status_counts_what_was_refused_dropped_and_malformed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(connections_per_address=2, hello_seconds=1, most_errors=3))
    ana = await house.player(peer="192.0.2.7")
    await ana.refused(Hello(ana.id(), PROTOCOL))
    await ana.stream.send_all(b"\0\0\0\1\xc1\0\0\0\1\xc0")
    await ana.wait_for(Error)
    assert await bye_of(ana) == "bye/too_many_errors"
    assert await bye_of(house.connect(peer="192.0.2.7")) == "bye/no_hello"
    for _ in range(2):
        await house.player(peer="192.0.2.7")
    assert await bye_of(house.connect(peer="192.0.2.7")) == "bye/address_full"
    stranger = house.connect()
    await stranger.send(Ping(1))
    await stranger.stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
    assert await bye_of(stranger) == "bye/bad_frame"
    status = status_of(house.server)
    assert status.refused == {"bye/address_full": 1, "hello/first": 1, "hello/twice": 1}
    assert status.dropped == {"bye/no_hello": 1, "bye/too_many_errors": 1}
    assert status.malformed == {"wire/bad_messagepack": 2, "bye/bad_frame": 1}
    assert list(status.malformed) == ["wire/bad_messagepack", "bye/bad_frame"]


RUBBISH = [
    b"",
    b"\n",
    b"{}\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b'{"type":"fly"}\n',
    b'{"type":"ban"}\n',
    b'{"type":"ban","network":7}\n',
    b'{"type":"status"} {"type":"status"}\n',
    b"\xff\xfe\n",
    b"[" * (MOST_REQUEST_BYTES + 1),
    b'{"type":"status","more":' + b"[" * (MOST_REQUEST_BYTES - 100),
]


@pytest.mark.parametrize("data", RUBBISH, ids=range(len(RUBBISH)))
async def test_rubbish_at_the_local_socket_is_answered_and_harms_nothing(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "status.sock"
    async with trio.open_nursery() as nursery:
        await house_with_socket(nursery, path)
        async with await trio.open_unix_socket(os.fspath(path)) as stream:
            await stream.send_all(data)
            await stream.send_eof()
            assert b'"not_done"' in await stream.receive_some(4096)
        assert (await trio.to_thread.run_sync(ask_status, path)).process == os.getpid()
        nursery.cancel_scope.cancel()


async def test_a_fault_of_the_server_in_an_answer_ends_no_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(server: object, request: object) -> None:
        raise ZeroDivisionError

    path = tmp_path / "status.sock"
    async with trio.open_nursery() as nursery:
        await house_with_socket(nursery, path)
        with monkeypatch.context() as patched:
            patched.setattr("heat_server.operator.socket.answer_operator", broken)
            assert isinstance(await trio.to_thread.run_sync(ask_operator, path, AskRooms()), NotDone)
        assert (await trio.to_thread.run_sync(ask_status, path)).process == os.getpid()
        nursery.cancel_scope.cancel()


async def test_the_number_of_a_connection_may_be_of_any_length(nursery: trio.Nursery) -> None:
    house = House(nursery)
    await house.player()
    for who in ("9" * 5_000, "0", "00"):
        assert await answer_operator(house.server, Remove(who)) == NotDone("no such connection is open")
    assert await answer_operator(house.server, Remove("001")) == Done("1 connection closed")


async def test_another_user_is_not_heard_however_they_got_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "status.sock"
    async with trio.open_nursery() as nursery:
        house = await house_with_socket(nursery, path)
        own, other = os.geteuid() + 1, os.getuid()
        if other == 0:  # root may ask any server: have the system name somebody else

            def credentials(*_: object) -> bytes:
                return struct.pack("3i", 1, 4711, 4711)

            monkeypatch.setattr(trio.SocketStream, "getsockopt", credentials)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: own)
        with pytest.raises(NoAnswer):
            await trio.to_thread.run_sync(ask_operator, path, Ban("192.0.2.0/24"))
        assert not list(house.server.bans)
        nursery.cancel_scope.cancel()


async def test_a_driver_who_is_banned_in_a_race_is_driven_for(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.player(peer="192.0.2.7"), await house.player(peer="192.0.2.8")
    code = await ana.create("ana")
    await ben.join(code, "ben")
    await ben.seat(ready=True)
    await ana.start()
    await answer_operator(house.server, Ban("192.0.2.8"))
    await ana.wait_for(Update, lambda update: update.away == (1,))
    await ana.race()
    assert ana.view.end == "finished"
