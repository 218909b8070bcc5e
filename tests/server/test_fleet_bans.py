"""Two servers on one database: whom one of them bans, all keep out."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from heat_core.wire.messages import Bye
from heat_core.wire.operator import AskBans, Ban, BanInfo, Bans, Done, Unban
from heat_server.fleet import renew_lease
from heat_server.operator.handlers import answer_operator
from heat_server.store.errors import StoreFailed
from tests.server.fleets import Fleet
from tests.server.support import HungUp, server_on

pytestmark = pytest.mark.trio

FIRST, SECOND = "first.example:7777", "second.example:7777"


async def test_a_ban_at_one_server_holds_at_all_after_their_next_renewal(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as first, server_on(fleet.join()) as second:
        cy, dee = await second.player(peer="192.0.2.7"), await second.player(peer="192.0.2.8")
        assert await answer_operator(first.server, Ban("192.0.2.7", "floods")) == Done(
            "192.0.2.7 is banned, 0 connections closed"
        )
        await cy.ping()
        await renew_lease(second.server, SECOND)
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
        await renew_lease(first.server, FIRST)
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
        await renew_lease(house.server, FIRST)
        fleet.execute("ALTER TABLE heat.bans RENAME TO away")
        await renew_lease(house.server, FIRST)
        fleet.execute("UPDATE heat.ban_list SET version = gen_random_uuid()")
        with pytest.raises(StoreFailed):
            await renew_lease(house.server, FIRST)
        with pytest.raises(HungUp):
            await house.player(peer="192.0.2.7")
