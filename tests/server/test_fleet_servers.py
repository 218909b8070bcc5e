"""What the clients of a server hear of servers that join its fleet after them."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from heat_core.wire.messages import Ping, Pong
from heat_server.fleet import renew_lease
from tests.server.fleets import Fleet
from tests.server.support import Player, server_on

pytestmark = pytest.mark.trio

FIRST, SECOND, THIRD = (f"{name}.example:7777" for name in ("first", "second", "third"))


async def news(player: Player) -> tuple[str, ...]:
    pong = await player.answer(Ping(player.id()))
    assert isinstance(pong, Pong)
    return pong.servers


async def test_who_came_before_a_server_hears_of_it_once_with_the_next_sign_of_life(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as first:
        await renew_lease(first.server, FIRST)
        ana = await first.player()
        assert await news(ana) == ()
        async with server_on(fleet.join()) as second:
            await renew_lease(second.server, SECOND)
            await renew_lease(first.server, FIRST)
            assert await news(ana) == (FIRST, SECOND)
            assert await news(ana) == ()
            ben = await first.player()
            assert await news(ben) == (), "the welcome has said so"
            third_store = fleet.join()
            async with server_on(third_store) as third:
                await renew_lease(third.server, THIRD)
                await renew_lease(first.server, FIRST)
                assert await news(ana) == await news(ben) == (FIRST, SECOND, THIRD)
            fleet.expire(third_store)
            await renew_lease(first.server, FIRST)
            assert await news(ana) == (), "one that goes is no news: it may come again"
