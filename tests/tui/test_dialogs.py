"""A dialog closes once, however many keys and clicks were on their way to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text
from textual import events

from heat_tui.app import HeatApp
from heat_tui.screens.dialogs import NewsDialog
from heat_tui.screens.join import JoinScreen
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
