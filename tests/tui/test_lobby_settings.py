"""The settings of a room in its lobby: the host changes them, the others read them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest

from heat_core.options.settings import RACE_SETTINGS, make_rules
from heat_core.options.table_options import USUAL_BOT, shown_rules
from heat_core.race.presets import PRESETS
from heat_core.race.setup import Modules
from heat_core.wire.address import Address
from heat_core.wire.messages import RoomOptions
from heat_tui.app import HeatApp
from heat_tui.flow.lobby import READY_AGAIN
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.screens.track_picture import TrackPicture
from tests.tui.support_app import message, server_process, shown, until
from tests.tui.support_lobby import (
    OPTION_LABELS,
    client,
    host,
    host_and_guest,
    in_lobby,
    room_of,
    room_of_lobby,
)

pytestmark = pytest.mark.asyncio


EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


def differs(app: HeatApp, option: str, before: object) -> bool:
    return bool(getattr(room_of(app).options, option) != before)


def is_changed(app: HeatApp, setting: str) -> bool:
    return setting in room_of_lobby(app).options.settings


def is_driven(app: HeatApp, place: int) -> bool:
    return room_of(app).places[place].kind == USUAL_BOT


@pytest.mark.spec("LOBBY-3")
async def test_the_waiting_room_shows_all_and_the_host_changes_all_and_starts_alone(
    tmp_path: Path, address: Address
) -> None:
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, at_ben):

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
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, at_ben):
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


async def test_the_settings_are_one_key_away_from_the_places(tmp_path: Path, address: Address) -> None:
    async with host_and_guest(tmp_path, address) as (ana, at_ana, ben, at_ben):
        assert "Settings (right arrow: change)" in shown(at_ana)
        await at_ana.press("right", "down", "right")
        await until(lambda: room_of(ana).options.laps == 1)
        await at_ben.press("right", "enter")
        await until(lambda: isinstance(ben.screen, TableRulesScreen))


async def test_a_driver_who_was_ready_reads_that_the_settings_have_changed(
    tmp_path: Path, address: Address
) -> None:
    async with host_and_guest(tmp_path, address) as (_, at_ana, ben, at_ben):
        await at_ben.press("r")
        await until(lambda: message(ben) == "You are ready.")
        await at_ana.press("right", "down", "right")
        await until(lambda: message(ben) == READY_AGAIN)
