"""The page of keys names what a race has and fits the smallest screen; the page of signs is the map's."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from textual.containers import VerticalScroll

from heat_core.options.table_options import LocalOptions
from heat_core.table import Table
from heat_tui.client.local import LocalSession
from heat_tui.flow.lesson import Lesson
from heat_tui.flow.table_factory import make_table
from heat_tui.keys.table import USUAL
from heat_tui.map.drawing import draw_track
from heat_tui.map.palette import MODES, Look, Mode
from heat_tui.screens.dialogs import PageDialog
from heat_tui.words.help_page import HELP, Feature, page_of_keys, rows_for
from heat_tui.words.signs_page import signs_lines, signs_parts
from tests.tui.support_app import SMALL, shown, until
from tests.tui.support_race import RaceApp, begin

pytestmark = pytest.mark.asyncio

SMALL_PAGE_CELLS = 66
"""So wide is a page of text at 80 columns."""


def plain_race() -> Table:
    return make_table(LocalOptions(names=("Ana",), laps=1, seed="help", legends=1))


async def open_page(pilot: object, app: RaceApp, key: str) -> VerticalScroll:
    await pilot.press(key)  # type: ignore[attr-defined]  # a Pilot
    await until(lambda: isinstance(app.screen, PageDialog))
    await pilot.pause()  # type: ignore[attr-defined]
    return app.screen.query_one(VerticalScroll)


@pytest.mark.parametrize("has_lesson", [False, True])
async def test_in_a_usual_race_every_key_is_on_one_page(tmp_path: Path, has_lesson: bool) -> None:
    app = RaceApp(tmp_path, LocalSession(plain_race()))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        app.controller.lesson = Lesson() if has_lesson else None
        page = await open_page(pilot, app, "question_mark")
        assert page.max_scroll_y == 0, "nothing is out of sight"
        text = shown(pilot)
        assert ("end the hints" in text) == has_lesson
        for word in ("salvage", "draft behind", "weather", "the chat", "a pause"):
            assert word not in text, "this race has none of that"
        assert "adrenaline, at the back" in text


async def test_a_race_with_upgrades_and_weather_has_their_keys_too(tmp_path: Path) -> None:
    table = make_table(
        LocalOptions(names=("Ana",), laps=1, seed="help", legends=1, garage="basic", weather=True)
    )
    app = RaceApp(tmp_path, LocalSession(table))
    async with app.run_test(size=(80, 50)) as pilot:
        await begin(pilot)
        await open_page(pilot, app, "question_mark")
        text = shown(pilot)
        assert "draft behind the car ahead" in text
        assert "the chat" not in text


async def test_each_row_needs_one_line_and_each_feature_has_rows() -> None:
    assert {row.needs for row in HELP} == {None, *get_args(Feature)}
    rows = rows_for(get_args(Feature))
    assert all(len(line) <= SMALL_PAGE_CELLS for line in page_of_keys(rows, USUAL))
    assert len(rows_for(())) < len(rows_for({"upgrades"})) < len(rows_for(get_args(Feature))) == len(HELP)


@pytest.mark.parametrize("mode", MODES)
async def test_the_page_of_signs_shows_what_the_map_shows(mode: Mode) -> None:
    drawn = draw_track(plain_race().observation(0).track, 200, 60, "close", Look(mode))
    on_the_map = {glyph for row in range(drawn.rows) for glyph in drawn.strip(row).text}
    explained = [
        cell.glyph for _, signs in signs_parts(Look(mode))[:1] for sign in signs for cell in sign.cells
    ]
    spots = ("race spot", "other spot", "grid spot")
    written = {glyph for glyph, role in drawn._lettering.text.values() if role in spots}
    assert written <= set(explained)
    assert written <= on_the_map
    assert all(len(line) <= SMALL_PAGE_CELLS for line in signs_lines(Look(mode)))
    if mode == "ascii":
        assert all(line.plain.isascii() for line in signs_lines(Look(mode)))


@pytest.mark.parametrize("mode", MODES)
async def test_the_page_of_signs_names_the_ground_of_flooded_sectors(mode: Mode) -> None:
    look = Look(mode)
    told = "\n".join(line.plain for line in signs_lines(look))
    assert ("on blue: flooded" in told) == look.has_colours


async def test_the_signs_are_one_page_at_the_smallest_size(tmp_path: Path) -> None:
    app = RaceApp(tmp_path, LocalSession(plain_race()))
    async with app.run_test(size=SMALL) as pilot:
        await begin(pilot)
        page = await open_page(pilot, app, "slash")
        assert page.max_scroll_y == 0
        text = shown(pilot)
        assert "the corner line's limit, not its number" in text
        assert "Legends line: from here" in text
