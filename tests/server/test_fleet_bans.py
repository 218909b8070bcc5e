"""Two servers on one database: whom one of them bans, all keep out."""

from __future__ import annotations

import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.wire.messages import Bye
from heat_core.wire.operator import AskBans, Ban, BanInfo, Bans, Done, Unban
from heat_server.fleet import keep_lease, learn_bans
from heat_server.operator.handlers import answer_operator
from heat_server.store.contract import RENEW_SECONDS
from heat_server.store.errors import StoreFailed
from tests.server.fleets import Fleet
from tests.server.stores import room
from tests.server.support import HungUp, server_on

pytestmark = pytest.mark.trio


async def test_a_ban_at_one_server_holds_at_all_after_their_next_renewal(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as first, server_on(fleet.join()) as second:
        cy, dee = await second.player(peer="192.0.2.7"), await second.player(peer="192.0.2.8")
        assert await answer_operator(first.server, Ban("192.0.2.7", "floods")) == Done(
            "192.0.2.7 is banned, 0 connections closed at this server"
        )
        await cy.ping()
        await learn_bans(second.server)
        with pytest.raises(HungUp):
            await cy.ping()
        assert cy.bye == Bye("bye/banned", "The server's operator has banned your address.")
        await dee.ping()
        with pytest.raises(HungUp):
            await second.player(peer="192.0.2.7")
        assert await answer_operator(second.server, AskBans()) == Bans((BanInfo("192.0.2.7", "floods"),))
        lifted = await answer_operator(second.server, Unban("192.0.2.7"))
        assert lifted == Done("the ban of 192.0.2.7 is lifted")
        await second.player(peer="192.0.2.7")
        await learn_bans(first.server)
        await first.player(peer="192.0.2.7")


async def test_a_server_that_starts_knows_the_bans_of_the_others(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as first:
        await answer_operator(first.server, Ban("192.0.2.0/24"))
    async with server_on(fleet.join()) as second:
        with pytest.raises(HungUp):
            await second.player(peer="192.0.2.7")


async def test_bans_are_read_again_only_when_they_have_changed(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as house:
        await answer_operator(house.server, Ban("192.0.2.7"))
        await learn_bans(house.server)
        fleet.execute("ALTER TABLE heat.bans RENAME TO away")
        await learn_bans(house.server)
        fleet.execute("UPDATE heat.ban_list SET version = gen_random_uuid()")
        with pytest.raises(StoreFailed):
            await learn_bans(house.server)
        with pytest.raises(HungUp):
            await house.player(peer="192.0.2.7")


async def test_while_the_list_cannot_be_read_known_bans_hold_and_rooms_are_taken_over(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    dead = fleet.join()
    dead.write([room("m1")])
    async with server_on(fleet.join()) as house:
        await answer_operator(house.server, Ban("192.0.2.7"))
        fleet.execute("DELETE FROM heat.ban_list")
        fleet.expire(dead)
        with structlog.testing.capture_logs() as lines:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keep_lease, house.server, "first.example:7777")
                await trio.sleep(5 * RENEW_SECONDS)
                nursery.cancel_scope.cancel()
        faults = [line for line in lines if line["log_level"] != "info"]
        assert [line["event"] for line in faults] == ["bans not read"], "once, not at every try"
        assert "the list of bans has no version: the table ban_list is empty" in faults[0]["error"]
        assert "FHKMR" in house.server.rooms.sleeping
        with pytest.raises(HungUp):
            await house.player(peer="192.0.2.7")
        answer = await answer_operator(house.server, Ban("192.0.2.8"))
        assert isinstance(answer, Done)
