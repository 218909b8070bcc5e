"""The PROXY protocol: headers of both versions, whole and in pieces, from proxies and from others."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
import trio

from heat_core.wire.address import Address
from heat_core.wire.codec import encode_client_message
from heat_core.wire.messages import PROTOCOL, Hello, LobbyView, Welcome
from heat_core.wire.proxy import MOST_BINARY_BYTES, SIGNATURE, BadHeader, ProxyHeader, parse_header
from heat_server.config import ServerConfig
from heat_server.listening import addresses_of, open_listeners
from heat_server.net.arrival import MOST_UNANNOUNCED
from heat_server.networks import parse_network
from heat_server.server import Server
from heat_server.store.no_store import NoStore
from heat_server.store.worker import StoreWorker
from tests.patience import PATIENCE_SECONDS
from tests.server.support import HungUp, Player


def binary(command: int, family: int, body: bytes) -> bytes:
    return SIGNATURE + struct.pack("!BBH", command, family, len(body)) + body


def tcp4(source: str, destination: str = "203.0.113.1", more: bytes = b"") -> bytes:
    addresses = ip_address(source).packed + ip_address(destination).packed
    return binary(0x21, 0x11, addresses + struct.pack("!HH", 50_000, 7777) + more)


def tcp6(source: str, destination: str = "2001:db8:ffff::1") -> bytes:
    addresses = ip_address(source).packed + ip_address(destination).packed
    return binary(0x21, 0x21, addresses + struct.pack("!HH", 50_000, 443))


FROM_IPV4 = (ip_address("192.0.2.7"), Address("203.0.113.1", 7777))
FROM_IPV6 = (ip_address("2001:db8::7"), Address("2001:db8:ffff::1", 443))

HEADERS = {
    "v1 TCP4": (b"PROXY TCP4 192.0.2.7 203.0.113.1 50000 7777\r\n", FROM_IPV4),
    "v1 TCP6": (b"PROXY TCP6 2001:db8::7 2001:db8:ffff::1 50000 443\r\n", FROM_IPV6),
    "v1 UNKNOWN": (b"PROXY UNKNOWN\r\n", (None, None)),
    "v1 UNKNOWN with more": (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", (None, None)),
    "v2 TCP4": (tcp4("192.0.2.7"), FROM_IPV4),
    "v2 TCP4 with more": (tcp4("192.0.2.7", more=b"\x04\x00\x03abc" * 50), FROM_IPV4),
    "v2 TCP6": (tcp6("2001:db8::7"), FROM_IPV6),
    "v2 LOCAL": (binary(0x20, 0x00, b""), (None, None)),
    "v2 LOCAL with addresses": (binary(0x20, 0x11, tcp4("192.0.2.7")[16:]), (None, None)),
    "v2 unspecified": (binary(0x21, 0x00, b""), (None, None)),
    "v2 Unix": (binary(0x21, 0x31, b"\0" * 216), (None, None)),
}


@pytest.mark.parametrize(("data", "addresses"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_read_once_it_is_whole(
    data: bytes, addresses: tuple[IPv4Address | IPv6Address | None, Address | None]
) -> None:
    for end in range(len(data)):
        assert parse_header(data[:end]) is None
    for behind in (b"", b"\r\n", b"PROXY "):
        assert parse_header(data + behind) == ProxyHeader(len(data), *addresses)


WRONG = [
    b"\0\0\0\x20\x82",
    b"GET / HTTP/1.1\r\n",
    b"proxy TCP4 192.0.2.7 203.0.113.1 50000 7777\r\n",
    b"PROXY  TCP4 192.0.2.7 203.0.113.1 50000 7777\r\n",
    b"PROXY TCP4 192.0.2.7 203.0.113.1 50000 7777 1\r\n",
    b"PROXY TCP4 192.0.2.7 203.0.113.1 50000\r\n",
    b"PROXY TCP4 2001:db8::7 203.0.113.1 50000 7777\r\n",
    b"PROXY TCP6 192.0.2.7 203.0.113.1 50000 7777\r\n",
    b"PROXY TCP6 fe80::1%eth0 fe80::2 50000 7777\r\n",
    b"PROXY TCP4 192.0.2.300 203.0.113.1 50000 7777\r\n",
    b"PROXY TCP4 192.0.2.7 203.0.113.1 50000 70000\r\n",
    b"PROXY TCP4 192.0.2.7 203.0.113.1 +5000 7777\r\n",
    b"PROXY TCP4 192.0.2.7 203.0.113.1 05000 7777\r\n",
    b"PROXY UDP4 192.0.2.7 203.0.113.1 50000 7777\r\n",
    b"PROXY TCP4 \xff 203.0.113.1 50000 7777\r\n",
    b"PROXY \r\n",
    b"PROXY UNKNOWN" + b" " * 100,
    SIGNATURE + b"\x11\x11\0\x0c",
    SIGNATURE + b"\x22\x11\0\x0c",
    binary(0x21, 0x11, b"\0" * 11),
    binary(0x21, 0x21, b"\0" * 35),
    binary(0x21, 0x11, b"\0" * MOST_BINARY_BYTES),
]


@pytest.mark.parametrize("data", WRONG)
def test_what_is_no_header_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(BadHeader):
        parse_header(data)


def test_no_byte_changed_makes_anything_but_a_header_or_a_refusal() -> None:
    for data, _ in HEADERS.values():
        for place in range(len(data)):
            for value in (0, 1, 0x20, 0x7F, 0xFF):
                try:
                    header = parse_header(data[:place] + bytes([value]) + data[place + 1 :])
                except BadHeader:
                    continue
                assert header is None or header.length <= len(data)


Connect = Callable[[], Awaitable[Player]]


@asynccontextmanager
async def proxied(config: ServerConfig) -> AsyncIterator[tuple[Server, Connect]]:
    """Run a server on a port of this machine, with a way to connect to it."""
    async with trio.open_nursery() as nursery, AsyncExitStack() as streams:
        server = Server(config, nursery, StoreWorker(NoStore(), in_thread=False))
        listeners = await open_listeners(config)
        nursery.start_soon(trio.serve_listeners, server.incoming.from_port, listeners)
        ((_, port),) = addresses_of(listeners)

        async def connect() -> Player:
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            return Player(await streams.enter_async_context(stream))

        yield server, connect
        nursery.cancel_scope.cancel()


TRUSTING = ServerConfig(host="127.0.0.1", port=0, proxies="127.0.0.1", hello_seconds=0.5)
HELLO = encode_client_message(Hello(0, PROTOCOL))


@pytest.mark.trio
@pytest.mark.parametrize("header", [tcp4("192.0.2.7"), HEADERS["v1 TCP4"][0]], ids=["v2", "v1"])
async def test_limits_bans_and_rooms_see_the_players_address(header: bytes) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with proxied(TRUSTING) as (server, connect):
            player = await connect()
            await player.stream.send_all(header + HELLO)  # in one piece: what follows the header counts
            await player.wait_for(Welcome)
            (connection,) = server.connections
            assert connection.peer == "192.0.2.7"
            await player.create()
            assert isinstance(player.room, LobbyView)
            assert player.room.invitation.startswith("heat-tui connect 203.0.113.1:7777 ")
            assert [room.creator for room in server.rooms.values()] == ["192.0.2.7"]
            server.bans.hold(parse_network("192.0.2.0/24"), "")
            banned = await connect()
            await banned.stream.send_all(header)
            with pytest.raises(HungUp):
                await banned.wait_for(Welcome)
            assert banned.bye is not None
            assert banned.bye.code == "bye/banned"
            other = await connect()
            await other.stream.send_all(tcp6("2001:db8::7"))
            await other.hello()


@pytest.mark.trio
@pytest.mark.parametrize("data", [b"", b"PROX", HELLO, *WRONG])
async def test_a_malformed_header_ends_that_connection_alone(data: bytes) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with proxied(TRUSTING) as (server, connect):
            player = await connect()
            await player.stream.send_all(tcp4("192.0.2.7"))
            await player.hello()
            bad = await connect()
            await bad.stream.send_all(data)
            with pytest.raises(HungUp):
                await bad.receive()
            assert not bad.raw
            await player.ping()
            assert len(server.connections) == 1
            assert server.figures.malformed == {"proxy/header": 1}


@pytest.mark.trio
async def test_whoever_sends_a_header_at_once_gets_in_past_those_who_hold_lines_open() -> None:
    with trio.fail_after(20):
        config = replace(TRUSTING, most_connections=1, hello_seconds=15)
        async with proxied(config) as (server, connect):
            silent = [await connect() for _ in range(MOST_UNANNOUNCED + 1)]
            player = await connect()
            await player.stream.send_all(tcp4("192.0.2.7"))
            await player.hello()
            with pytest.raises(HungUp):
                await silent[0].receive()
            assert server.figures.malformed == {"proxy/header": 1}


@pytest.mark.trio
async def test_a_header_from_anywhere_else_is_not_believed() -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        config = ServerConfig(host="127.0.0.1", port=0, proxies="192.0.2.1, 127.0.0.2")
        async with proxied(config) as (_, connect):
            for header in (tcp4("192.0.2.7"), HEADERS["v1 TCP4"][0]):
                player = await connect()
                await player.stream.send_all(header + HELLO)
                with pytest.raises(HungUp):
                    await player.wait_for(Welcome)
                assert player.bye is not None
                assert player.bye.code == "bye/bad_frame"
