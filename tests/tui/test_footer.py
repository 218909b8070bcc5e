"""The line of keys is made anew where its keys are others, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from heat_tui.app import HeatApp
from heat_tui.screens.join import JoinScreen
from heat_tui.screens.settings import SettingsScreen
from tests.tui.support_app import SMALL, folders_in, shown, until

pytestmark = pytest.mark.asyncio


def keys(pilot: Pilot[None]) -> list[FooterKey]:
    return list(pilot.app.screen.query(FooterKey))


async def test_moving_from_row_to_row_leaves_the_keys_alone(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.action_settings(), player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, SettingsScreen))
        await pilot.pause()
        app.screen.query_one("#colour").focus()
        await pilot.pause()
        before, focused = keys(pilot), app.focused
        assert before
        await pilot.press("tab")
        await pilot.pause()
        assert app.focused is not focused
        assert keys(pilot) == before


async def test_other_keys_are_shown_at_once(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path), opening=lambda app: app.show_join(), player_name="Ana")
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, JoinScreen))
        await pilot.pause()
        app.screen._bindings.bind("f9", "app.quit", "Another key")
        app.screen.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert "Another key" in shown(pilot).splitlines()[-1]
