"""The host's own client at a party."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_tui.party.play import HostApp
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.settings import SettingsScreen
from tests.tui.support_app import SMALL, folders_in, until

pytestmark = pytest.mark.asyncio


async def test_the_hosts_client_ends_where_it_would_show_home(tmp_path: Path) -> None:
    app = HostApp(folders_in(tmp_path), opening=lambda app: app.action_settings(), animate=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: isinstance(app.screen, SettingsScreen))
        app.action_how_to_play()
        await pilot.pause()
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, SettingsScreen))
        assert app.is_running, "a screen below is no Home"
        await pilot.press("escape")
        await until(lambda: app._exit)
    assert app.return_code == 0
    assert isinstance(app.get_default_screen(), HomeScreen)
