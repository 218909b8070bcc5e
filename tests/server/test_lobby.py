"""Rooms before the race: create, list, join, sit, configure, bots, start, leave."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.bot_names import bot_name
from heat_core.files import read_track_file, track_names
from heat_core.options.settings import SETTINGS, changes_of, make_rules
from heat_core.race.setup import COLOURS
from heat_core.wire.messages import (
    AskTrack,
    Configure,
    Create,
    Error,
    Join,
    Leave,
    ListTracks,
    LobbyView,
    Ok,
    PlaceBot,
    RoomOptions,
    Start,
    TakeSeat,
    TrackList,
    TrackTold,
    Update,
)
from heat_server.config import ServerConfig
from heat_server.room.codes import CODE_LENGTH, SIGNS, code_length, is_code, new_code, normal_code
from tests.server.support import QUICK, House

pytestmark = pytest.mark.trio

EIGHT = {"most_cars": "8"}


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


async def test_only_the_host_settles_things(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    _, ben = await House(nursery).full_lobby(["ana", "ben"])
    for message in (
        Configure(ben.id(), QUICK),
        PlaceBot(ben.id(), 3, "steady"),
        Start(ben.id()),
    ):
        assert await ben.refused(message) == "room/not_host"


async def test_new_settings_clear_the_ready_marks(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"])
    await ana.configure(RoomOptions(track="japan", cars=8, settings=EIGHT, turn_milliseconds=5000))
    state = await ben.wait_for(LobbyView, lambda state: state.options.track == "japan")
    assert not any(place.is_ready for place in state.places)
    assert len(state.places) == 8
    assert state.turn_milliseconds == 5000


async def test_of_many_tracks_only_some_are_listed(
    nursery: trio.Nursery, autojump_clock: MockClock, tmp_path: Path
) -> None:
    oval = Path(__file__).parents[2] / "examples" / "oval.json"
    for number in range(40):
        own = oval.read_bytes().replace(b'"oval"', b'"oval-%d"' % number)
        (tmp_path / f"{number}.json").write_bytes(own)
    house = House(nursery, ServerConfig(track_folder=tmp_path))
    ana = await house.player()
    error = await ana.answer(Create(ana.id(), "ana", options=RoomOptions(track="moon")))
    assert isinstance(error, Error)
    assert error.code == "options/unknown_track"
    assert error.text.startswith("This server does not have that track. Its tracks are usa, ")
    assert error.text.endswith(" and 28 more.")


async def test_options_that_do_not_fit(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    house = House(nursery)
    ana, *_ = await house.full_lobby(["ana", "ben", "cy"])
    assert await ana.refused(Configure(ana.id(), RoomOptions(track="moon"))) == "options/unknown_track"
    assert await ana.refused(Configure(ana.id(), RoomOptions(cars=2))) == "options/bad"
    assert await ana.refused(Configure(ana.id(), RoomOptions(cars=4, legends=4))) == "options/bad"
    for garage in ("none", "basic"):
        error = await ana.answer(Configure(ana.id(), RoomOptions(garage=garage, expansion=True)))
        assert isinstance(error, Error)
        assert error.code == "options/bad"
        assert error.text.endswith("upgrades of the expansion need the garage advanced or mixed.")
    wrong = RoomOptions(garage="old")  # type: ignore[arg-type]  # what no client of ours would send
    assert await ana.refused(Configure(ana.id(), wrong)) == "wire/bad_message"
    dee = await house.player()
    assert (
        await dee.refused(Create(dee.id(), "dee", options=RoomOptions(track="moon")))
        == "options/unknown_track"
    )
    assert await dee.refused(Create(dee.id(), "\x07")) == "seat/bad_name"
    assert len(house.server.rooms) == 1


@pytest.mark.parametrize(
    ("settings", "code", "text"),
    [
        ({"hat_size": "7"}, "options/unknown_setting", "There is no such setting. The settings are boost_"),
        ({"preset": "rulebook"}, "options/unknown_setting", "There is no such setting"),
        ({"hand_size": "9"}, "options/bad_setting", "The setting hand_size can be 6, 7 or 8."),
        ({"hand_size": ""}, "wire/bad_message", "options.settings"),
        ({"x" * 33: "7"}, "wire/bad_message", "options.settings"),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" in value else "",
)
async def test_settings_that_there_are_not(
    settings: dict[str, str], code: str, text: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await House(nursery).player()
    await ana.create()
    before = ana.room
    error = await ana.answer(Configure(ana.id(), RoomOptions(settings=settings)))
    assert isinstance(error, Error)
    assert (error.code, text in error.text) == (code, True), error.text
    assert not any(word in error.text for word in ("hat_size", "xxx"))
    await ana.ping()
    assert ana.room == before


async def test_a_room_starts_from_a_preset_and_changes_single_settings(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, ben = await House(nursery).full_lobby(["ana", "ben"], RoomOptions(laps=1, rules="rulebook"))
    await ana.configure(RoomOptions(laps=1, rules="rulebook", settings={"hand_size": "6"}))
    state = await ben.wait_for(LobbyView, lambda state: bool(state.options.settings))
    assert state.options.settings == {"hand_size": "6"}
    assert not state.places[1].is_ready
    every = {setting.name: setting.values[-1].word for setting in SETTINGS}
    await ana.configure(RoomOptions(laps=1, rules="rulebook", settings=every))
    state = await ben.wait_for(LobbyView, lambda state: len(state.options.settings) > 1)
    rules = make_rules("rulebook", every)
    assert state.options.settings == changes_of(rules), "what is the preset's anyway is no change"
    await ana.start()
    assert ben.started is None
    await ben.wait_for(Update)
    assert ben.started is not None
    assert ben.started.setup.rules == rules  # type: ignore[unreachable]  # waiting has changed it
    assert ben.view.cars[0].hand_size == rules.hand_size


async def test_more_than_six_cars_by_setting_only(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    ana = await House(nursery).player()
    await ana.create("ana", RoomOptions(laps=1))
    for cars in (7, 8):
        error = await ana.answer(Configure(ana.id(), RoomOptions(cars=cars, laps=1)))
        assert isinstance(error, Error)
        assert error.code == "options/bad"
        assert error.text.endswith(" has 2 to 6, and up to 8 by the setting most_cars=8.")
    await ana.configure(RoomOptions(cars=8, legends=7, laps=1, settings=EIGHT))
    await ana.start()
    assert len(ana.view.cars) == 8


async def test_tracks_of_a_folder_are_listed_told_and_raced_on(
    nursery: trio.Nursery, autojump_clock: MockClock, tmp_path: Path
) -> None:
    oval = Path(__file__).parents[2] / "examples" / "oval.json"
    (tmp_path / "mine.json").write_bytes(oval.read_bytes())
    (tmp_path / "usa.json").write_bytes(oval.read_bytes().replace(b'"oval"', b'"usa"'))
    (tmp_path / "broken.json").write_text("{")
    house = House(nursery, ServerConfig(track_folder=tmp_path))
    ana, ben = await house.player(), await house.player()
    listed = await ana.answer(ListTracks(ana.id()))
    assert isinstance(listed, TrackList)
    assert [track.id for track in listed.tracks] == [*track_names(), "oval"]
    told = await ana.answer(AskTrack(ana.id(), "oval"))
    assert isinstance(told, TrackTold)
    assert told.track == read_track_file(oval)
    assert await ana.refused(AskTrack(ana.id(), "moon")) == "options/unknown_track"
    code = await ana.create("ana", RoomOptions(track="oval", laps=1))
    await ben.join(code, "ben")
    await ana.start()
    await ben.wait_for(Update)
    assert ben.started is not None
    assert ben.started.setup.track == told.track


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


@pytest.mark.spec("LOBBY-1")
async def test_a_room_is_made_with_all_that_can_be_settled_and_a_code_to_read_aloud(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    house = House(nursery)
    ana = await house.player()
    options = RoomOptions(
        track="japan",
        laps=4,
        cars=7,
        legends=3,
        level="hard",
        rules="rulebook",
        settings={"most_cars": "8", "hand_size": "6"},
        turn_milliseconds=45_000,
        grace_milliseconds=5_000,
        away_driver="steady",
        garage="mixed",
        expansion=True,
        weather=True,
    )
    got = await ana.ok(Create(ana.id(), "ana", "orange", options, "secret"))
    state = await ana.wait_for(LobbyView)
    assert got.code == state.code
    assert CODE_LENGTH == len(state.code) == 5
    assert set(state.code) <= set(SIGNS)
    assert (state.options, state.laps, state.turn_milliseconds, state.is_private) == (
        options,
        4,
        45_000,
        True,
    )
    assert (state.own.name, state.own.colour, len(state.places)) == ("ana", "orange", 7)
    await ana.start()
    assert ana.started is not None
    setup = ana.started.setup
    assert (setup.track.id, setup.laps, setup.rules) == ("japan", 4, make_rules("rulebook", options.settings))
    assert (setup.modules.garage, setup.modules.expansion, setup.modules.weather) == ("mixed", True, True)
    assert [car.is_legend for car in ana.view.cars] == [False, True, True, True]
    assert {decision.milliseconds_left for decision in ana.updates[0].decisions} == {45_000}


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
