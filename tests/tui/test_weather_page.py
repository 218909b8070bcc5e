"""The page of weather and road tokens: the map with them, and what each changes, in one look."""

from __future__ import annotations

from pathlib import Path

import pytest

from heat_tui.map.widget import TrackMap
from heat_tui.screens.race import RaceScreen
from heat_tui.screens.weather import WeatherDialog
from heat_tui.state import Settings, save_settings
from heat_tui.theme.paints import rgb
from tests.tui.scenes import SCENES, settled
from tests.tui.support_app import LARGE, SMALL, folders_in, shown
from tests.tui.support_race import begin

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("size", [SMALL, LARGE, (200, 60)])
@pytest.mark.parametrize("is_ascii", [False, True])
async def test_the_page_shows_the_map_with_its_tokens_beside_what_each_changes(
    tmp_path: Path, size: tuple[int, int], is_ascii: bool
) -> None:
    save_settings(folders_in(tmp_path), Settings(ascii=is_ascii))
    (weather,) = (scene for scene in SCENES if scene.name == "weather")
    app = weather.app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await pilot.press("w")
        await settled(pilot, WeatherDialog)
        text = shown(pilot)
        assert "snow  1 Heat less, cooldown +1 in weather" in text
        assert text.isascii() == is_ascii
        lines = [line[: len(line) // 2] for line in text.splitlines()]
        for start in ("1    7!", "2    2  printed 3", "3    3", "4    2"):
            assert any(start in line for line in lines), start
        assert text.count("slipstream +1: a slipstream may go 1") == 1
        assert "overheat: if you pay here" in text
        drawing = app.screen.query_one(TrackMap).drawing
        assert drawing is not None
        width, height = app.screen.query_one(TrackMap).size
        assert (drawing.columns, drawing.rows) == (width, height)
        assert width >= 28
        assert height >= 16
        assert text.count("cool+1") >= 4  # of the table and of the map
        await pilot.click(TrackMap)
        await settled(pilot, RaceScreen)


async def test_what_sectors_do_is_on_its_own_ground_and_touches_no_limit(tmp_path: Path) -> None:
    (weather,) = (scene for scene in SCENES if scene.name == "weather")
    app = weather.app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        await pilot.press("w")
        await settled(pilot, WeatherDialog)
        drawing = app.screen.query_one(TrackMap).drawing
        assert drawing is not None
        rows = [drawing.row_cells(row) for row in range(drawing.rows)]
        glyphs = ["".join(cell.glyph for cell in row) for row in rows]
        found = [(row, at) for row, text in enumerate(glyphs) for at in range(len(text))
                 if text[at:].startswith(("cool+1", "slip+1"))]  # fmt: skip
        assert len(found) == 4
        cyan = rgb("night", "cyan-fill")
        for row, at in found:
            grounds = [cell.style.bgcolor for cell in rows[row][at : at + 6]]
            assert all(ground is not None and ground.triplet == cyan for ground in grounds)
            beside = rows[row][at - 1 : at] + rows[row][at + 6 : at + 7]
            assert all(cell.style.bgcolor is None or cell.style.bgcolor.triplet != cyan for cell in beside)
