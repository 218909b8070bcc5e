"""A sentence that is longer than a line of 80 cells is folded, not cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_tui.app import HeatApp
from heat_tui.screens.rows import MessageLine
from heat_tui.screens.settings import SettingsScreen
from tests.tui.support_app import SMALL, folders_in, shown, until
from tests.tui.support_race import DRAW, begin, race_app

pytestmark = pytest.mark.asyncio

LONG = "A sentence that explains something at such a length that it needs more than one line to end here."
CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 hand 4 3 1 2 {DRAW}",
    "Ben": "lap 1 space 20 gear 1 engine 6 hand 1 1 2",
}


@pytest.mark.parametrize("way", ["refused", "pointed at"])
async def test_in_a_race(tmp_path: Path, way: str) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        if way == "refused":
            app.controller.message = LONG
            app.race.show_again()
        else:
            app.race._pointer.figures = LONG
            app.race.show_again()
        await pilot.pause()
        told = app.panel("forecast")
        assert LONG in " ".join(told.split())
        assert all(len(line) <= SMALL[0] for line in told.split("\n"))


async def test_on_a_screen_of_rows(tmp_path: Path) -> None:
    app = HeatApp(folders_in(tmp_path))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, SettingsScreen))
        line = app.screen.query_one(MessageLine)
        line.say(LONG)
        await pilot.pause()
        assert line.size.height == 2
        assert LONG.split()[-1] in shown(pilot)
        line.say("Short.")
        await pilot.pause()
        assert line.size.height == 1
