"""Setting a race up here: single settings, eight cars, tracks of one's own."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from textual.widgets import Input

from heat_core.files import TRACKS_VARIABLE, FoundTrack, own_tracks
from heat_core.options.settings import RACE_SETTINGS, SEASON_SETTINGS, make_rules
from heat_core.race.presets import RULEBOOK, STANDARD
from heat_core.race.setup import Modules
from heat_tui.screens.new_race import NewRaceScreen, TrackList
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from heat_tui.screens.track_picture import TrackPicture
from heat_tui.widgets.track_tiles import TrackTiles
from tests.tui.support_app import LARGE, SMALL, GridApp, message, show_opponents, shown, until

pytestmark = pytest.mark.asyncio

EXAMPLE = Path(__file__).parents[2] / "examples" / "oval.json"


async def test_single_settings_change_by_key_are_listed_and_raced_by(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n", "f3")
        await pilot.pause()
        assert isinstance(app.screen, TableRulesScreen)
        for setting in RACE_SETTINGS:
            assert f"{setting.label:<13}" in shown(pilot)
        assert not any(setting.label in shown(pilot) for setting in SEASON_SETTINGS)
        assert "* changed" not in shown(pilot)
        for _ in RACE_SETTINGS:
            await pilot.press("down", "right")
        assert shown(pilot).count("* changed") == len(RACE_SETTINGS)
        await pilot.press("escape")
        await pilot.pause()
        app.screen.query_one("#changes").scroll_visible(animate=False)
        await pilot.pause()
        assert "Boost: in any gear" in shown(pilot)
        await pilot.press("enter")
    rules = app.tables[0].setup.rules
    assert rules == make_rules("standard", {s.name: s.word_in(rules) for s in RACE_SETTINGS})
    assert all(getattr(rules, s.name) != getattr(STANDARD, s.name) for s in RACE_SETTINGS)


@pytest.mark.parametrize("is_hot_seat", [False, True])
async def test_garage_and_weather_are_chosen_by_key_and_mouse(tmp_path: Path, is_hot_seat: bool) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("h" if is_hot_seat else "n")
        await pilot.pause()
        if is_hot_seat:
            app.screen.query_one("#names", Input).value = "Ana, Ben"
        app.screen.query_one("#garage").focus()
        await pilot.press("left")
        assert "mixed, expansion" in shown(pilot)
        await pilot.press("left", "left")
        app.screen.query_one("#weather").scroll_visible(animate=False)
        await pilot.pause()
        assert "mixed upgrades" in shown(pilot)
        await pilot.click("#weather", offset=(20, 0))
        assert "weather, road tokens" in shown(pilot)
        await pilot.press("enter")
    assert app.tables[0].setup.modules == Modules(garage="mixed", weather=True)


async def test_settings_change_by_mouse_and_go_back_with_the_preset(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        row = app.screen.query_one("#settings")
        row.scroll_visible(animate=False)
        await pilot.pause()
        await pilot.click("#settings")
        await pilot.pause()
        assert isinstance(app.screen, TableRulesScreen)
        await pilot.click("#hand_size", offset=(20, 0))
        await pilot.click("#hand_size", offset=(20, 0))
        assert "6 cards  * changed" in shown(pilot)
        await pilot.click("#reset")
        await pilot.pause()
        assert not any(setting.label in shown(pilot) for setting in SEASON_SETTINGS)
        assert "* changed" not in shown(pilot)
        await pilot.click("#hand_size", offset=(20, 0))
        await pilot.click("#preset", offset=(20, 0))
        await pilot.pause()
        assert not any(setting.label in shown(pilot) for setting in SEASON_SETTINGS)
        assert "* changed" not in shown(pilot)
        await pilot.click("#hand_size", offset=(20, 0))
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.query_one("#rules", ChoiceRow).value == "rulebook"
        assert app.screen.query_one("#changes").display
        rules = app.screen.query_one("#rules", ChoiceRow)
        rules.focus()
        await pilot.press("right", "right")
        assert not app.screen.query_one("#changes").display
        await pilot.press("enter")
    assert app.tables[0].setup.rules == RULEBOOK


async def test_the_form_says_how_far_the_rules_are_from_the_printed_game(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.press("n")
        await pilot.pause()
        names = [setting.name for setting in RACE_SETTINGS]
        count = sum(getattr(STANDARD, name) != getattr(RULEBOOK, name) for name in names)
        await until(lambda: f"{count} differ from the printed game" in shown(pilot))
        app.screen.query_one("#rules", ChoiceRow).focus()
        await pilot.press("right")
        await pilot.pause()
        await until(lambda: "the printed game" not in shown(pilot))


async def test_enter_on_the_row_of_settings_opens_them(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        for key in ("enter", "space"):
            app.screen.query_one("#settings").focus()
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, TableRulesScreen)
            await pilot.press("escape")
        assert not app.tables


async def test_eight_cars_by_setting_only(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        assert "Opponent 6" not in shown(pilot)
        sixth, seventh = (app.screen.query_one(f"#opponent{number}", ChoiceRow) for number in (6, 7))
        assert not sixth.display
        await pilot.press("f3")
        await pilot.pause()
        app.screen.query_one("#most_cars").focus()
        await pilot.press("right", "escape")
        await pilot.pause()
        sixth.focus()
        await pilot.press("right", "down", "left")
        assert (sixth.value, seventh.value) == ("legend", "random")
        await pilot.press("enter")
        assert len(app.tables[0].setup.cars) == 8
        await pilot.press("f3")
        await pilot.pause()
        await pilot.press("r", "escape")
        await pilot.pause()
        assert not sixth.display
        await pilot.press("enter")
        assert len(app.tables[1].setup.cars) == 6


@pytest.mark.parametrize("key", ["n", "h"])
async def test_own_tracks_are_listed_behind_those_of_the_box_and_faulty_ones_with_their_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    folder = tmp_path / "tracks"
    folder.mkdir()
    monkeypatch.setenv(TRACKS_VARIABLE, str(folder))
    (folder / "a[b].json").write_bytes(EXAMPLE.read_bytes().replace(b'"laps": 3', b'"laps": 9'))
    (folder / "oval.json").write_bytes(EXAMPLE.read_bytes())
    os.mkfifo(folder / "pipe.json")
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(app.screen, NewRaceScreen)
        tracks = app.screen.query_one(TrackList)
        await until(lambda: tracks.option_count == 8 + 3)
        app.screen.query_one("#names", Input).value = "Ana, Ben" if key == "h" else "Ana"
        tracks.focus()
        tracks.highlighted = 8
        await pilot.pause()
        assert "cannot be raced on:" in shown(pilot)
        assert "faulty" in shown(pilot)
        text = app.screen.query_one(TrackPicture).render().plain
        assert text.startswith(
            "a[b].json\ncannot be raced on:\nlaps must be a whole number from 1 to 4, not "
        )
        assert text.endswith(f"\npython -m heat_core check-track '{folder / 'a[b].json'}'")
        await pilot.press("enter")
        assert message(app).startswith("a[b].json cannot be raced on: laps must be")
        await pilot.press("down")
        await pilot.pause()
        assert "The Oval" in shown(pilot)
        show_opponents(app, "legend", "legend")
        await pilot.press("enter")
        assert app.tables[0].setup.track.id == "oval"
        await pilot.press("down")
        await pilot.pause()
        assert "Not a regular file" in app.screen.query_one(TrackPicture).render().plain


def own_track(folder: Path, identifier: str, name: str) -> None:
    values = msgspec.json.decode(EXAMPLE.read_bytes()) | {"id": identifier, "name": name}
    (folder / f"{identifier}.json").write_bytes(msgspec.json.encode(values))


@pytest.mark.parametrize("is_ascii", [False, True])
async def test_every_track_has_one_line_that_tells_it_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_ascii: bool
) -> None:
    monkeypatch.setenv(TRACKS_VARIABLE, str(tmp_path))
    own_track(tmp_path, "a", "Old Airfield Ring of Brno by the Lake")
    own_track(tmp_path, "b", "Donaudampfschifffahrtsgesellschaftsring")
    own_track(tmp_path, "c", "鈴鹿" * 10)
    own_track(tmp_path, "d", "USA")
    own_track(tmp_path, "e", "Twin")
    own_track(tmp_path, "f", "TWIN")
    (tmp_path / f"{'x' * 60}.json").write_bytes(b"")
    app = GridApp(tmp_path)
    app.settings = msgspec.structs.replace(app.settings, ascii=is_ascii)
    app._apply(app.settings)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        tracks = app.screen.query_one(TrackList)
        await until(lambda: tracks.option_count == 8 + 7)
        tracks.highlighted = 14
        await pilot.pause()
        lines = [str(tracks.get_option_at_index(number).prompt) for number in range(15)]
        assert all(cell_len(line) <= 34 for line in lines)
        mark = "..." if is_ascii else "…"
        assert [line.split("  ")[0].split(" 3 laps")[0].rstrip() for line in lines[8:]] == [
            "Old Airfield Ring of"[: 15 - len(mark)] + mark,
            "Donaudampfschifffahr"[: 15 - len(mark)] + mark,
            ("鈴鹿" * 10)[: (15 - len(mark)) // 2] + mark,
            "d: USA",
            "e: Twin",
            "f: TWIN",
            "x" * (26 - len(mark)) + mark,
        ]
        assert lines[0].startswith("usa: USA ")
        rows = [line for line in shown(pilot).split("\n") if "corners" in line or "faulty" in line]
        assert len(rows) >= 7
        assert rows[-1].count("faulty") == 1


async def test_the_screen_stands_before_a_slow_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    own_track(tmp_path, "mine", "Mine")

    def slowly(folder: Path) -> list[FoundTrack]:
        assert gate.wait(30)
        return own_tracks(folder)

    monkeypatch.setenv(TRACKS_VARIABLE, str(tmp_path))
    monkeypatch.setattr("heat_tui.flow.setup.own_tracks", slowly)
    app = GridApp(tmp_path)
    try:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("n")
            tracks = app.screen.query_one(TrackList)
            await pilot.press("down", "down")
            assert (tracks.option_count, tracks.highlighted) == (8, 2)
            gate.set()
            await until(lambda: tracks.option_count == 9)
            assert tracks.highlighted == 2
            tracks.highlighted = 8
            await pilot.press("enter")
            (tmp_path / "mine.json").unlink()  # what was listed is raced on, and nothing read again
            assert app.tables[0].setup.track.id == "mine"
    finally:
        gate.set()


def focused(app: GridApp) -> str | None:
    return None if app.focused is None else app.focused.id


async def test_with_room_circuits_are_chosen_by_drawings_with_keys_and_mouse(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.press("n")
        await pilot.pause()
        assert isinstance(app.screen, NewRaceScreen)
        tiles = app.screen.query_one(TrackTiles)
        assert focused(app) == "tiles"
        text = shown(pilot)
        for name in app.screen.setup.labels.values():
            assert f" {name}" in text
        assert "You and 5 Legends. The grid is drawn at" in text
        assert "About 17 rounds" in text
        await pilot.press("right", "down", "left")
        assert app.screen.setup.track.name == "japan"
        assert "About 16 rounds" in shown(pilot)
        await pilot.press("down")
        assert focused(app) == "names", "below the last row is the form"
        await pilot.press("up")
        assert focused(app) == "tiles"
        await pilot.click("#tiles", offset=(tiles.size.width // 2 + 2, tiles.size.height - 2))
        await pilot.pause()
        assert app.screen.setup.track.name == "spain"
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert focused(app) == "tracks", "who chooses continues to choose"
        await pilot.press("down")
        assert app.screen.setup.track.name == "netherlands"
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        assert (focused(app), tiles.chosen) == ("tiles", 7)
        await pilot.press("enter")
    assert app.tables[0].setup.track.id == "netherlands"


async def test_tiles_beyond_the_second_row_come_into_sight_with_the_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRACKS_VARIABLE, str(tmp_path))
    own_track(tmp_path, "mine", "Mine")
    (tmp_path / "wrong.json").write_bytes(b"")
    app = GridApp(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.press("n")
        await until(lambda: app.screen.query_one(TrackList).option_count == 10)
        assert "Mine" not in shown(pilot)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "Mine" in shown(pilot)
        assert "faulty" in shown(pilot)
        assert "About" not in shown(pilot), "nobody has counted the rounds of a track of one's own"
        await pilot.press("right")
        await pilot.pause()
        assert "cannot be raced on" in shown(pilot)


async def test_without_colour_the_list_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = GridApp(tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.press("n")
        await pilot.pause()
        assert app.focused is app.screen.query_one(TrackList)
        assert not app.screen.query_one(TrackTiles).display
