"""What a host settles before the race: settings, presets, tracks, and how many cars."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from heat_core.files import read_track_file, track_names
from heat_core.options.settings import SETTINGS, changes_of, make_rules
from heat_core.wire.messages import (
    AskTrack,
    Configure,
    Create,
    Error,
    ListTracks,
    LobbyView,
    PlaceBot,
    RoomOptions,
    Start,
    TrackDetails,
    TrackList,
    Update,
)
from heat_server.config import ServerConfig
from heat_server.room.codes import CODE_LENGTH, SIGNS
from tests.server.support import EIGHT, QUICK, House

pytestmark = pytest.mark.trio


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
    assert isinstance(told, TrackDetails)
    assert told.track == read_track_file(oval)
    assert await ana.refused(AskTrack(ana.id(), "moon")) == "options/unknown_track"
    code = await ana.create("ana", RoomOptions(track="oval", laps=1))
    await ben.join(code, "ben")
    await ana.start()
    await ben.wait_for(Update)
    assert ben.started is not None
    assert ben.started.setup.track == told.track


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
