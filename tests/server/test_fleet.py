"""Two servers on one database: a room is opened by its owner alone, and its people read where it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from heat_core.race import commands as c
from heat_core.wire.codes import ErrorCode
from heat_core.wire.messages import (
    Act,
    Create,
    Error,
    ErrorData,
    Join,
    ListRooms,
    RoomList,
    RoomOptions,
    Say,
)
from heat_server import peers
from heat_server.fleet import keep_lease, renew_lease
from heat_server.room import rooms
from heat_server.room.waiting import NO_LIST
from heat_server.store.errors import StoreUnreachable
from heat_server.store.ownership import Claimed, Owner, ServerLoad
from heat_server.store.postgres import leases
from heat_server.store.postgres.store import PostgresStore
from tests.server.fleets import Fleet
from tests.server.restarts import in_race, stored_log
from tests.server.support import UNHURRIED, House, Player, server_on

pytestmark = pytest.mark.trio


class Two:
    """Two servers: on the first two people race, and the second knows nothing of it."""

    def __init__(
        self, fleet: Fleet, houses: tuple[House, House], stores: tuple[PostgresStore, PostgresStore]
    ):
        self.fleet = fleet
        self.first, self.second = houses
        self.first_store, self.second_store = stores
        self.ana: Player
        self.ben: Player

    @property
    def code(self) -> str:
        assert self.ana.room is not None
        return self.ana.room.code

    async def begin(self) -> None:
        await renew_lease(self.first.server, "first.example:7777")
        await renew_lease(self.second.server, "second.example:7777")
        self.ana, self.ben = await self.first.racing()

    async def take_over(self) -> None:
        """Let the first server's lease run out, and the second take what it had."""
        self.fleet.expire(self.first_store)
        await self.second.server.rooms.take_over()


@asynccontextmanager
async def racing(fleet: Fleet) -> AsyncIterator[Two]:
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as first, server_on(stores[1]) as second:
        two = Two(fleet, (first, second), stores)
        await two.begin()
        yield two


async def refusal(player: Player, request: Act | Join | Say) -> str:
    answer = await player.answer(request)
    assert isinstance(answer, Error)
    return answer.text


