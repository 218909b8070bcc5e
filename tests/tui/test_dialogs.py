"""A dialog closes once, however many keys and clicks were on their way to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text
from textual import events
from textual.command import CommandInput, CommandList, CommandPalette

from heat_core.options.settings import RACE_SETTINGS
from heat_core.race.presets import PRESETS
from heat_tui.app import HeatApp
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.how_to_play import HowToPlayScreen
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.rows import ChoiceRow
from heat_tui.screens.table_rules import TableRulesScreen
from tests.tui.support_app import SMALL, folders_in, until


@pytest.mark.asyncio
async def test_keys_that_come_together_close_no_screen_below(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    app.enter_gap_seconds = 0.0
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.show_join()
        await until(lambda: isinstance(app.screen, JoinScreen))
        dialog = NewsDialog("Meanwhile", [Text("The race has begun.")])
        app.push_screen(dialog)
        await until(lambda: app.screen is dialog and dialog.query("#any-key"))
        for _ in range(3):
            dialog.post_message(events.Key("space", " "))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, JoinScreen)


@pytest.mark.asyncio
@pytest.mark.parametrize("how", ["chosen", "left"])
async def test_the_palette_closes_once_and_takes_what_is_typed_behind_it(tmp_path: Path, how: str) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.show_join()
        await until(lambda: isinstance(app.screen, JoinScreen) and app.screen.query("#lower"))
        await pilot.pause()
        app.action_command_palette()
        await until(lambda: isinstance(app.screen, CommandPalette) and app.screen.query(CommandList))
        await pilot.pause()
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        palette.query_one(CommandInput).value = "Plain mode"
        commands = palette.query_one(CommandList)
        await until(lambda: commands.option_count == 1)
        commands.highlighted = 0
        for _ in range(3):
            if how == "chosen":
                commands.action_select()
            else:
                palette._action_escape()
        palette.query_one(CommandInput).post_message(events.Paste("Settings"))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, JoinScreen)


@pytest.mark.asyncio
async def test_the_palette_opens_while_the_one_before_it_goes(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        for _ in range(3):
            app.action_command_palette()
            await until(lambda: isinstance(app.screen, CommandPalette) and app.screen.query(CommandList))
            palette = app.screen
            assert isinstance(palette, CommandPalette)
            commands = palette.query_one(CommandList).clear_options().add_option("not drawn")
            commands.styles.width = 0
            await pilot.pause()
            palette._action_command_list("page_up")
            palette._action_escape()
        app.action_command_palette()
        app.screen.dismiss()
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.asyncio
async def test_a_screen_is_left_once_and_may_hear_of_news_before_it_has_rows(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.show_join()
        await until(lambda: isinstance(app.screen, JoinScreen) and app.screen.query("#lower"))
        rules = TableRulesScreen(PRESETS["standard"], RACE_SETTINGS, lambda rules: None, None)
        app.push_screen(rules)
        rules.show(PRESETS["rulebook"], is_locked=False)
        await until(lambda: rules.query("#preset"))
        await pilot.pause()
        assert rules.query_one("#preset", ChoiceRow).value == "rulebook"
        rules.action_back()
        rules.action_back()
        await pilot.pause()
        assert isinstance(app.screen, JoinScreen)


@pytest.mark.asyncio
async def test_a_page_over_a_screen_is_left_once(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        app.show_join()
        await until(lambda: isinstance(app.screen, JoinScreen) and app.screen.query("#lower"))
        page = HowToPlayScreen()
        await app.push_screen(page)
        page.action_back()
        page.action_back()
        await pilot.pause()
        assert isinstance(app.screen, JoinScreen)
