"""Home and the screens around it, by key and by mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from heat_tui.client.session_file import SavedSession, saved_sessions
from heat_tui.screens.career import CareerScreen
from heat_tui.screens.daily import DailyScreen
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.new_race import NewRaceScreen
from heat_tui.screens.puzzles import PuzzlesScreen
from heat_tui.screens.replays import ReplaysScreen
from heat_tui.screens.rows import LABEL_CELLS, ChoiceRow
from heat_tui.screens.settings import SettingsScreen
from heat_tui.state import load_settings
from heat_tui.widgets.home_menu import HomeMenu
from tests.tui.support_app import (
    LARGE,
    SMALL,
    GridApp,
    folders_in,
    message,
    save_seat,
    show_opponents,
    shown,
    until,
)

pytestmark = pytest.mark.asyncio

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE, (20, 5), (1, 1)])


@SIZES
async def test_every_size_shows_home_and_what_it_leads_to(tmp_path: Path, size: tuple[int, int]) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=size) as pilot:
        for key in "nhcjps":
            await pilot.press(key)
            await pilot.pause()
            assert not isinstance(app.screen, HomeScreen), key
            await pilot.resize_terminal(90, 30)
            await pilot.resize_terminal(*size)
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, HomeScreen)


async def test_at_80x24_all_entries_and_keys_are_on_the_screen(tmp_path: Path) -> None:
    async with GridApp(tmp_path).run_test(size=SMALL) as pilot:
        await pilot.pause()
        text = shown(pilot)
        for entry in (
            "New race",
            "Hot-seat",
            "Championship",
            "Join",
            "Host",
            "Replays",
            "How to play",
            "Settings",
            "Quit",
        ):
            assert entry in text


@pytest.mark.parametrize(
    ("row", "screen"),
    [
        (1, NewRaceScreen),
        (2, NewRaceScreen),
        (3, NewChampionshipScreen),
        (4, DailyScreen),
        (5, PuzzlesScreen),
        (7, JoinScreen),
        (10, ReplaysScreen),
        (11, CareerScreen),
        (13, HowToPlayScreen),
        (14, SettingsScreen),
    ],
)
async def test_the_menu_works_by_mouse_and_by_enter(
    tmp_path: Path, row: int, screen: type[NewRaceScreen]
) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.click("#menu", offset=(5, row))
        await pilot.pause()
        assert isinstance(app.screen, screen)
        await pilot.press("escape")
        app.screen.query_one(OptionList).highlighted = row
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, screen)


async def test_enter_on_new_race_starts_the_race_that_is_shown(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n", "down", "enter")
        table = app.tables[0]
        assert table.setup.track.id == "gb"
        assert table.setup.cars[0].name == "Ana"
        assert table.drivers == {0: "human"}
        assert all(car.legend is not None for car in table.setup.cars[1:])
        assert len(table.setup.cars) == 6


async def test_every_row_of_new_race_changes_by_key_and_mouse(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        await pilot.pause()
        for row in [row for row in app.screen.query(ChoiceRow) if row.display]:
            row.focus()
            row.scroll_visible(animate=False)
            await pilot.pause()
            first = row.value
            await pilot.press("right")
            second = row.value
            assert second != first
            await pilot.press("left")
            assert row.value == first
            await pilot.click(f"#{row.id}", offset=(20, 0))
            assert row.value == second
            await pilot.click(f"#{row.id}", offset=(LABEL_CELLS, 0))
            assert row.value == first


def is_shown(app: GridApp, row: str) -> bool:
    return app.screen.query_one(f"#{row}").display


async def test_the_level_of_legends_is_shown_beside_some_and_the_next_race_offers_the_same_opponents(
    tmp_path: Path,
) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        await pilot.pause()
        assert is_shown(app, "level")
        show_opponents(app, "hard", "easy")
        app.screen.query_one("#opponent1").focus()
        await pilot.press("right")
        await pilot.pause()
        assert not is_shown(app, "level"), "no Legend races"
        await pilot.press("left", "enter")
        assert app.tables[0].drivers == {0: "human", 1: "hard", 2: "easy"}
    assert (app.settings.bots, app.settings.legends) == (("hard", "easy"), 0)


async def test_up_and_down_go_through_all_rows_of_new_race(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        seen = []
        for _ in range(30):
            await pilot.press("down")
            assert app.focused is not None
            seen.append(app.focused.id)
        for wanted in (
            "tracks",
            "laps",
            "names",
            "colour",
            "opponent1",
            "opponent5",
            "rules",
            "start",
        ):
            assert wanted in seen


async def test_what_does_not_fit_is_said_in_place(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n")
        show_opponents(app)
        await pilot.press("enter")
        assert "1 car; a race on USA has 2 to 6" in message(app)
        show_opponents(app, "steady")
        app.screen.query_one(Input).value = "[/b]" + "x" * 20
        await pilot.press("enter")
        assert "16 cells" in message(app)
        assert not app.tables
        app.screen.query_one(Input).value = "[/b]"
        await pilot.press("enter")
        assert app.tables[0].setup.cars[0].name == "[/b]"
        assert load_settings(app.folders).name == "[/b]"


async def test_hot_seat_takes_names_with_commas(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("h")
        await pilot.press("enter")
        await until(lambda: "names" in message(app))
        await pilot.press(*"Ana, ana", "enter")
        await until(lambda: "same name" in message(app))
        await pilot.press("backspace", "backspace", "backspace", *"Ben,", "enter")
        table = app.tables[0]
        assert table.drivers == {0: "human", 1: "human"}
        assert [car.name for car in table.setup.cars] == ["Ana", "Ben", "Legend 1", "Legend 2"]


async def test_settings_are_kept_at_once(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s", *"Zoe", "down", "right", "down", "right", "down", "right")
        await pilot.press("down", "right", "right")
        await pilot.pause()
        kept = load_settings(app.folders)
        assert (kept.name, kept.colour, kept.animation, kept.ascii) == ("Zoe", "blue", "quick", True)
        assert (kept.theme, app.theme) == ("light", "light")
        await pilot.press("escape")
        await pilot.pause()
        text = shown(pilot)
        assert text.replace("▏", "").isascii()
        assert app.player_name == "Zoe"


async def test_new_race_and_join_are_plain_ascii_where_that_is_set(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s", "down", "down", "down", "right", "escape")
        for key in "nhj":
            await pilot.press(key)
            await pilot.pause()
            text = re.sub("[▏⏎←→↑↓]", "", shown(pilot))
            assert text.isascii(), [sign for sign in text if not sign.isascii()]
            await pilot.press("escape")


async def test_how_to_play_scrolls_to_its_end(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("p")
        await pilot.pause()
        assert "Be furthest ahead" in shown(pilot)
        for _ in range(8):
            await pilot.press("pagedown")
        page = app.screen.query_one("#page")
        await until(lambda: "In the race" in shown(pilot))
        assert page.scroll_offset.y == page.max_scroll_y
        await pilot.press("home")
        await until(lambda: page.scroll_offset.y == 0)
        await pilot.press("end")
        await until(lambda: page.scroll_offset.y == page.max_scroll_y)


async def test_ctrl_c_and_q_end_the_program(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("n", "ctrl+c")
    assert app.return_code == 130
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("q")
    assert app.return_code == 0


async def test_home_offers_to_rejoin_and_says_when_that_is_not_possible(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    save_seat(folders, SavedSession("127.0.0.1:1", "secret", "KXFRM", "[/b]"))
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "room KXFRM at 127.0.0.1:1 as [/b]" in shown(pilot)
        assert "secret" not in shown(pilot)
        await pilot.press("b")
        await until(lambda: "Nothing listens at 127.0.0.1:1" in message(app))
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("x")
        await pilot.pause()
        assert "Forget the seat of" in shown(pilot)
        await pilot.press("y")
        await pilot.pause()
        assert "KXFRM" not in shown(pilot)
        assert saved_sessions(folders) == []


async def test_the_cursor_is_on_what_can_be_continued_when_that_is_new_and_stays_else(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()

        async def keys_after_settings() -> list[str]:
            await pilot.press("s", "escape")
            await pilot.pause()
            line = app.screen.query_one(HomeMenu).line
            assert line is not None
            return [line.key]

        chosen = await keys_after_settings()
        for code in ("KXFRM", "B2Q7T"):
            save_seat(folders_in(tmp_path), SavedSession("127.0.0.1:1", "secret", code, "Ana"))
            chosen += await keys_after_settings()
            await pilot.press("down", "down")
            chosen += await keys_after_settings()
    assert chosen == ["n", "b", "h", "b", "n"]


async def test_home_lists_every_seat_that_one_can_go_back_to(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    for code, name in (("KXFRM", "Ana"), ("B2Q7T", "[b]Ben")):
        save_seat(folders, SavedSession("127.0.0.1:1", "secret", code, name))
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        codes = [saved.code for saved in saved_sessions(folders)]
        for text in ("room KXFRM at 127.0.0.1:1 as Ana", "room B2Q7T at 127.0.0.1:1 as [b]Ben", "Quit"):
            assert text in shown(pilot)
        await pilot.press("home", "down", "enter")
        await until(lambda: "Nothing listens at 127.0.0.1:1" in message(app))
        await pilot.press("x")
        await pilot.pause()
        assert f"in room {codes[1]}?" in shown(pilot), "the chosen one"
        await pilot.press("y")
        await pilot.pause()
        assert [saved.code for saved in saved_sessions(folders)] == codes[:1]


async def test_the_command_palette_knows_the_way(tmp_path: Path) -> None:
    app = GridApp(tmp_path)
    async with app.run_test(size=SMALL):
        names = {command.title for command in app.get_system_commands(app.screen)}
        assert {"How to play", "Settings", "Quit"} <= names
