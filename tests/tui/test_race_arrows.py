"""Arrows in phases 1, 2 and 8, keys in one burst in a line of text, clicks on the map."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from heat_core.race import commands as c
from heat_tui.app import HeatApp
from heat_tui.map.pointing import NOTHING, Found
from heat_tui.map.widget import TrackMap
from heat_tui.screens.settings import SettingsScreen
from tests.tui.support_app import SMALL, folders_in, until
from tests.tui.support_race import DRAW, HeldSession, RaceApp, begin, race_app

pytestmark = pytest.mark.asyncio

CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 hand 4 3 heat 1 2 {DRAW}",
    "Ben": "lap 1 space 20 gear 1 engine 6 hand 1 1 2",
}


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


def picked(app: RaceApp) -> tuple[str, ...]:
    draft, own = app.controller.draft, app.controller.view.own
    assert draft is not None
    assert own is not None
    return draft.cards(own)


async def test_up_and_down_move_the_gear_lever_too(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS, phase="shift")
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        gears = []
        for key in ("up", "up", "up", "down", "right", "left", "down"):
            await press(pilot, key)
            assert app.controller.draft is not None
            gears.append(app.controller.draft.gear)
        assert gears == [3, 4, 4, 3, 4, 3, 2]
        assert "arrows gear" in app.panel("keys")
        await press(pilot, "up", "enter")
        session = app.session
        assert isinstance(session, HeldSession)
        assert [command for _, _, command in session.said] == [c.ShiftGear(3)]


async def test_left_and_right_move_a_cursor_over_the_cards_and_up_picks(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        assert "[" not in app.panel("hand")
        await press(pilot, "right")
        assert "[1]" in app.panel("hand")
        await press(pilot, "up")
        assert picked(app) == ("1",)
        await press(pilot, "up")
        assert picked(app) == ("1",), "what is picked stays so"
        await press(pilot, *["right"] * 9, "up")
        assert "[5]" in app.panel("hand")
        assert picked(app) == ("1",)
        assert "Heat cannot be played" in app.panel("forecast")
        await press(pilot, "left", "up")
        assert picked(app) == ("1", "4")
        assert "[4]" in app.panel("hand")
        await press(pilot, *["left"] * 9, "down")
        assert picked(app) == ("4",)
        assert "[1]" in app.panel("hand")
        assert "arrows card" in app.panel("keys")


async def test_the_cursor_comes_from_the_side_it_moves_away_from(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await press(pilot, "up")
        assert picked(app) == ()
        assert "Left and right choose a card" in app.panel("forecast")
        await press(pilot, "left")
        assert "[5]" in app.panel("hand")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("a", "b", "ctrl+u", "c", "d"), "cd"),
        (("a", "b", "backspace", "c"), "ac"),
        (("a", "b", "home", "c"), "cab"),
        (("a", "b", "left", "left", "delete", "c"), "cb"),
        (("a", "space", "b", "ctrl+w", "c"), "a c"),
    ],
)
async def test_keys_that_edit_keep_their_order_among_letters_in_one_burst(
    tmp_path: Path, keys: tuple[str, ...], value: str
) -> None:
    app = HeatApp(folders_in(tmp_path))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s")
        await until(lambda: isinstance(app.screen, SettingsScreen))
        field = app.screen.query_one("#name", Input)
        await until(lambda: field.has_focus)
        for key in keys:
            character = " " if key == "space" else key if len(key) == 1 else None
            app.post_message(events.Key(key, character))
        await pilot.pause()
        assert field.value == value


async def test_a_click_on_the_map_explains_and_what_it_told_stays(tmp_path: Path) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        track_map = app.race.query_one(TrackMap)
        drawing = track_map.drawing
        assert drawing is not None
        column, row = drawing.cell_of(40, 0)
        left, top = track_map.view_offset
        app.race.point(TrackMap.SpotClicked(Found(40, 0, (), None)))
        await pilot.pause()
        assert "space 40" in app.panel("forecast").lower()
        app.race.point(TrackMap.SpotHovered(NOTHING))
        await pilot.pause()
        assert "space 40" in app.panel("forecast").lower(), "the mouse has gone on"
        await press(pilot, "escape")
        assert "space 40" not in app.panel("forecast").lower()
        await pilot.click(TrackMap, offset=(column - left, row - top))
        await pilot.pause()
        assert "space 40" in app.panel("forecast").lower()
        await press(pilot, "1")
        assert "space 40" not in app.panel("forecast").lower()
