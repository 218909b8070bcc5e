"""Peers that send rubbish, too much, or nothing."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]
import pytest
import trio
from trio.testing import MockClock

from heat_core.wire.codec import MOST_CLIENT_BYTES
from heat_core.wire.messages import PROTOCOL, Create, Error, Hello, Ping, RoomOptions, ServerMessage, Update
from heat_server.config import ServerConfig
from tests.server.support import QUICK, House, HungUp, Player

pytestmark = pytest.mark.trio


def frame(value: object) -> bytes:
    payload: bytes = value if isinstance(value, bytes) else msgpack.packb(value)
    return len(payload).to_bytes(4, "big") + payload


async def read_to_the_end(player: Player) -> list[ServerMessage]:
    messages = []
    while True:
        try:
            messages.append(await player.receive())
        except HungUp:
            return messages


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        bytes.fromhex("160301020001000001fc0303"),
        b"\xff\xfb\x1f\xff\xfb\x20",
        (0).to_bytes(4, "big"),
        (2**31).to_bytes(4, "big"),
        (2**32 - 1).to_bytes(4, "big"),
        (MOST_CLIENT_BYTES + 1).to_bytes(4, "big"),
    ],
)
@pytest.mark.parametrize("after_hello", [False, True])
async def test_a_stream_that_is_none_is_hung_up_on(
    data: bytes, after_hello: bool, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    other = await house.player()
    bad = await house.player() if after_hello else house.connect()
    await bad.stream.send_all(data)
    await read_to_the_end(bad)
    assert bad.bye is not None
    assert bad.bye.code == "bye/bad_frame"
    await other.ping()
    assert len(house.server.connections) == 1


async def test_a_wrong_message_is_answered_and_the_next_is_read(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    player = await House(nursery).player()
    for bad, code in [
        (b"\xc1", "wire/bad_messagepack"),
        ([1, 2], "wire/bad_messagepack"),
        ({"type": "fly", "id": 7}, "wire/unknown_type"),
        ({"type": "ping", "id": True}, "wire/bad_message"),
        ({"type": "say", "id": 7, "more": 1}, "wire/bad_message"),
        ({"type": "welcome", "re": 7}, "wire/unknown_type"),
    ]:
        await player.stream.send_all(frame(bad))
        error = await player.wait_for(Error)
        assert error.code == code
        await player.ping()


async def test_too_many_wrong_messages_end_the_connection(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    player = await House(nursery, ServerConfig(most_errors=3)).player()
    await player.stream.send_all(frame(b"\xc1") * 5)
    messages = await read_to_the_end(player)
    assert len([message for message in messages if isinstance(message, Error)]) == 3
    assert player.bye is not None
    assert player.bye.code == "bye/too_many_errors"


async def test_hello_comes_first_and_once(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    player = House(nursery).connect()
    assert await player.refused(Ping(player.id())) == "hello/first"
    assert await player.refused(Create(player.id(), "ana")) == "hello/first"
    await player.hello()
    assert await player.refused(Hello(player.id(), PROTOCOL)) == "hello/twice"


@pytest.mark.spec("APP-6.5")
@pytest.mark.parametrize("protocol", [0, 1, 1000])
@pytest.mark.parametrize("more", [{"colour": "mauve"}, {"weight": 0.5, "tags": ["x"] * 1000, "key": b"\0"}])
async def test_another_version_is_told_both(
    protocol: int, more: dict[str, object], nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    player = House(nursery).connect()
    await player.stream.send_all(frame({"type": "hello", "id": 1, "protocol": protocol, "program": 5} | more))
    error, _ = await read_to_the_end(player)
    assert isinstance(error, Error)
    assert error.code == "hello/other_version"
    assert f"version {PROTOCOL} " in error.text
    assert f"version {protocol}." in error.text


async def test_who_says_nothing_is_hung_up_on(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    player = House(nursery).connect()
    await player.stream.send_all(b"\0\0")
    await read_to_the_end(player)
    assert player.bye is not None
    assert player.bye.code == "bye/no_hello"
    assert trio.current_time() == pytest.approx(10, abs=0.1)


async def test_a_flood_is_read_no_faster_than_allowed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig(messages_per_second=10, messages_at_once=5))
    flooder, other = await house.player(), await house.player()
    began = trio.current_time()
    for _ in range(100):
        await flooder.send(Ping(1))
    await other.ping()
    assert trio.current_time() == began
    for _ in range(100):
        await flooder.receive()
    assert trio.current_time() - began == pytest.approx(9.6, abs=0.3)


async def test_more_connections_than_allowed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(most_connections=2))
    first, _ = await house.player(), await house.player()
    third = house.connect()
    await read_to_the_end(third)
    assert third.bye is not None
    assert third.bye.code == "bye/server_full"
    await first.ping()


async def test_two_hundred_that_speak_something_else(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ana.start()
    for number in range(200):
        await house.connect().stream.send_all(bytes([number]) * 50)
    async with trio.open_nursery() as playing:
        playing.start_soon(ana.race)
        playing.start_soon(ben.race)
    assert ana.view.end == "finished"


async def test_a_fault_in_one_room_stays_there(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    cy, dee = await house.full_lobby(["cy", "dee"])
    await ana.start()
    await cy.start()
    assert ana.room is not None
    race = house.server.rooms[ana.room.code].state.race
    assert race is not None
    del race.table._answered  # a table that cannot be
    act = ana.next_act()
    assert act is not None
    assert await ana.refused(act) == "room/crashed"
    error = await ben.wait_for(Error)
    assert (error.re, error.code) == (None, "room/crashed")
    assert "Traceback" not in error.text
    async with trio.open_nursery() as playing:
        playing.start_soon(cy.race)
        playing.start_soon(dee.race)
    assert cy.view.end == "finished"
    await ben.create("ben", QUICK)


async def test_the_server_says_bye_when_it_stops(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    player = await house.player()
    await player.create("ana", RoomOptions())
    await house.server.stop()
    await read_to_the_end(player)
    assert player.bye is not None
    assert player.bye.code == "bye/server_stops"
    late = house.connect()
    await read_to_the_end(late)
    assert late.bye is not None
    assert late.bye.code == "bye/server_stops"


async def test_hanging_up_within_a_frame_harms_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.start()
    await ben.stream.send_all(b"\0\0\0\x20\x82")
    await ben.hang_up()
    await ana.wait_for(Update, lambda update: update.away == (1,))
    await ana.race()
    assert ana.view.end == "finished"
