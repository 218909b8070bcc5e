"""The host's own client at a party."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from heat_tui.party.play import HostApp, show_room
from heat_tui.screens.home import HomeScreen
from heat_tui.screens.settings import SettingsScreen
from tests.tui.support_app import SMALL, folders_in, until

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("is_named", "saved", "entrance"), [(False, "", None), (True, "", "join"), (False, "Fred", "join")]
)
async def test_a_host_without_a_name_is_asked_for_one_before_friends_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool, saved: str, entrance: str | None
) -> None:
    app = HostApp(folders_in(tmp_path), animate=False)
    app.settings = msgspec.structs.replace(app.settings, name=saved)
    shown = Mock()
    monkeypatch.setattr(app, "show_join", shown)
    show_room(app, Mock(), "K7QX4", is_named=is_named)
    (told,) = shown.call_args_list
    assert told.kwargs.get("entrance") == entrance
    assert ("Friends read the name above" in told.kwargs.get("news", "")) is (entrance is None)


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
