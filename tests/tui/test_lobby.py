"""The waiting room, two clients at the real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from heat_core.options.settings import RACE_SETTINGS, make_rules
from heat_core.options.table_options import USUAL_BOT, shown_rules
from heat_core.race.presets import PRESETS
from heat_core.race.setup import Modules
from heat_core.wire.address import Address
from heat_core.wire.messages import LobbyView, RoomOptions
from heat_tui.app import HeatApp
from heat_tui.client.server_stay import ServerStay
from heat_tui.client.session_file import saved_sessions
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.lobby import LobbyScreen
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.screens.track_picture import TrackPicture
from tests.tui.support_app import LARGE, SMALL, GridApp, message, server_process, shown, until

pytestmark = pytest.mark.asyncio

EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with server_process() as address:
        yield address


@asynccontextmanager
async def client(
    path: Path, address: Address, name: str, size: tuple[int, int] = SMALL
) -> AsyncIterator[tuple[GridApp, Pilot[None]]]:
    """Run a client that stands connected on the join screen."""
    app = GridApp(path / name, name=name)
    stay = await ServerStay.begin(app.folders, address)
    app._opening = lambda app: app.show_join(stay)
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        yield app, pilot


@asynccontextmanager
async def host(
    path: Path, address: Address, name: str = "Ana"
) -> AsyncIterator[tuple[GridApp, Pilot[None], str]]:
    async with client(path, address, name) as (app, pilot):
        await pilot.press("f2")
        await until(lambda: in_lobby(app))
        await pilot.pause()
        yield app, pilot, room_of(app).code


OPTION_LABELS = {
    "track": "Track",
    "laps": "Laps",
    "cars": "Places",
    "legends": "Empty places",
    "level": "Legend level",
    "rules": "Rules",
    "garage": "Garage",
    "weather": "Weather",
    "turn_milliseconds": "Turn time",
    "grace_milliseconds": "Reconnect in",
    "away_driver": "Away driver",
    "advice": "Advice",
}


def room_of_lobby(app: HeatApp) -> LobbyView:
    """Give the room of a lobby that may lie below another screen."""
    (lobby,) = [screen for screen in app.screen_stack if isinstance(screen, LobbyScreen)]
    room = lobby._stay.link.room
    assert room is not None
    return room


def differs(app: HeatApp, option: str, before: object) -> bool:
    return bool(getattr(room_of(app).options, option) != before)


def is_changed(app: HeatApp, setting: str) -> bool:
    return setting in room_of_lobby(app).options.settings


def is_driven(app: HeatApp, place: int) -> bool:
    return room_of(app).places[place].kind == USUAL_BOT


def in_lobby(app: HeatApp) -> bool:
    return isinstance(app.screen, LobbyScreen) and app.screen._stay.link.room is not None


def room_of(app: HeatApp) -> LobbyView:
    assert isinstance(app.screen, LobbyScreen)
    room = app.screen._stay.link.room
    assert room is not None
    return room


async def join(app: GridApp, pilot: Pilot[None], code: str) -> None:
    app.screen.query_one("#code", Input).focus()
    await pilot.press(*code, "enter")
    await until(lambda: in_lobby(app))


@pytest.mark.spec("LOBBY-2")
async def test_two_meet_choose_and_start(tmp_path: Path, address: Address) -> None:
    async with (
        host(tmp_path, address) as (ana, at_ana, code),
        client(tmp_path, address, "Ben") as (ben, at_ben),
    ):
        await join(ben, at_ben, code.lower())
        await until(lambda: room_of(ana).places[1].name == "Ben")
        await at_ana.pause()
        text = shown(at_ana)
        assert f"heat-tui connect 127.0.0.1:{address.port} {code}" in text
        for word in ("Ana", "Ben", "host, you", "not ready", "red", "blue"):
            assert word in text

        await at_ben.press("r")
        await until(lambda: room_of(ana).places[1].is_ready)
        await at_ana.press("r")
        await until(lambda: room_of(ben).places[0].is_ready)
        await at_ben.pause()
        assert "host, READY" in shown(at_ben)
        await at_ana.pause()
        (row,) = [line for line in shown(at_ana).split("\n") if "Ana" in line and "red" in line]
        assert "you, READY" in row, "on one line"
        ana.screen.query_one("#laps", ChoiceRow).focus()
        await at_ana.press("right")
        await until(lambda: room_of(ben).options.laps == 1)
        assert not room_of(ben).places[1].is_ready, "changed settings clear the marks"
        await at_ana.press("l")
        await until(lambda: room_of(ben).places[2].kind == "legend:medium")
        await at_ana.press("b")
        await until(lambda: room_of(ben).places[3].kind == USUAL_BOT)
        ana.screen.query_one("#places", OptionList).highlighted = 3
        await at_ana.press("x")
        await until(lambda: room_of(ben).places[3].kind is None)

        await at_ana.press("s")
        await until(lambda: "Not ready: Ben" in message(ana))
        await at_ana.press("s")
        await until(lambda: ana.raced_at and ben.raced_at)
        assert ben.raced_at[0].race_session().seats == (1,)


async def test_who_is_not_host_cannot_change_or_start(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address) as (ana, _, code), client(tmp_path, address, "Ben") as (ben, at_ben):
        await join(ben, at_ben, code)
        for key, what in (("s", "start"), ("l", "add"), ("b", "add"), ("x", "add"), ("k", "remove people")):
            await at_ben.press(key)
            assert message(ben).startswith(f"Only the host can {what}")
        assert all(row.is_locked for row in ben.screen.query(ChoiceRow))
        assert not ben.screen.query_one("#start").display
        await at_ben.click("#laps", offset=(16, 0))
        await at_ben.pause()
        assert room_of(ben).options.laps is None
        assert not ana.raced_at


@pytest.mark.spec("LOBBY-3")
async def test_the_waiting_room_shows_all_and_the_host_changes_all_and_starts_alone(
    tmp_path: Path, address: Address
) -> None:
    async with (
        host(tmp_path, address) as (ana, at_ana, code),
        client(tmp_path, address, "Ben") as (ben, at_ben),
    ):
        await join(ben, at_ben, code)

        async def ready() -> None:
            await at_ben.press("r")
            await until(lambda: room_of(ana).places[1].is_ready)
            await at_ana.pause()
            assert "READY" in shown(at_ana)

        await at_ben.pause()
        for word in ("Ana", "red", "host", "Ben", "blue", "you, not ready", *OPTION_LABELS.values()):
            assert word in shown(at_ben)
        # The expansion's upgrades are a choice of the garage's row; test_room_season.py makes championships.
        others = {"settings", "expansion", "season"}
        assert set(RoomOptions.__struct_fields__) == {*OPTION_LABELS, *others}
        for option in OPTION_LABELS:
            await ready()
            before = getattr(room_of(ben).options, option)
            row = ana.screen.query_one(f"#{option}", ChoiceRow)
            row.focus()
            await at_ana.press("right")
            await until(partial(differs, ben, option, before))
            assert not room_of(ben).places[1].is_ready
            await at_ben.pause()
            assert ben.screen.query_one(f"#{option}", ChoiceRow).value == row.value
        assert room_of(ben).options.rules == "rulebook"

        await at_ana.press("f3")
        await until(lambda: isinstance(ana.screen, TableRulesScreen))
        for setting in RACE_SETTINGS:
            await at_ana.pause()
            ana.screen.query_one(f"#{setting.name}").focus()
            await at_ana.press("right")
            await until(partial(is_changed, ben, setting.name))
            await at_ben.pause()
            rules = make_rules("rulebook", room_of(ben).options.settings)
            assert f"{setting.label}: {setting.label_in(rules)}" in shown(at_ben)
        await at_ana.press("escape")
        await at_ben.press("escape")
        await until(lambda: room_of(ana).places[1].kind is None)
        await at_ana.press("l", "s")
        await until(lambda: ana.raced_at)
        setup = ana.raced_at[0].race_session().setup
        assert setup.rules == rules
        assert setup.modules == Modules(garage="basic", weather=True)
        assert [car.legend is None for car in setup.cars][:2] == [True, False]


async def test_single_settings_in_the_lobby_reset_with_the_preset_and_are_only_shown_to_others(
    tmp_path: Path, address: Address
) -> None:
    async with (
        host(tmp_path, address) as (ana, at_ana, code),
        client(tmp_path, address, "Ben") as (ben, at_ben),
    ):
        await join(ben, at_ben, code)
        await at_ana.click("#settings")
        await until(lambda: isinstance(ana.screen, TableRulesScreen))
        await at_ana.pause()
        await at_ana.click("#most_cars", offset=(20, 0))
        await at_ana.click("#hand_size", offset=(20, 0))
        await until(lambda: room_of(ben).options.settings == {"hand_size": "8", "most_cars": "8"})
        await at_ben.press("f3")
        await until(lambda: isinstance(ben.screen, TableRulesScreen))
        await at_ben.pause()
        assert "8 cards  * changed" in shown(at_ben)
        assert all(row.is_locked for row in ben.screen.query(ChoiceRow))
        await at_ben.press("r", "right", "space")
        await at_ana.press("escape")
        await until(lambda: in_lobby(ana))
        await at_ana.pause()
        cars = ana.screen.query_one("#cars", ChoiceRow)
        cars.focus()
        await at_ana.press("right", "right")
        await until(lambda: room_of(ana).options.cars == 8)
        await at_ana.press("f3")
        await until(lambda: isinstance(ana.screen, TableRulesScreen))
        await at_ana.pause()
        await at_ana.press("r")
        await until(lambda: room_of_lobby(ben).options.settings == {})
        assert room_of_lobby(ben).options.cars == 6, "there is no room for eight any more"
        await at_ben.pause()
        assert "changed" not in shown(at_ben)
        await at_ana.press("escape", "escape")
        await until(lambda: room_of_lobby(ben).host == room_of_lobby(ben).place)
        await until(lambda: not any(row.is_locked for row in ben.screen.query(ChoiceRow)))


async def test_what_the_server_refuses_is_said_where_the_settings_are(
    tmp_path: Path, address: Address
) -> None:
    async with host(tmp_path, address) as (ana, at_ana, _):
        await at_ana.press("f3")
        await until(lambda: isinstance(ana.screen, TableRulesScreen))
        await at_ana.pause()
        ana.screen.query_one("#most_cars").focus()
        await at_ana.press("right", "escape")
        await until(lambda: in_lobby(ana) and room_of(ana).options.settings)
        await at_ana.pause()
        ana.screen.query_one("#cars").focus()
        await at_ana.press("right", "right")
        await until(lambda: room_of(ana).options.cars == 8)
        for place in range(1, 8):
            await at_ana.press("b")
            await until(partial(is_driven, ana, place))
        await at_ana.press("f3")
        await until(lambda: isinstance(ana.screen, TableRulesScreen))
        await at_ana.pause()
        await at_ana.press("r")
        await until(lambda: message(ana) == "8 places are taken; 6 would be too few.")
        assert ana.screen.query_one("#most_cars", ChoiceRow).value == "8"


async def test_tracks_of_the_server_are_chosen_and_drawn_by_clients_that_do_not_have_them(
    tmp_path: Path,
) -> None:
    oval = Path(__file__).parents[2] / "examples" / "oval.json"
    folder = tmp_path / "tracks"
    folder.mkdir()
    (folder / "oval.json").write_bytes(oval.read_bytes())
    with server_process("--tracks", str(folder)) as address:
        async with host(tmp_path, address) as (ana, at_ana, _):
            track = ana.screen.query_one("#track", ChoiceRow)
            await until(lambda: len(track._choices) == 9)
            ana.screen.query_one("#cars", ChoiceRow).focus()
            await at_ana.press("left", "left")
            await until(lambda: room_of(ana).options.cars == 4)
            track.focus()
            await at_ana.press("left")
            await until(lambda: room_of(ana).options.track == "oval")
            picture = ana.screen.query_one("#map", TrackPicture)
            await until(lambda: picture.facts is not None and picture.facts.id == "oval" and picture.display)
            await at_ana.pause()
            assert "The Oval" in shown(at_ana)
            async with client(tmp_path, address, "Ben") as (_, at_ben):
                await until(lambda: "The Oval" in shown(at_ben))  # in the list of rooms


async def test_a_server_that_names_settings_which_are_none_does_not_end_the_client() -> None:
    assert shown_rules(RoomOptions(rules="rulebook", settings={"hat": "7"})) == PRESETS["rulebook"]


async def test_names_and_cars_are_changed_in_place_and_refused_in_place(
    tmp_path: Path, address: Address
) -> None:
    async with host(tmp_path, address) as (ana, _, code), client(tmp_path, address, "Ben") as (ben, at_ben):
        await join(ben, at_ben, code)
        await at_ben.press("n", *["backspace"] * 3, *"ANA", "enter")
        await until(lambda: "that name" in message(ben))
        await at_ben.press("n", *["backspace"] * 3, *"[/b]", "enter")
        await until(lambda: room_of(ana).places[1].name == "[/b]")
        await at_ben.pause()
        assert "[/b]" in shown(at_ben)
        before = room_of(ben).places[1].colour
        await at_ben.press("c")
        await until(lambda: room_of(ben).places[1].colour not in (before, room_of(ben).places[0].colour))


async def test_leaving_hands_the_room_on_and_leads_home(tmp_path: Path, address: Address) -> None:
    async with (
        host(tmp_path, address) as (ana, at_ana, code),
        client(tmp_path, address, "Ben") as (ben, at_ben),
    ):
        await join(ben, at_ben, code)
        await at_ana.press("escape")
        await until(lambda: isinstance(ana.screen, HomeScreen))
        await until(lambda: room_of(ben).host == room_of(ben).place)
        assert saved_sessions(ana.folders) == []
        await until(lambda: ben.screen.query_one("#start").display)


async def test_a_dropped_line_in_the_lobby_mends_itself(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address) as (ana, at_ana, code):
        assert isinstance(ana.screen, LobbyScreen)
        connection = ana.screen._stay.link._connection
        assert connection is not None
        connection._abort()
        await until(lambda: "trying again" in message(ana))
        await until(lambda: message(ana) == "Connected again.")
        await at_ana.press("l")
        await until(lambda: room_of(ana).places[1].kind is not None)
        assert room_of(ana).code == code


@pytest.mark.spec("LOBBY-2")
async def test_the_list_of_rooms_shows_and_joins(tmp_path: Path, address: Address) -> None:
    async with (
        host(tmp_path, address, "[b]Ana") as (_, __, code),
        client(tmp_path, address, "Ben", LARGE) as (
            ben,
            at_ben,
        ),
    ):
        rooms = ben.screen.query_one("#rooms", OptionList)
        await until(lambda: rooms.option_count)
        await at_ben.pause()
        assert "[b]Ana" in shown(at_ben)
        rooms.highlighted = rooms.get_option_index(code)
        rooms.focus()
        await at_ben.press("enter")
        await until(lambda: in_lobby(ben))
        assert room_of(ben).code == code


async def test_wrong_codes_are_told_in_one_sentence(tmp_path: Path, address: Address) -> None:
    async with client(tmp_path, address, "Ben") as (ben, at_ben):
        ben.screen.query_one("#code", Input).focus()
        await at_ben.press(*"NOPE", "enter")
        await until(lambda: message(ben) == "No room has this code.")
        assert isinstance(ben.screen, JoinScreen)
        ben.screen.query_one("#name", Input).value = "  "
        await at_ben.press("f2")
        await until(lambda: "at least one letter" in message(ben))


async def test_no_quick_second_change_loses_the_first(tmp_path: Path, address: Address) -> None:
    """Settings are sent as a whole: each change is made to those that hold once the changes before it do."""
    async with host(tmp_path, address) as (app, _, __):
        before = room_of(app).options
        for row in ("laps", "level", "weather", "rules"):
            app.screen.query_one(f"#{row}", ChoiceRow).action_step(1)
        await until(lambda: room_of(app).options.rules != before.rules)
        options = room_of(app).options
        assert (options.laps, options.weather) == (1, True)
        assert options.level != before.level


async def test_rejoining_from_home_leads_back_to_the_room(tmp_path: Path, address: Address) -> None:
    async with host(tmp_path, address, "Cy") as (cy, _, code):
        pass
    assert [saved.code for saved in saved_sessions(cy.folders)] == [code]
    app = GridApp(tmp_path / "Cy", name="Cy")
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("b")
        await until(lambda: in_lobby(app))
        assert room_of(app).code == code
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))
    assert saved_sessions(app.folders) == []


@pytest.mark.parametrize(
    "name", ["Donaudampfschifffahrtsgesellschaftsring", "Old Airfield Ring of Brno by the Lake"]
)
async def test_a_long_name_of_a_track_is_cut_in_its_row(tmp_path: Path, name: str) -> None:
    tracks = tmp_path / "tracks"
    tracks.mkdir()
    values = msgspec.json.decode(EXAMPLE.read_bytes()) | {"name": name}
    (tracks / "oval.json").write_bytes(msgspec.json.encode(values))
    with server_process("--tracks", str(tracks)) as address:
        async with host(tmp_path, address) as (app, pilot, _):
            await until(lambda: in_lobby(app) and name in app.screen._lobby.tracks.values())  # type: ignore[attr-defined]
            app.screen.query_one("#track", ChoiceRow).focus()
            await pilot.press("left")
            await until(lambda: room_of(app).options.track == "oval")
            await pilot.pause()
            (row,) = [line for line in shown(pilot).split("\n") if "Track  " in line]
            assert f"‹ {name[:12]}" in row
            assert row.rstrip().endswith("… ›")
