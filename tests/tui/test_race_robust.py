"""The race screen at every size, with any name, in plain ASCII, and when it is left or broken off."""

from __future__ import annotations

import asyncio
import re
from itertools import product
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_core.race import commands as c
from heat_core.race.presets import RULEBOOK
from heat_tui.screens.dialogs import ConfirmDialog, PageDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.log import LogScreen
from heat_tui.screens.results import ResultsScreen
from heat_tui.state import Settings, save_settings
from tests.tui.support_app import LARGE, SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, on_to, race_app, table_at

pytestmark = pytest.mark.asyncio

CARS = {
    "Ana": f"lap 1 space 30 gear 3 engine 5 hand 1 2 3 4 start-5 {STRESS} heat {DRAW}",
    "Ben": f"lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 {STRESS}",
}
SIZES = [(1, 1), (20, 5), (79, 23), (80, 24), (120, 40), (200, 60), (500, 200)]
NEEDED = "This needs a terminal of 80 columns and 24 lines. At any size: heat-tui --plain"
HOSTILE = ("[/b]", "[bold]x", "[@click=app.quit", "\\[", "山田太郎", "Ａ" * 8, "e\u0301te", "$title")


def held(app: RaceApp) -> HeldSession:
    assert isinstance(app.session, HeldSession)
    return app.session


def picked(app: RaceApp) -> list[int]:
    assert app.controller.draft is not None
    return app.controller.draft.picked


def lines_of(pilot: Pilot[None]) -> list[str]:
    return shown(pilot).split("\n")


@pytest.mark.parametrize("size", SIZES)
async def test_every_size_shows_the_race_or_says_what_it_needs(tmp_path: Path, size: tuple[int, int]) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        text = shown(pilot)
        if size[0] >= 80 and size[1] >= 24:
            assert "2 PLAY CARDS: pick 3 for 3rd gear" in text
            assert "Enter confirm" in text
            assert NEEDED not in text
            return
        whole = " ".join(text.split())
        assert NEEDED in whole or (size[0] * size[1] < 60 and whole and whole in NEEDED)
        assert "PLAY CARDS" not in text
        for key in ("1", "2", "l", "escape", "?", "escape", "q", "n", "v", "plus", "o", "escape"):
            await pilot.press(key)
        await pilot.pause()
        await pilot.resize_terminal(*SMALL)
        await until(lambda: "picked 1 + 2" in shown(pilot))


