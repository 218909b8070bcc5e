"""What a server of release 0.1 left on disk, whose rules were version 1: closed in words, or continued."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import copy

import pytest
import trio
from trio.testing import MockClock

from heat_core.race.rules_version import RULES_VERSION
from heat_core.race.setup import race_seed
from heat_core.record.record import Record, verify_record
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    PROTOCOL,
    Error,
    Hello,
    Join,
    LobbyView,
    Rematch,
    RoomOptions,
    SeasonUpdate,
    Update,
)
from heat_server.room import rooms
from heat_server.store.contract import Store
from tests.server.stores import open_store
from tests.server.support import House, Player, server_on
from tests.server.test_rematch import record_of

pytestmark = pytest.mark.trio

KEPT = Path(__file__).parents[1] / "kept" / "0.1"
ROOMS = json.loads((KEPT / "rooms.json").read_bytes())
REASON = (
    "The race cannot be continued: the race was begun by version 1 of the rules, in which all played cards "
    f"turned up before the first car moved; this program plays version {RULES_VERSION}."
)


@pytest.fixture
def old_store(tmp_path: Path) -> Iterator[Store]:
    """The store of a server of release 0.1."""
    with open_store(Path(copy(KEPT / "rooms.sqlite3", tmp_path))) as store:
        yield store


async def back(house: House, room: str) -> tuple[Player, ...]:
    """Let the people of a room come back by their tokens."""
    players = [await house.player(token) for token in ROOMS[room]["tokens"]]
    for player in players:
        await player.wait_for(LobbyView)
    return tuple(players)


@pytest.mark.spec("CORE-17")
@pytest.mark.parametrize("room", ["racing", "mid-season"])
async def test_a_race_under_way_is_closed_and_all_its_people_are_told_why(
    room: str, old_store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(old_store) as house:
        for token in ROOMS[room]["tokens"]:
            got = await house.connect().answer(Hello(1, PROTOCOL, "scripted", "1", token))
            assert isinstance(got, Error)
            assert (got.code, got.text) == (ErrorCode.UNKNOWN_TOKEN, REASON)
        stranger = await house.player()
        got = await stranger.answer(Join(stranger.id(), ROOMS[room]["code"], "cy"))
        assert isinstance(got, Error)
        assert (got.code, got.text) == (ErrorCode.NO_SUCH_ROOM, REASON)
    closed = [match for match in old_store.list_matches(9) if match.code == ROOMS[room]["code"]]
    assert [(match.outcome, match.reason) for match in closed] == [("closed", REASON)]


async def test_the_code_of_a_closed_race_can_be_a_new_rooms(
    old_store: Store, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator opens it again, as a party does that continues; or it happens to be drawn once more."""
    clubs, drawn = (ROOMS[room]["code"] for room in ("racing", "mid-season"))
    async with server_on(old_store) as house:
        cy, dee = await house.player(), await house.player()
        for code in (clubs, drawn):
            got = await cy.answer(Join(cy.id(), code, "cy"))
            assert isinstance(got, Error)
            assert got.text == REASON
        assert await house.server.rooms.open(clubs, RoomOptions()) == clubs
        await cy.join(clubs, "cy")
        await cy.leave()
        monkeypatch.setattr(rooms, "new_code", lambda *taken: drawn)
        assert await dee.create("dee") == drawn
        await cy.join(drawn, "cy")


async def test_a_race_that_is_over_is_looked_at_and_raced_again_by_the_new_rules(
    old_store: Store, autojump_clock: MockClock
) -> None:
    async with server_on(old_store) as house:
        ana, ben = await back(house, "ended")
        update = await ana.look()
        assert (update.view.status, len(update.view.standings)) == ("ended", 3)
        setup, events = await record_of(ana)
        assert (setup.rules_version, len(events)) == (1, update.view.event_number)
        await ana.ok(Rematch(ana.id()))
        await ben.wait_for(LobbyView, lambda state: state.phase == "lobby")
        await ben.seat(ready=True)
        await ana.start()
        await ben.wait_for(Update, lambda update: update.view.status == "running")
        assert ben.started is not None
        assert ben.started.setup.rules_version == RULES_VERSION


def is_behind(race: int, told: SeasonUpdate) -> bool:
    return told.view.race > race or told.view.end is not None


@pytest.mark.spec("CORE-17")
async def test_a_championship_between_two_races_continues_by_the_new_rules(
    old_store: Store, autojump_clock: MockClock
) -> None:
    """Its points and grids stand; the record of the first race says by which rules that was raced."""
    async with server_on(old_store) as house:
        ana, ben = await back(house, "between")
        for race in (1, 2):
            for player in (ana, ben):
                await player.seat(ready=True)
            await ana.start()
            await ben.wait_for(Update, lambda update: update.view.status == "running")
            with trio.fail_after(1_000_000):
                async with trio.open_nursery() as nursery:
                    for player in (ana, ben):
                        nursery.start_soon(player.race)
            for player in (ana, ben):
                await player.wait_for(SeasonUpdate, partial(is_behind, race))
        assert ana.season is not None
        view = ana.season.view
        assert (view.end, [len(race.results) for race in view.races]) == ("finished", [3, 3, 3])
        assert view.seed is not None
        for number in (0, 1, 2):
            setup, events = await record_of(ana, number)
            assert setup.rules_version == (RULES_VERSION if number else 1)
            assert setup.seed == race_seed(view.seed, number)
            if number:
                verify_record(Record(setup, tuple(events)))
