"""Rooms before the race: create, list, join, sit, configure, bots, start, leave."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.bot_names import bot_name
from heat_core.race.setup import COLOURS
from heat_core.wire.messages import (
    Create,
    Error,
    Join,
    Leave,
    LobbyView,
    Ok,
    PlaceBot,
    RoomOptions,
    Start,
    TakeSeat,
    Update,
)
from heat_server.config import ServerConfig
from heat_server.room.codes import CODE_LENGTH, SIGNS, code_length, is_code, new_code, normal_code
from tests.server.support import EIGHT, QUICK, House

pytestmark = pytest.mark.trio


async def test_a_room_is_made_listed_and_joined_by_its_code(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    code = await ana.create("ana", RoomOptions(track="italy", laps=3, cars=4))
    (summary,) = (await ben.rooms()).rooms
    assert (summary.code, summary.track, summary.laps, summary.cars) == (code, "italy", 3, 4)
    assert (summary.players, summary.has_place, summary.host) == (1, True, "ana")
    assert await ben.join(f" {code[:2].lower()}-{code[2:]} ", "ben") == 1
    state = await ana.wait_for(LobbyView, lambda state: state.places[1].kind is not None)
    assert (state.places[1].name, state.places[1].colour, state.place, state.host) == ("ben", "blue", 0, 0)
    assert state.invitation == f"heat-tui connect HOST {code}"


async def test_joining_what_cannot_be_joined(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben, cy = [await house.player() for _ in range(3)]
    code = await ana.create("ana", RoomOptions(cars=2, laps=1))
    assert await ben.refused(Join(ben.id(), "NOSUCH", "ben")) == "room/unknown"
    await ben.join(code, "ben")
    assert await cy.refused(Join(cy.id(), code, "cy")) == "room/full"
    assert await ben.refused(Join(ben.id(), code, "ben")) == "room/already_in_one"
    await ben.leave()
    assert await ben.refused(Leave(ben.id())) == "room/in_none"
    await cy.join(code, "cy")
    await ana.start()
    assert await ben.refused(Join(ben.id(), code, "ben")) == "room/begun"


@pytest.mark.parametrize(
    "name", ["", "   ", "a" * 17, "a\u202eb", "a\x1b[1m", "\u200b", "a\nb", "Ana", " ANA "]
)
async def test_names_that_are_refused(name: str, nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    code = await ana.create("ana")
    answer = await ben.refused(Join(ben.id(), code, name))
    assert answer == ("seat/name_taken" if name.strip().lower() == "ana" else "seat/bad_name")
    await ben.join(code, "ben")
    assert await ben.refused(TakeSeat(ben.id(), name)) == answer


async def test_another_name_is_told_in_the_chat(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.full_lobby(["ana", "ben"])
    await ben.ok(TakeSeat(ben.id(), name="benno"))
    await ben.ok(TakeSeat(ben.id(), name="benno", ready=True))
    await ana.ping()
    assert ana.news[1:] == ["ben is now called benno."], "once"


async def test_two_take_the_same_colour_at_once(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    first, second = TakeSeat(ana.id(), colour="purple"), TakeSeat(ben.id(), colour="purple")
    async with trio.open_nursery() as both:
        answers: list[object] = []

        async def ask(player: object, message: TakeSeat) -> None:
            answers.append(await player.answer(message))  # type: ignore[attr-defined]

        both.start_soon(ask, ana, first)
        both.start_soon(ask, ben, second)
    assert sorted(type(answer).__name__ for answer in answers) == ["Error", "Ok"]
    (error,) = [answer for answer in answers if isinstance(answer, Error)]
    assert error.code == "seat/colour_taken"


async def test_two_take_the_last_place_at_once(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben, cy = [await house.player() for _ in range(3)]
    code = await ana.create("ana", RoomOptions(cars=2))
    await ben.send(Join(ben.id(), code, "ben"))
    await cy.send(Join(cy.id(), code, "cy"))
    got = [await player.receive() for player in (ben, cy)]
    assert sorted(type(message).__name__ for message in got) == ["Error", "Ok"]


async def test_people_come_before_bots_with_colours(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    code = await ana.create("ana", QUICK, "green")
    await ana.bot(1, "steady")
    await ana.bot(2, "legend:hard")
    await ben.join(code, "ben", "red")
    assert ben.room is not None
    colours = [place.colour for place in ben.room.places if place.kind]
    assert len(set(colours)) == len(colours) == 4
    assert colours[0] == "green"
    assert colours[3] == "red"
    assert [place.name for place in ben.room.places[1:3]] == [bot_name("steady", 1, code, ()), "Legend 1"]


async def test_in_a_full_room_of_eight_a_bot_swaps_its_colour(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    code = await ana.create("ana", RoomOptions(cars=8, settings=EIGHT), "green")
    await ben.join(code, "ben", "red")
    for place in range(2, 8):
        await ana.bot(place, "steady")
    assert ana.room is not None
    of_a_bot = ana.room.places[5].colour
    assert of_a_bot is not None
    await ben.seat(colour=of_a_bot)
    await ben.ping()
    assert ben.room is not None
    colours = [place.colour for place in ben.room.places]
    assert (colours[1], colours[5]) == (of_a_bot, "red")
    assert len(set(colours)) == 8


async def test_fewer_places_move_people_together(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben, cy = await House(nursery).full_lobby(["ana", "ben", "cy"])
    await ben.leave()
    await ana.configure(RoomOptions(cars=2))
    state = await cy.wait_for(LobbyView, lambda state: state.options.cars == 2)
    assert state.place == 1
    assert state.places[1].name == "cy"


async def test_bots_sit_only_where_nobody_sits(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, _ = await House(nursery).full_lobby(["ana", "ben"])
    assert await ana.refused(PlaceBot(ana.id(), 1, "steady")) == "place/taken"
    assert await ana.refused(PlaceBot(ana.id(), 7, "steady")) == "place/unknown"
    await ana.bot(2, "random")
    await ana.bot(2, None)
    state = await ana.wait_for(LobbyView, lambda state: state.places[2].kind is None)
    assert state.places[2].name == ""


@pytest.mark.spec("NET-4")
async def test_the_host_starts_when_all_are_ready_or_says_it_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana, ben = await house.player(), await house.player()
    code = await ana.create("ana", QUICK)
    assert await ana.refused(Start(ana.id())) == "start/too_few_cars"
    await ben.join(code, "ben")
    error = await ana.answer(Start(ana.id()))
    assert isinstance(error, Error)
    assert (error.code, "ben" in error.text) == ("start/not_ready", True)
    await ana.configure(QUICK)
    assert await ana.refused(Start(ana.id())) == "start/not_ready"  # new settings: asked anew
    assert isinstance(await ana.answer(Start(ana.id())), Ok)
    await ben.wait_for(Update)
    assert ben.view.status == "running"
    others = await house.full_lobby(["cy", "dee"])
    assert isinstance(await others[0].answer(Start(others[0].id())), Ok)


async def test_the_hosts_leaving_hands_the_room_on(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben, cy = await House(nursery).full_lobby(["ana", "ben", "cy"])
    await ana.leave()
    state = await cy.wait_for(LobbyView, lambda state: state.host == 1)
    assert state.places[0].kind is None
    await ben.bot(0, "steady")


async def test_a_dropped_host_keeps_the_place_for_the_grace_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.hang_up()
    state = await ben.wait_for(LobbyView, lambda state: not state.places[0].is_connected)
    assert (state.host, state.places[0].kind) == (0, "human")
    state = await ben.wait_for(LobbyView, lambda state: state.places[0].kind is None)
    assert state.host == 1
    assert trio.current_time() == pytest.approx(20, abs=1)


async def test_an_empty_lobby_is_removed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(empty_lobby_seconds=100))
    ana = await house.player()
    code = await ana.create()
    await ana.leave()
    await ana.join(code, "ana")
    await ana.leave()
    await trio.sleep(99)
    assert code in house.server.rooms
    await trio.sleep(2)
    assert not house.server.rooms
    assert await ana.refused(Join(ana.id(), code, "ana")) == "room/unknown"


async def test_the_number_of_rooms_is_limited(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery, ServerConfig(most_rooms=1))
    ana, ben = await house.player(), await house.player()
    await ana.create()
    assert await ben.refused(Create(ben.id(), "ben")) == "room/too_many"


async def test_codes_cannot_be_misread() -> None:
    assert 4 <= CODE_LENGTH <= 6
    assert not set(SIGNS) & set("01OILQSZ258BDPTVGCEN")
    assert len({new_code(1) for _ in range(50)}) > 45
    assert normal_code(" fh-k 34 ") == "FHK34"


async def test_codes_are_longer_where_there_are_many_rooms_so_that_a_wrong_one_hardly_hits() -> None:
    lengths = [code_length(rooms) for rooms in (0, 3_700, 3_800, 48_000, 49_000, 100_000, 600_000)]
    assert lengths == [5, 5, 6, 6, 7, 7, 7]
    assert len(new_code(100_000)) == 7
    assert [is_code(text) for text in ("FHK34", "FHKMRWX", "PARTY", "", "ÄÄÄÄÄ", "F" * 17)] == [True] * 3 + [
        False
    ] * 3


@pytest.mark.spec("LOBBY-4")
async def test_names_and_eight_colours_none_twice_and_no_account(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    people = [await house.player() for _ in COLOURS]
    code = await people[0].create("driver 0", RoomOptions(laps=1, cars=8, settings=EIGHT), COLOURS[3])
    for number, player in enumerate(people[1:5], start=1):
        await player.join(code, f"driver {number}")
    assert await people[5].refused(Join(people[5].id(), code, "DRIVER 2")) == "seat/name_taken"
    assert await people[5].refused(Join(people[5].id(), code, "x", COLOURS[3])) == "seat/colour_taken"
    await people[5].join(code, "x", COLOURS[7])
    assert await people[5].refused(TakeSeat(people[5].id(), colour=COLOURS[0])) == "seat/colour_taken"
    await people[0].bot(6, "legend:easy")
    await people[0].bot(7, "random")
    await people[0].ping()
    assert people[0].room is not None
    places = people[0].room.places
    assert sorted(place.colour or "" for place in places) == sorted(COLOURS)
    assert len({place.name.lower() for place in places}) == 8
    seven = RoomOptions(laps=1, cars=8, legends=7, settings=EIGHT)
    await people[6].create("alone", seven, COLOURS[5])
    await people[6].start()
    assert people[6].started is not None
    cars = people[6].started.setup.cars
    assert {car.colour for car in cars} == set(COLOURS)
    assert cars[0].colour == COLOURS[5]


async def test_starting_and_leaving_at_the_same_moment(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Whoever is heard first is right, and the other is told."""
    house = House(nursery)
    for first in ("start", "leave"):
        ana, ben = await house.full_lobby(["ana", "ben"])
        if first == "start":
            await ana.send(Start(ana.id()))
            await ben.send(Leave(ben.id()))
        else:
            await ben.send(Leave(ben.id()))
            await trio.testing.wait_all_tasks_blocked()
            await ana.send(Start(ana.id()))
        await ben.wait_for(Ok)
        await ana.ping()
        assert ana.room is not None
        if ana.started is not None:
            assert (ana.room.phase, ana.room.places[1].is_connected) == ("racing", False)
            await ana.race()
            assert len(ana.view.standings) == 2
        else:
            assert first == "leave"
            assert (ana.room.phase, ana.room.places[1].kind) == ("lobby", None)
            assert await ana.refused(Start(ana.id())) == "start/too_few_cars"
