"""Taking connections off a port: each address in turn, and none of those who come far too often."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest
import trio

from heat_server.config import ServerConfig
from heat_server.net.accepting import MOST_GIVEN_AT_ONCE, MOST_WAITING, FairListener
from heat_server.serve import serve
from tests.server.support import HungUp, Player

pytestmark = pytest.mark.trio

HERE = "127.0.0.1"


def by_address(host: str, port: int) -> str:
    return host


def connect(where: tuple[str, int], address: str, times: int) -> Iterator[socket.socket]:
    """Connect from an address of this machine, some times."""
    return (socket.create_connection(where, source_address=(address, 0)) for _ in range(times))


async def test_who_comes_in_a_flood_waits_for_one_of_each_address_and_few_turns_of_others() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where, turns = listener.socket.getsockname(), 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    with ExitStack() as clients:
        for address, times in (("127.0.0.7", 15), ("127.0.0.8", 15), ("127.0.0.9", 1)):
            for client in connect(where, address, times):
                clients.enter_context(client)
        async with trio.open_nursery() as nursery, FairListener(listener, by_address) as fair:
            nursery.start_soon(take_turns)
            streams = [await fair.accept() for _ in range(31)]
            taken_after = turns
            hosts = [stream.socket.getpeername()[0] for stream in streams]
            for stream in streams:
                await trio.aclose_forcefully(stream)
            nursery.cancel_scope.cancel()
    assert hosts[:4] == ["127.0.0.7", "127.0.0.8", "127.0.0.9", "127.0.0.7"]
    assert 30 // MOST_GIVEN_AT_ONCE - 3 <= taken_after <= 2 * 30 // MOST_GIVEN_AT_ONCE


async def test_a_few_of_each_address_can_wait_however_many_of_one_do() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where = listener.socket.getsockname()
    with ExitStack() as clients:
        for address, times in (("127.0.0.7", MOST_WAITING - 5), ("127.0.0.8", 10)):
            for client in connect(where, address, times):
                clients.enter_context(client)
        async with FairListener(listener, by_address) as fair:
            hosts = []
            for _ in range(MOST_WAITING):
                stream = await fair.accept()
                hosts.append(stream.socket.getpeername()[0])
                await trio.aclose_forcefully(stream)
    assert hosts.count("127.0.0.8") == 10


async def test_who_waits_with_nobody_else_is_served_however_many_they_are() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where = listener.socket.getsockname()
    with ExitStack() as clients:
        for client in connect(where, "127.0.0.7", 2 * MOST_WAITING):
            clients.enter_context(client)
        async with FairListener(listener, by_address) as fair:
            for _ in range(2 * MOST_WAITING):
                await trio.aclose_forcefully(await fair.accept())


async def test_what_was_taken_is_hung_up_on_at_the_end() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where = listener.socket.getsockname()
    with socket.create_connection(where) as first, socket.create_connection(where) as second:
        async with FairListener(listener, by_address) as fair:
            await trio.aclose_forcefully(await fair.accept())
        assert first.recv(1) == second.recv(1) == b""
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(where)


async def test_who_comes_far_too_often_is_hung_up_on_unheard_and_others_play(nursery: trio.Nursery) -> None:
    config = ServerConfig(host=HERE, port=0, hellos_per_minute=5, bot_seconds=0)
    ((_, port),) = await nursery.start(partial(serve, config))

    async def come(address: str) -> str:
        async with await trio.open_tcp_stream(HERE, port, local_address=address) as stream:
            player = Player(stream)
            try:
                await player.hello()
            except HungUp:
                return str(player.bye.code) if player.bye is not None else "nothing"
        return "welcome"

    answers = [await come("127.0.0.9") for _ in range(30)]
    assert answers[:10] == ["welcome"] * 5 + ["bye/too_often"] * 5
    assert answers[-1] == "nothing"
    assert await come("127.0.0.8") == "welcome"
    nursery.cancel_scope.cancel()