async def test_a_half_made_choice_survives_every_change_of_size(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "3")
        for size in (*SIZES, *reversed(SIZES), SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert picked(app) == [0, 2]
        await until(lambda: "picked 1 + 3 = speed 4" in shown(pilot))
        await pilot.press("2", "enter")
        await until(lambda: [said[2] for said in held(app).said] == [c.PlayCards(("1", "3", "2"))])


@pytest.mark.parametrize("key", ["l", "question_mark", "o", "q", "g"])
async def test_a_dialog_survives_every_change_of_size_and_covers_what_is_below(
    tmp_path: Path, key: str
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", key)
        for size in ((20, 5), (79, 23), LARGE, SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert isinstance(app.screen, PageDialog | ConfirmDialog | LogScreen)
        await pilot.press("2", "3", "u")
        assert picked(app) == [0], "keys do not reach the race below"
        await pilot.click(offset=(12, 18))
        await pilot.pause()
        assert picked(app) == [0], "nor do clicks"
        if app.screen is not app.race:
            await pilot.press("escape")
        await until(lambda: app.screen is app.race)


async def test_the_size_changes_while_a_car_drives(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "2", "3", "enter")
        held(app).others_act()
        for size in (*SIZES, SMALL):
            await pilot.resize_terminal(*size)
            await asyncio.sleep(0.03)
        await until(lambda: "8 DISCARD" in app.panel("banner") or "5 REACT" in app.panel("banner"))


@pytest.mark.parametrize("act", ["q", "click", "enter", "l"])
async def test_any_key_or_click_skips_a_drive_and_does_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    monkeypatch.setattr("heat_tui.race.animation._DRIVE_SECONDS", 30.0)
    monkeypatch.setattr("heat_tui.race.animation._LONGEST_MOVE_SECONDS", 60.0)
    app = RaceApp(tmp_path, HeldSession(table_at(CARS)), animate=True)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1", "2", "3", "enter")
        held(app).others_act()
        await until(lambda: app.race.film.is_running)
        held(app).others_act()
        before = len(held(app).said)
        if act == "click":
            await pilot.click("#keys", offset=(1, 0))
        else:
            await pilot.press(act)
        await until(lambda: not app.race.film.is_running or app.controller.view.turn is not None)
        assert app.screen is app.race
        assert len(held(app).said) <= before + 1, "only what is plain is answered"
        await until(lambda: any("Ana drives 30 → 36" in line.text.plain for line in app.controller.log))


@pytest.mark.parametrize(("size", "start"), list(product([SMALL, LARGE], [0, 4])))
async def test_names_are_shown_as_they_are_and_tables_stay_aligned(
    tmp_path: Path, size: tuple[int, int], start: int
) -> None:
    names = HOSTILE[start : start + 4]
    # The own car is the last in the order: the others have turned up their cards before it does.
    cars = {name: f"lap 1 space {14 + 4 * place} gear 2 engine 6" for place, name in enumerate(names)}
    app = race_app(tmp_path, cars)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        rows = app.panel("standings").split("\n")[1:-1]
        assert len(rows) == 4
        width = 8 if size == SMALL else 16
        for name, row in zip(reversed(names), rows, strict=True):
            if cell_len(name) <= width:
                assert name in row
        assert len({cell_len(row[: row.rindex("1/")]) for row in rows}) == 1
        held(app).others_act()
        await pilot.press("1", "2", "enter")

        def all_are_named() -> bool:
            held(app).others_act()
            told = [line.text.plain for line in app.controller.log]
            return all(any(name in line for line in told) for name in names[1:])

        await until(all_are_named)
        await pilot.press("q")
        await pilot.pause()
        await pilot.press("n", "g")
        await until(lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.pause()
        assert f"Does {names[0]} give up this race?" in shown(pilot)


@pytest.mark.parametrize("yes", ["key", "mouse"])
async def test_leaving_asks_first_and_leads_home(tmp_path: Path, yes: str) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        for key, no in (("q", "n"), ("escape", "escape")):
            await pilot.press(key)
            await pilot.pause()
            assert "Leave the race? It is played only in this terminal" in " ".join(shown(pilot).split())
            await pilot.press(no)
            await pilot.pause()
            assert app.screen is app.race
        await pilot.press("q")
        await pilot.pause()
        if yes == "key":
            await pilot.press("y")
        else:
            await pilot.click("#yes")
        await until(lambda: isinstance(app.screen, HomeScreen))


async def test_giving_up_asks_first_and_the_race_is_over_where_all_have(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("g", "n")
        assert held(app).said == []
        await pilot.press("g", "y")
        await until(lambda: [said[1:] for said in held(app).said] == [(None, c.GiveUp())])
        await until(lambda: "gave up" in app.panel("standings"))
        await pilot.press("g")
        await pilot.pause()
        assert "You cannot give up now." in app.panel("forecast")
        held(app).other_says(1, c.GiveUp())
        await until(lambda: "Enter: results" in app.panel("banner"))
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert "everyone has given up" in shown(pilot)
        assert len(re.findall(r"\d [A-Z] +\w+ .*gave up", shown(pilot))) == 2, "a row for each"


async def test_by_the_rulebook_giving_up_is_refused_in_words(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS, rules=RULEBOOK)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("g")
        await pilot.pause()
        assert "You cannot give up now." in app.panel("forecast")


@pytest.mark.parametrize("key", ["enter", "q"])
async def test_a_race_closed_by_the_other_side_says_why_and_leads_home(tmp_path: Path, key: str) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("1")
        await held(app).break_off("The server has closed the room.")
        await until(lambda: "The server has closed the room." in app.panel("forecast"))
        await pilot.pause()
        assert "The server has closed the room." in shown(pilot)
        await pilot.press(key)
        await until(lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_plain_ascii_is_plain_everywhere(tmp_path: Path, size: tuple[int, int]) -> None:
    save_settings(folders_in(tmp_path), msgspec.structs.replace(Settings(), ascii=True))
    cars = {**CARS, "Leg": "lap 1 space 10 legend hard"}
    app = race_app(tmp_path, cars, laps=1)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert_ascii(pilot)
        for keys in (["4", "5", "6"], ["1", "2", "3"], ["plus"], ["number_sign"], ["v"], ["v"]):
            await pilot.press(*keys)
            await pilot.pause()
            assert_ascii(pilot)
        for key in ("l", "question_mark", "o", "q", "g"):
            await pilot.press(key)
            await pilot.pause()
            assert_ascii(pilot)
            await pilot.press("escape")
        await pilot.press("enter")
        await on_to(pilot, app, "8 DISCARD")
        assert_ascii(pilot)
        await pilot.press("o")
        await pilot.pause()
        assert_ascii(pilot)
        await pilot.press("escape", "g", "y")
        await until(lambda: "gave up" in app.panel("standings"))
        held(app).other_says(1, c.GiveUp())
        await until(lambda: app.controller.view.status == "ended")
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultsScreen))
        await pilot.pause()
        assert_ascii(pilot)


def assert_ascii(pilot: Pilot[None]) -> None:
    strange = {sign for sign in shown(pilot) if not sign.isascii()}
    assert not strange, strange


async def test_without_colour_the_map_is_drawn_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert app.race.track_map.look.mode == "mono"
        await pilot.press("1")
        await pilot.pause()
        assert "picked 1" in shown(pilot)
