"""A server that is drained while its store fails: its rooms stay, and move when the store is well again."""

from __future__ import annotations

import pytest
import structlog
import trio
from trio.testing import MockClock

from heat_core.race import commands as c
from heat_core.wire.messages import Act
from heat_server.drain import STEP_SECONDS
from heat_server.store.errors import StoreFailed
from tests.server.fleets import Fleet
from tests.server.test_drain import SECOND, asleep, sent_on, two

pytestmark = pytest.mark.trio


async def test_a_room_whose_release_fails_stays_and_moves_later(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(fleet) as servers:
        ana, ben = await servers.first.racing()

        def fails(releases: object) -> None:
            raise StoreFailed("the database takes too long")

        with monkeypatch.context() as patch:
            patch.setattr(servers.first_store, "release", fails)
            await servers.drain(within_seconds=0)
            await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
            assert servers.left == 1
        await trio.sleep(2 * STEP_SECONDS)
        assert await sent_on(ben) == SECOND
        assert servers.left == 0


async def test_while_the_database_is_away_nobody_is_sent_anywhere(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room that cannot be saved would sleep, and its people would wait at a server that cannot read it."""
    async with two(fleet) as servers:
        ana, _ = await servers.first.full_lobby(["ana", "ben"])
        with monkeypatch.context() as patch:
            patch.setattr(servers.first_store._link, "trouble", "nothing answers at its host and port")
            servers.first.server.drain.begin(0)
            await trio.sleep(10 * STEP_SECONDS)
            assert servers.left == 1
            await ana.ping()
            assert not ana.unasked
        await trio.sleep(2 * STEP_SECONDS)
        assert servers.left == 0
        assert await sent_on(ana) == SECOND


async def test_rooms_that_cannot_be_released_are_logged_once(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = StoreFailed("the database's disk is full")

    def fails(releases: object) -> None:
        raise fault

    async with two(fleet) as servers:
        await asleep(servers.first)
        monkeypatch.setattr(servers.first_store, "release", fails)
        with structlog.testing.capture_logs() as lines:
            await servers.drain()
            await trio.sleep(20 * STEP_SECONDS)
            events = [line["event"] for line in lines]
            assert events == ["drain started by the operator", "rooms not released"]
            fault = StoreFailed("the database takes too long")
            await trio.sleep(20 * STEP_SECONDS)
        assert [line["event"] for line in lines[2:]] == ["rooms not released"]
