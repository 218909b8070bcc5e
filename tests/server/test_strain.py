"""A server that cannot keep up: who asks for much waits, and who asks for little does not."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_server.config import ServerConfig
from heat_server.net.strain import GROWTH, LATE_SECONDS, LOOK_SECONDS, MOST, Strain
from tests.server.support import House, Player

pytestmark = pytest.mark.trio


async def test_a_server_that_is_late_is_strained_until_it_is_in_time_again(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    strain = Strain()
    nursery.start_soon(strain.watch)
    for expected in (GROWTH, GROWTH**2, MOST, MOST):
        await wait_all_tasks_blocked()
        mock_clock.jump(LOOK_SECONDS + 2 * LATE_SECONDS)
        await wait_all_tasks_blocked()
        assert strain.factor == expected
    for _ in range(100):
        mock_clock.jump(LOOK_SECONDS)
        await wait_all_tasks_blocked()
    assert strain.factor == 1
    nursery.cancel_scope.cancel()


async def test_who_asks_for_much_waits_while_the_server_is_strained(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig())
    driver, flooder = await house.player(peer="192.0.2.1"), await house.player(peer="192.0.2.2")

    async def seconds_for(player: Player, pings: int) -> float:
        began = trio.current_time()
        for _ in range(pings):
            await player.ping()
        return trio.current_time() - began

    assert await seconds_for(flooder, 400) < 16
    await trio.sleep(60)
    house.server.admission.strain.factor = MOST
    assert await seconds_for(flooder, 400) > 40
    assert await seconds_for(driver, 15) == 0


async def test_who_comes_to_a_strained_server_looks_round_and_opens_a_room_soon(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery, ServerConfig())
    house.server.admission.strain.factor = MOST
    newcomer = await house.player(peer="192.0.2.1")
    await newcomer.rooms()
    await newcomer.create()
    assert trio.current_time() < 0.5
