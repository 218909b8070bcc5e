"""Texts of open screens follow the theme, whatever it was when they were set."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from rich.style import Style
from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from heat_tui.app import HeatApp
from heat_tui.screens.dialogs import PageDialog
from heat_tui.theme.colours import GOLD, inked
from heat_tui.theme.paints import ThemeName, rgb
from tests.tui.support_app import SMALL, folders_in, until

THEMES: Final[tuple[ThemeName, ...]] = ("light", "night")


def golds(app: HeatApp) -> set[tuple[int, int, int]]:
    """The colours in which anything gold is drawn on the screen on top."""
    drawn = [segment for line in app.screen._compositor.render_strips() for segment in line]
    colours = {segment.style.color.triplet for segment in drawn if segment.style and segment.style.color}
    return {(*gold,) for gold in (rgb(theme, "gold") for theme in THEMES) if gold in colours}


@pytest.mark.asyncio
async def test_pages_and_lists_that_are_open_take_the_colours_of_another_theme(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        app.push_screen(PageDialog("Page", [Text("  gold  and more", Style(color=GOLD))]))
        await until(lambda: isinstance(app.screen, PageDialog))
        await pilot.pause()
        for theme in THEMES:
            app.change_settings(replace(app.settings, theme=theme))
            await pilot.pause()
            await pilot.pause()
            assert golds(app) == {(*rgb(theme, "gold"),)}
        await pilot.press("escape")
        app.show_puzzles()
        await until(
            lambda: app.screen.query("PuzzlesScreen OptionList") and app.screen.query_one(OptionList).options
        )
        await pilot.pause()
        listed = app.screen.query_one(OptionList)
        listed.set_options([Option(inked(Text("gold", Style(color=GOLD)), app.current_theme))])
        for theme in THEMES:
            app.change_settings(replace(app.settings, theme=theme))
            await pilot.pause()
            await pilot.pause()
            (option,) = listed.options
            assert isinstance(option.prompt, Text)
            assert isinstance(option.prompt.style, Style)
            assert option.prompt.style.color is not None
            assert option.prompt.style.color.triplet == rgb(theme, "gold")
