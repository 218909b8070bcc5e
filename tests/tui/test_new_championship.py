"""Setting up a championship: every row by key and mouse, the plan beside them, what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from heat_core.options.settings import SEASON_SETTINGS, SETTINGS
from heat_core.race.presets import RULEBOOK, STANDARD
from heat_core.race.setup import Modules
from heat_core.season.setup import YEARS
from heat_tui.app import HeatApp
from heat_tui.flow.setup import Opponent
from heat_tui.saved.championship import Championship
from heat_tui.screens.new_championship import NewChampionshipScreen
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from tests.tui.support_app import SMALL, folders_in, message, show_opponents, shown, until
from tests.tui.support_season import to_season

pytestmark = pytest.mark.asyncio


def form_app(path: Path) -> HeatApp:
    return HeatApp(
        folders_in(path),
        opening=lambda app: app.show_new_championship(),
        animate=False,
        player_name="Ana",
    )


async def to_form(pilot: Pilot[None]) -> None:
    await until(lambda: isinstance(pilot.app.screen, NewChampionshipScreen))
    await pilot.pause()


def row(app: HeatApp, name: str) -> ChoiceRow[object]:
    return app.screen.query_one(f"#{name}", ChoiceRow)


async def test_every_year_is_offered_with_its_tracks_and_events(tmp_path: Path) -> None:
    app = form_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_form(pilot)
        for year in YEARS:
            await pilot.pause()
            assert f"‹ {year} ›" in shown(pilot)
            assert "Race 1" not in shown(pilot), "a printed season has its tracks"
            await pilot.press("right")
        await pilot.pause()
        assert "tracks of your choice" in shown(pilot)
        assert "Race 4" in shown(pilot)


async def test_every_row_changes_by_key_and_mouse(tmp_path: Path) -> None:
    app = form_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_form(pilot)
        await pilot.press("left")
        await pilot.pause()
        for one in app.screen.query(ChoiceRow):
            if one.id == "season" or not one.display:
                continue
            one.focus()
            one.scroll_visible(animate=False)
            await pilot.pause()
            first = one.value
            await pilot.press("right")
            second = one.value
            assert second != first
            await pilot.press("left")
            assert one.value == first
            await pilot.click(f"#{one.id}", offset=(20, 0))
            assert one.value == second


async def test_own_tracks_drivers_rules_and_modules_are_raced_by(tmp_path: Path) -> None:
    app = form_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_form(pilot)
        await pilot.press("left")
        chosen = {
            "race1": "italy",
            "race4": "japan",
            "events": False,
            "laps": 1,
            "colour": "green",
            "garage": ("mixed", True),
            "weather": True,
            "sponsorships": True,
        }
        for name, value in chosen.items():
            row(app, name).show(value)
        show_opponents(app, "legend", "nobody", "random")
        app.screen.query_one("#names", Input).value = "Ana, Ben"
        await pilot.press("f3")
        await until(lambda: isinstance(app.screen, TableRulesScreen))
        await pilot.press("right")
        for setting in SEASON_SETTINGS:
            app.screen.query_one(f"#{setting.name}").focus()
            await pilot.press("right")
        await pilot.press("escape")
        await pilot.pause()
        app.screen.query_one("#changes").scroll_visible(animate=False)
        await pilot.pause()
        assert "Next grid: " in shown(pilot)
        await pilot.press("enter")
        await to_season(pilot)
        assert isinstance(app.home.games.game, Championship)
        setup = app.home.games.game.season.setup
        assert [race.track.id for race in setup.races] == ["italy", "gb", "italy", "japan"]
        assert [race.laps for race in setup.races] == [1] * 4
        assert [car.name for car in setup.cars] == ["Ana", "Ben", setup.cars[2].name, "Legend 1"]
        assert setup.cars[2].name.endswith(" (random)")
        assert app.home.games.game.season.drivers[2] == "random"
        assert setup.cars[0].colour == "green"
        assert setup.rules.preset == "rulebook"
        for setting in SETTINGS:
            usual = STANDARD if setting in SEASON_SETTINGS else RULEBOOK
            assert setting.word_in(setup.rules) == setting.word_in(usual)
        assert setup.modules == Modules("mixed", expansion=True, weather=True, sponsorships=True)
        assert not setup.draws_events
        assert app.home.games.game.people() == ["Ana", "Ben"]


@pytest.mark.parametrize(
    ("names", "opponents", "told"),
    [
        ("", ["legend"], "Who drives? Type the names, separated by commas."),
        ("Ana, ana", ["legend"], "Two drivers have the same name."),
        ("Ana", [], "1 car; a race on Great Britain has 2 to 6; add Legends or bots"),
    ],
)
async def test_what_does_not_fit_is_said_in_place(
    tmp_path: Path, names: str, opponents: Sequence[Opponent], told: str
) -> None:
    app = form_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_form(pilot)
        app.screen.query_one("#names", Input).value = names
        show_opponents(app, *opponents)
        await pilot.press("enter")
        assert message(app).startswith(told)
        assert isinstance(app.screen, NewChampionshipScreen)


async def test_enter_on_the_row_of_settings_opens_them(tmp_path: Path) -> None:
    app = form_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await to_form(pilot)
        app.screen.query_one("#settings").focus()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableRulesScreen)
