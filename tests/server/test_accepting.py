"""Taking connections off a port: many at a time, and none of those who come far too often."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from functools import partial

import pytest
import trio

from heat_server.config import ServerConfig
from heat_server.net.accepting import MOST_AT_ONCE, QuickListener
from heat_server.serve import serve
from tests.server.support import HungUp, Player

pytestmark = pytest.mark.trio

HERE = "127.0.0.1"


async def test_who_comes_waits_for_few_turns_of_others_however_many_come_too() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where, turns = listener.socket.getsockname(), 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    with ExitStack() as clients:
        for _ in range(3 * MOST_AT_ONCE):
            clients.enter_context(socket.create_connection(where))
        async with trio.open_nursery() as nursery, QuickListener(listener, lambda _: False) as quick:
            nursery.start_soon(take_turns)
            streams = [await quick.accept() for _ in range(3 * MOST_AT_ONCE)]
            taken_after = turns
            for stream in streams:
                await trio.aclose_forcefully(stream)
            nursery.cancel_scope.cancel()
    assert taken_after <= 2 * 3, "as often as it waits for more"


async def test_what_was_taken_is_hung_up_on_at_the_end() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host=HERE)
    where = listener.socket.getsockname()
    with socket.create_connection(where) as first, socket.create_connection(where) as second:
        async with QuickListener(listener, lambda _: False) as quick:
            await trio.aclose_forcefully(await quick.accept())
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
