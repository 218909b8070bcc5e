"""Where the terminal's cursor stands in a race, which braille displays and screen readers follow."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from heat_core.cards import STRESS
from heat_tui.screens.dialogs import ConfirmDialog
from heat_tui.screens.race import RaceScreen
from heat_tui.widgets.panel import TextPanel
from tests.tui.support_app import LARGE, SMALL, until
from tests.tui.support_race import DRAW, RaceApp, begin, on_to, race_app

pytestmark = pytest.mark.asyncio

ANA: Final = f"lap 1 space 30 gear 2 engine 5 hand 4 3 heat 1 2 {DRAW}"
BEN: Final = "lap 1 space 20 gear 1 engine 6 hand 1 1 2"


async def cursor_after(pilot: Pilot[None], panel: str, *keys: str) -> Offset:
    """Press keys; give the cursor's place in a panel, in which it must be."""
    await pilot.press(*keys)
    await pilot.pause()
    await pilot.pause()
    region = pilot.app.screen.query_one(f"#{panel}", TextPanel).content_region
    assert region.contains_point(pilot.app.cursor_position)
    return pilot.app.cursor_position - region.offset


def lines_of(app: RaceApp, panel: str) -> tuple[str, ...]:
    return app.screen.query_one(f"#{panel}", TextPanel).lines


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_it_goes_with_the_arrows_along_the_hand(tmp_path: Path, size: tuple[int, int]) -> None:
    app = race_app(tmp_path, {"Ana": ANA, "Ben": BEN})
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        first = await cursor_after(pilot, "hand", "right")
        second = await cursor_after(pilot, "hand", "right")
        assert second.y == first.y
        assert lines_of(app, "hand")[second.y][second.x :].lstrip().startswith("[2]")
        assert await cursor_after(pilot, "hand", "left") == first


async def test_it_goes_with_the_gear_lever(tmp_path: Path) -> None:
    app = race_app(tmp_path, {"Ana": ANA, "Ben": BEN}, phase="shift")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        second = await cursor_after(pilot, "dashboard", "right", "left")
        third = await cursor_after(pilot, "dashboard", "right")
        assert third.x > second.x
        assert lines_of(app, "dashboard")[third.y][third.x + 1] == "3"


async def test_it_goes_with_the_chosen_reaction(tmp_path: Path) -> None:
    last = f"lap 1 space 14 gear 3 engine 5 hand 1 2 3 4 heat {STRESS} {STRESS} {DRAW}"
    ahead = "lap 1 space 40 gear 1 engine 6 hand 1 1 2"
    async with race_app(tmp_path, {"Ana": last, "Ben": ahead}).run_test(size=SMALL) as pilot:
        app = await begin(pilot)
        await pilot.press("1", "2", "3", "enter")
        await on_to(pilot, app, "5 REACT")
        before = await cursor_after(pilot, "reactions", "up", "up", "up")
        after = await cursor_after(pilot, "reactions", "down")
        assert after.y == before.y + 1
        assert lines_of(app, "reactions")[after.y].startswith("▶")


async def test_it_goes_to_a_dialog_and_back(tmp_path: Path) -> None:
    app = race_app(tmp_path, {"Ana": ANA, "Ben": BEN})
    async with app.run_test(size=SMALL, tooltips=True, notifications=True) as pilot:
        await begin(pilot)
        before = await cursor_after(pilot, "hand", "right")
        await pilot.press("q")
        await until(lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.pause()
        box = app.screen.query_one("#box")
        assert app.cursor_position == box.content_region.offset != Offset(0, 0)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, RaceScreen))
        assert await cursor_after(pilot, "hand") == before