async def test_a_server_says_who_has_a_room_in_place_of_opening_it(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        cy = await two.second.player()
        assert await cy.refused(Join(cy.id(), two.code, "cy")) == "server/not_read"
        assert (
            await refusal(cy, Join(cy.id(), two.code, "cy"))
            == "That race is on another server: first.example:7777."
        )
        stranger = two.second.connect()
        with pytest.raises(AssertionError, match="server/not_read"):
            await stranger.hello(two.ana.token)
        assert await cy.refused(Join(cy.id(), "KKKKK", "cy")) == "room/unknown"
        assert not len(two.second.server.rooms)
        await two.ana.ok(Act(two.ana.id(), 1, c.ShiftGear(2)))


async def test_what_the_old_owner_of_a_room_would_write_is_refused_and_its_people_read_why(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        await two.take_over()
        ana = await in_race(two.second, two.ana)
        await ana.ok(Act(ana.id(), 1, c.ShiftGear(2)))
        match = next(room.match for room in two.second.server.rooms.values())
        stored = stored_log(two.second_store, match)
        text = await refusal(two.ben, Act(two.ben.id(), 2, c.ShiftGear(2)))
        assert text == f"This room has moved to another server. Connect again, with the code {two.code}."
        await two.ana.ping()
        assert [error.code for error in two.ana.unasked] == ["room/closed"]
        assert not len(two.first.server.rooms)
        assert stored_log(two.second_store, match) == stored
        assert two.second_store.find(match).outcome is None
        ben = await in_race(two.second, two.ben)
        await ben.ok(Act(ben.id(), 2, c.ShiftGear(2)))
        assert two.fleet.epoch(two.code) == 2


async def test_a_room_in_which_nobody_does_anything_ends_when_the_loss_is_noticed(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        await two.take_over()
        await renew_lease(two.first.server, "first.example:7777")
        await wait_all_tasks_blocked()
        for player in (two.ana, two.ben):
            await player.ping()
            assert [error.code for error in player.unasked] == ["room/closed"]
        assert not len(two.first.server.rooms)
        await in_race(two.second, two.ana)


async def test_a_sleeping_room_that_was_lost_is_not_woken(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with racing(fleet) as two:
        for player in (two.ana, two.ben):
            await player.hang_up()
        await trio.sleep(200)
        assert two.code in two.first.server.rooms.sleeping
        await two.take_over()
        cy = await two.first.player()
        text = await refusal(cy, Join(cy.id(), two.code, "cy"))
        assert text == "That race is on another server: second.example:7777."
        assert two.code not in two.first.server.rooms.sleeping


async def test_a_race_that_may_not_be_taken_over_yet_is_asked_for_again_in_a_moment(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        two.fleet.expire(two.first_store)
        cy = await two.second.player()
        with monkeypatch.context() as patch:
            patch.setattr(leases, "SETTLING_SECONDS", 60.0)  # the database has just been started
            text = await refusal(cy, Join(cy.id(), two.code, "cy"))
        assert text == "The server cannot read that race now. Try again in a moment."
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_lease, two.second.server, "second.example:7777")
            await trio.sleep(10)
            nursery.cancel_scope.cancel()
        assert two.code in two.second.server.rooms.sleeping
        await in_race(two.second, two.ana)


async def test_a_race_that_is_just_being_taken_over_is_asked_for_again_in_a_moment(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        two.fleet.expire(two.first_store)
        claimed = [title.code for title in two.second_store.claim()]
        assert claimed == [two.code], "and its room is not there yet"
        cy, stranger = await two.second.player(), two.second.connect()
        assert await cy.refused(Join(cy.id(), two.code, "cy")) == "server/not_read"
        with pytest.raises(AssertionError, match="server/not_read"):
            await stranger.hello(two.ana.token)


async def test_a_dead_servers_race_is_taken_over_as_soon_as_somebody_comes_to_it(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        two.fleet.expire(two.first_store)
        await in_race(two.second, two.ana)
        cy = await two.second.player()
        assert await cy.refused(Join(cy.id(), two.code, "cy")) == "room/begun"
        assert two.fleet.epoch(two.code) == 2


async def test_two_who_come_for_one_room_take_it_over_by_one_question(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        two.fleet.expire(two.first_store)
        second = two.second.server.rooms
        owners_of_codes, questions = two.second_store.owners_of_codes, list[Sequence[str]]()

        def ask(codes: Sequence[str]) -> dict[str, Owner]:
            questions.append(codes)
            return owners_of_codes(codes)

        monkeypatch.setattr(two.second_store, "owners_of_codes", ask)
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                nursery.start_soon(second.find, two.code)
        assert questions == [[two.code]]
        assert two.code in second
        assert two.fleet.epoch(two.code) == 2


async def test_what_was_claimed_sleeps_here_though_the_database_failed_in_between(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        cy = await two.second.player()
        two.fleet.expire(two.first_store)

        def lose_answer(claimed: object) -> None:
            raise StoreUnreachable("the answer to the commit is lost")

        with monkeypatch.context() as patch:
            patch.setattr(two.second_store._leases, "note_claimed", lose_answer)
            assert await cy.refused(Join(cy.id(), two.code, "cy")) == "server/not_read"
        assert two.fleet.epoch(two.code) == 2
        await two.second.server.rooms.take_over()
        assert two.code in two.second.server.rooms.sleeping
        assert two.fleet.epoch(two.code) == 3, "claimed once more"
        await in_race(two.second, two.ana)


async def test_what_was_claimed_for_somebody_who_hung_up_sleeps_here(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        two.fleet.expire(two.first_store)
        with trio.CancelScope() as hasty, monkeypatch.context() as patch:

            def claim(match: str) -> list[Claimed]:
                hasty.cancel()
                return PostgresStore.claim_one(two.second_store, match)

            patch.setattr(two.second_store, "claim_one", claim)
            await two.second.server.rooms.find(two.code)
        assert hasty.cancel_called
        assert two.fleet.epoch(two.code) == 2
        await in_race(two.second, two.ana)


async def test_what_was_claimed_and_lost_before_it_sleeps_here_is_left_to_its_new_owner(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        rooms, (room,) = two.first.server.rooms, two.first.server.rooms.values()
        two.fleet.execute("UPDATE heat.leases SET server = NULL")
        two.first_store._leases.note_lost([room.match])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(rooms.take_over)  # which waits for the room: it does not know of its loss
            await wait_all_tasks_blocked()
            assert (two.fleet.epoch(two.code), two.code in rooms.sleeping) == (2, False)
            two.fleet.expire(two.first_store)
            await two.second.server.rooms.take_over()
            await renew_lease(two.first.server, "first.example:7777")
        assert two.code not in rooms.sleeping
        assert two.code in two.second.server.rooms.sleeping


async def test_one_rooms_loss_is_not_felt_in_another(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with racing(fleet) as two:
        dee = await two.first.player()
        await dee.create("dee")
        two.fleet.execute("UPDATE heat.leases SET epoch = epoch + 1 WHERE match = 1")
        await two.ana.send(Act(two.ana.id(), 1, c.ShiftGear(2)))
        await dee.ok(Say(dee.id(), "still here"))
        assert [room.code for room in two.first.server.rooms.values()] == [dee.room.code if dee.room else ""]


async def test_a_code_that_another_servers_room_has_is_not_drawn_for_a_new_one(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        draws = iter([two.code, two.code, "HHHHH", two.code, "KKKKK"])
        monkeypatch.setattr(rooms, "new_code", lambda *taken: next(draws))
        cy = await two.second.player()
        assert await cy.create("cy") == "HHHHH"
        assert await two.second.server.rooms.open("", RoomOptions()) == "KKKKK"
        assert two.second.server.worker.figures.failures == 0
        assert two.second.server.worker.is_writing


async def test_a_code_is_as_long_as_the_whole_fleet_needs(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with racing(fleet) as two:
        two.second_store.renew(ServerLoad("second.example:7777", 50_000, 0))
        await renew_lease(two.first.server, "first.example:7777")
        cy = await two.first.player()
        assert len(await cy.create("cy")) == 7


async def test_a_room_with_a_code_of_its_operators_is_found_from_other_servers(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with racing(fleet) as two:
        assert await two.first.server.rooms.open("CLUB1", RoomOptions()) == "CLUB1"
        cy = await two.second.player()
        text = await refusal(cy, Join(cy.id(), "club1", "cy"))
        assert text == "That race is on another server: first.example:7777."


async def test_two_servers_that_draw_the_same_free_code_at_once_both_open_a_room(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with racing(fleet) as two:
        draws = iter(["HHHHH", "HHHHH", "KKKKK", "KKKKK", "FFFFF"])
        monkeypatch.setattr(rooms, "new_code", lambda *taken: next(draws))
        monkeypatch.setattr(two.second_store, "owners_of_codes", lambda codes: {})  # asked too soon
        cy, dee = await two.first.player(), await two.second.player()
        assert await cy.create("cy") == "HHHHH"
        assert await dee.create("dee") == "KKKKK"
        assert await two.second.server.rooms.open("", RoomOptions()) == "FFFFF"
        assert set(two.second.server.rooms) == {"KKKKK", "FFFFF"}
        assert two.second.server.worker.figures.failures == 0
        await dee.ok(Say(dee.id(), "hello"))


async def test_a_server_without_its_database_does_not_say_that_there_are_no_rooms(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They sleep by then, and are not gone."""
    async with racing(fleet) as two:
        dee = await two.second.player()
        with monkeypatch.context() as patch:
            patch.setattr(two.second_store._link, "trouble", "nothing answers at its host and port")
            refused = await dee.answer(ListRooms(dee.id()))
        assert isinstance(refused, Error)
        assert (refused.code, refused.text) == (ErrorCode.NOT_READ, NO_LIST)
        assert isinstance(await dee.answer(ListRooms(dee.id())), RoomList)


async def test_each_server_lists_the_rooms_of_all(fleet: Fleet, autojump_clock: MockClock) -> None:
    async with racing(fleet) as two:
        await renew_lease(two.first.server, "first.example:7777")
        await renew_lease(two.second.server, "second.example:7777")
        cy = await two.second.player()
        dee_code = await cy.create("cy")
        dee = await two.second.player()
        listed = await dee.answer(ListRooms(dee.id()))
        assert isinstance(listed, RoomList)
        assert [room.code for room in listed.rooms] == [dee_code, two.code], "with a free place first"
        assert two.second.server.peers.addresses == ("second.example:7777", "first.example:7777")
        two.fleet.expire(two.first_store)
        await renew_lease(two.second.server, "second.example:7777")
        listed = await dee.answer(ListRooms(dee.id()))
        assert isinstance(listed, RoomList)
        assert [room.code for room in listed.rooms] == [dee_code]
        assert not two.second.server.peers.addresses


async def test_who_finds_no_space_for_a_room_reads_where_there_is_some(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    stores = fleet.join(), fleet.join()
    full = replace(UNHURRIED, most_rooms=0)
    async with server_on(stores[0], full) as first, server_on(stores[1]):
        stores[1].renew(ServerLoad("second.example:7777", 0, 0))
        await renew_lease(first.server, "first.example:7777")
        player = await first.player()
        answer = await player.answer(Create(player.id(), "ana"))
        assert isinstance(answer, Error)
        assert (answer.code, answer.data) == ("room/too_many", ErrorData(moved_to="second.example:7777"))


async def test_who_may_be_sent_on_opens_a_room_where_there_are_far_fewer_players(
    fleet: Fleet, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "FEW_CONNECTIONS", 2)
    stores = fleet.join(), fleet.join()
    async with server_on(stores[0]) as house:
        stores[1].renew(ServerLoad("second.example:7777", 0, 1))
        await renew_lease(house.server, "first.example:7777")
        players = [await house.player() for _ in range(4)]
        await players[0].ok(Create(players[0].id(), "ana", elsewhere=True))
        players.append(await house.player())
        answer = await players[1].answer(Create(players[1].id(), "ben", elsewhere=True))
        assert isinstance(answer, Error)
        assert (answer.code, answer.data) == ("room/too_many", ErrorData(moved_to="second.example:7777"))
        await players[2].ok(Create(players[2].id(), "cy", elsewhere=True))  # it has one more by now
        await renew_lease(house.server, "first.example:7777")
        await players[3].ok(Create(players[3].id(), "dee"))  # who was sent here, or cannot go elsewhere
