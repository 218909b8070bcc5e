"""What a client says of a peer that is no server, or one of another version."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from heat_core.wire import messages as m
from heat_core.wire.codes import ByeCode, ErrorCode
from heat_tui.client.connect_failed import ConnectFailed
from heat_tui.client.server_link import ServerLink
from tests.tui.fake_server import DIRECT, TOKEN, fake_server
from tests.tui.support_link import SECONDS, linked, state_of

pytestmark = pytest.mark.asyncio


async def test_hello_names_protocol_program_and_version() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake:
        link = ServerLink(fake.address, DIRECT)
        opening = asyncio.create_task(link.open())
        hello = await (await fake.accept()).welcome()
        await opening
        assert (hello.protocol, hello.program, hello.token) == (m.PROTOCOL, "heat-tui", None)
        assert link.token == TOKEN
        assert state_of(link) == "connected"
        await link.close()
        assert state_of(link) == "offline"


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x00\x00\x00\x00",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x03\xc1\xc1\xc1",
        b"\x00\x00\x00\x01\x80",
        b"SSH-2.0-OpenSSH_9.2\r\n",
    ],
)
async def test_what_is_no_heat_server_is_said_in_one_line(data: bytes) -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake:
        opening = asyncio.create_task(ServerLink(fake.address, DIRECT).open())
        (await fake.accept()).send_bytes(data)
        with pytest.raises(ConnectFailed, match="not a heat-server") as caught:
            await opening
        assert caught.value.text.isprintable()


async def test_a_peer_that_hangs_up_and_one_that_is_not_there() -> None:
    async with asyncio.timeout(SECONDS):
        async with fake_server() as fake:
            opening = asyncio.create_task(ServerLink(fake.address, DIRECT).open())
            connection = await fake.accept()
            connection.drop()
            with pytest.raises(ConnectFailed):
                await opening
        with pytest.raises(ConnectFailed, match="Nothing listens at"):
            await ServerLink(fake.address, DIRECT).open()


async def test_an_older_server_names_both_versions() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake:
        opening = asyncio.create_task(ServerLink(fake.address, DIRECT).open())
        connection = await fake.accept()
        hello = await connection.expect(m.Hello)
        connection.send(m.Welcome(hello.id, 0, "old", "0.0.1", "x"))
        told = f"version 0 of the protocol, this program version {m.PROTOCOL}"
        with pytest.raises(ConnectFailed, match=told) as caught:
            await opening
        assert caught.value.is_final


async def test_a_server_that_refuses_the_version_is_believed() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake:
        opening = asyncio.create_task(ServerLink(fake.address, DIRECT).open())
        connection = await fake.accept()
        hello = await connection.expect(m.Hello)
        text = "This server speaks version 7 of the protocol, you speak version 1."
        connection.send(m.Error(hello.id, ErrorCode.OTHER_VERSION, text), m.Bye(ByeCode.OTHER_VERSION, text))
        with pytest.raises(ConnectFailed, match="version 7") as caught:
            await opening
        assert caught.value.is_final


async def test_messages_and_fields_that_only_newer_servers_send_are_passed_over() -> None:
    async with asyncio.timeout(SECONDS), fake_server() as fake, linked(fake) as (link, connection):
        asking = asyncio.create_task(link.request(m.ListRooms(0)))
        asked = await connection.expect(m.ListRooms)
        for fields in (
            {"type": "weather_report", "sky": "grey"},
            {"type": "rooms", "re": asked.id, "rooms": [], "later": {"deep": [1]}},
        ):
            payload = msgspec.msgpack.encode(fields)
            connection.send_bytes(len(payload).to_bytes(4, "big") + payload)
        assert await asking == m.RoomList(asked.id, ())
        assert link.state == "connected"
