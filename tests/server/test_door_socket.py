"""The door socket: guests of a door count by their own addresses, and nobody comes in there without one."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from heat_core.wire.address import Address
from heat_core.wire.codec import encode_client_message
from heat_core.wire.messages import PROTOCOL, Hello, LobbyView, Welcome
from heat_core.wire.proxy import ProxyHeader, binary_header, parse_header
from heat_server.config import ServerConfig
from heat_server.networks import parse_network
from heat_server.serve import serve_doors
from heat_server.server import Server
from heat_server.store.no_store import NoStore
from heat_server.store.worker import StoreWorker
from tests.patience import PATIENCE_SECONDS
from tests.server.support import HungUp, Player
from tests.server.test_proxy import WRONG, binary, tcp4

HELLO = encode_client_message(Hello(0, PROTOCOL))

Connect = Callable[[bytes], Awaitable[Player]]


@asynccontextmanager
async def with_door(path: Path, config: ServerConfig) -> AsyncIterator[tuple[Server, Connect]]:
    """Run a server with a door socket, and a way to connect there that sends some bytes first."""
    async with trio.open_nursery() as nursery, AsyncExitStack() as streams:
        before = await inode(path)
        server = Server(config, nursery, StoreWorker(NoStore(), in_thread=False))
        nursery.start_soon(serve_doors, server, path, 7778)
        while await inode(path) in (None, before):
            pass

        async def connect(data: bytes) -> Player:
            stream = await trio.open_unix_socket(os.fspath(path))
            await stream.send_all(data)
            return Player(await streams.enter_async_context(stream))

        yield server, connect
        nursery.cancel_scope.cancel()


async def inode(path: Path) -> int | None:
    try:
        return (await trio.Path(path).stat()).st_ino
    except FileNotFoundError:
        return None


def guest(host: str, here: str | None = None) -> bytes:
    return binary_header(ip_address(host), None if here is None else ip_address(here))


async def bye_of(player: Player) -> str:
    with pytest.raises(HungUp):
        await player.wait_for(Welcome)
    return "" if player.bye is None else str(player.bye.code)


@pytest.mark.parametrize(
    ("source", "destination", "told"),
    [
        ("192.0.2.7", "198.51.100.1", "198.51.100.1"),
        ("192.0.2.7", None, "0.0.0.0"),
        ("192.0.2.7", "2001:db8::1", "0.0.0.0"),
        ("2001:db8::7", "2001:db8::1", "2001:db8::1"),
        ("2001:db8::7", None, "::"),
    ],
)
def test_what_a_door_writes_is_read_back(source: str, destination: str | None, told: str) -> None:
    header = guest(source, destination)
    assert parse_header(header) == ProxyHeader(len(header), ip_address(source), Address(told, 0))


@pytest.mark.trio
async def test_limits_count_each_guest_by_the_address_that_the_door_names(tmp_path: Path) -> None:
    config = ServerConfig(connections_per_address=2)
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(tmp_path / "doors.sock", config) as (server, connect):
            for host in ("192.0.2.7", "192.0.2.7", "192.0.2.8", "2001:db8::1", "127.0.0.1"):
                await (await connect(guest(host) + HELLO)).wait_for(Welcome)
            assert await bye_of(await connect(guest("192.0.2.7") + HELLO)) == "bye/address_full"
            await (await connect(guest("192.0.2.8") + HELLO)).wait_for(Welcome)
            peers = sorted(connection.peer for connection in server.connections)
            assert set(peers) == {"127.0.0.1", "192.0.2.7", "192.0.2.8", "2001:db8::/64"}


@pytest.mark.trio
async def test_a_banned_guest_stays_out_and_the_others_play_on(tmp_path: Path) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(tmp_path / "doors.sock", ServerConfig()) as (server, connect):
            ana = await connect(guest("192.0.2.7"))
            await ana.hello()
            server.bans.hold(parse_network("192.0.2.8"), "")
            assert await bye_of(await connect(guest("192.0.2.8") + HELLO)) == "bye/banned"
            await ana.create()
            assert [room.creator for room in server.rooms.values()] == ["192.0.2.7"]


@pytest.mark.trio
@pytest.mark.parametrize(
    ("here", "invitation"),
    [("198.51.100.1", "198.51.100.1:7778"), ("2001:db8::1", "HOST"), (None, "HOST")],
)
async def test_a_guest_reads_where_friends_reach_the_server(
    here: str | None, invitation: str, tmp_path: Path
) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(tmp_path / "doors.sock", ServerConfig()) as (_, connect):
            ana = await connect(guest("192.0.2.7", here))
            await ana.hello()
            code = await ana.create()
            assert isinstance(ana.room, LobbyView)
            assert ana.room.invitation == f"heat-tui connect {invitation} {code}"


@pytest.mark.trio
@pytest.mark.parametrize("data", [b"", HELLO, binary(0x20, 0, b""), b"PROXY UNKNOWN\r\n", *WRONG[:3]])
async def test_without_a_header_that_names_an_address_the_connection_ends(
    data: bytes, tmp_path: Path
) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(tmp_path / "doors.sock", ServerConfig(hello_seconds=0.2)) as (server, connect):
            bad = await connect(data)
            assert await bye_of(bad) == ""
            assert not bad.raw
            await wait_all_tasks_blocked()  # the server closes first, and counts then
            assert server.figures.malformed == {"proxy/header": 1}
            await (await connect(tcp4("192.0.2.7") + HELLO)).wait_for(Welcome)


@pytest.mark.trio
async def test_another_user_is_not_heard_however_they_got_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(tmp_path / "doors.sock", ServerConfig()) as (server, connect):
            monkeypatch.setattr("heat_server.net.incoming.is_own_user", lambda stream: False)
            assert await bye_of(await connect(guest("192.0.2.7") + HELLO)) == ""
            assert not server.connections


@pytest.mark.trio
async def test_the_socket_is_the_users_own_and_one_servers_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "doors.sock"
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with trio.fail_after(PATIENCE_SECONDS):
        async with with_door(path, ServerConfig()) as (first, connect):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            await serve_doors(first, path, 1)  # as another server would: it gives up, and harms nothing
            await (await connect(guest("192.0.2.7") + HELLO)).wait_for(Welcome)
    assert not path.exists()
