"""How a server keeps its lease while it has much to do, and what it sees of others as it renews it."""

from __future__ import annotations

import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_server.fleet import SURELY_DOUBLED, keep_lease, renew_lease
from heat_server.store.contract import RENEW_SECONDS
from tests.server.fleets import Fleet
from tests.server.support import server_on
from tests.server.test_fleet import racing

pytestmark = pytest.mark.trio


@pytest.mark.parametrize("what", ["rooms.take_over", "worker.peers", "worker.bans"])
async def test_the_lease_is_renewed_however_long_all_else_takes(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The players of a dead server ask for their rooms one after the other, and all at once."""
    async with racing(fleet) as two:
        server = two.second.server
        owner, name = what.split(".")

        async def never_end(*_: object) -> None:
            await trio.sleep_forever()

        monkeypatch.setattr(getattr(server, owner), name, never_end)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_lease, server, "second.example:7777")
            await trio.sleep(60)
            nursery.cancel_scope.cancel()
        assert server.figures.renewed_at >= trio.current_time() - RENEW_SECONDS


async def test_a_server_whose_address_another_one_has_says_so_once(fleet: Fleet) -> None:
    """One that died and started again at its address is seen beside itself until its old lease is over."""
    async with server_on(fleet.join()) as first, server_on(fleet.join()) as second:
        await renew_lease(first.server, "club.example:7777")
        with structlog.testing.capture_logs() as lines:
            for _ in range(SURELY_DOUBLED - 1):
                await renew_lease(second.server, "club.example:7777")
            assert lines == []
            await renew_lease(second.server, "club.example:7777")
            await renew_lease(second.server, "club.example:7777")
        (line,) = lines
        assert line["event"] == "address is another server's too"
        assert line["address"] == "club.example:7777"
