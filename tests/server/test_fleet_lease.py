"""How a server keeps its lease while it has much to do."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from heat_server.fleet import keep_lease
from heat_server.store.contract import RENEW_SECONDS
from tests.server.fleets import Fleet
from tests.server.test_fleet import racing

pytestmark = pytest.mark.trio


async def test_the_lease_is_renewed_however_long_rooms_are_taken_over(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players of a dead server ask for their rooms one after the other, and all at once."""
    async with racing(fleet) as two:
        server = two.second.server
        monkeypatch.setattr(server.rooms, "take_over", trio.sleep_forever)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_lease, server, "second.example:7777")
            await trio.sleep(60)
            nursery.cancel_scope.cancel()
        assert server.figures.renewed_at >= trio.current_time() - RENEW_SECONDS
