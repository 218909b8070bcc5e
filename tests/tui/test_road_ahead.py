"""The strip of the road ahead: it is painted as the map is, and shows where a choice leads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.style import Style
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from heat_core.files import load_track
from heat_core.track import compile_track
from heat_tui.map import raster as painted
from heat_tui.map.layout import lay_out
from heat_tui.map.palette import kind_paint
from heat_tui.map.raster import rasterise
from heat_tui.race.animation import Step
from heat_tui.terminal.updates import Run
from heat_tui.widgets.road_ahead import RoadAhead
from heat_tui.widgets.road_surface import KERBS, surface_of
from tests.tui.support_app import LARGE, SMALL
from tests.tui.support_race import DRAW, begin, race_app

CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 hand 1 2 3 4 heat {DRAW}",
    "Ben": "lap 1 space 20 gear 2 engine 6 hand 1 1 2 2 3 3 4",
}


@pytest.mark.parametrize("name", ["usa", "japan", "italy", "gb"])
def test_each_space_has_the_asphalt_and_each_corner_the_kerbs_of_the_map(name: str) -> None:
    facts = load_track(name)
    raster, surface = rasterise(facts, lay_out(facts, 150, 44, "whole")), surface_of(facts)
    bare = {index: kind for index, kind in raster.kinds.items() if painted.is_surface(kind)}
    assert len({raster.spaces[index] for index in bare}) > facts.spaces - 3, "all but some below a bridge"
    for index, kind in bare.items():
        assert surface.asphalt(raster.spaces[index]) == kind_paint(kind)
    for corner in compile_track(facts).corners:
        at_the_line = corner.after_space + 0.5
        assert {surface.edge(at_the_line + shift / 4, 4) for shift in range(-4, 5)} == {*KERBS}
    plain = [space for space in range(1, facts.spaces + 1) if surface.edge(space, 1) == "edge"]
    assert len(plain) > facts.spaces // 4, "there are none on the straights"


def inks(line: Text, sign: str) -> list[Style]:
    """Give the styles of a sign in a line."""
    places = [at for at, letter in enumerate(line.plain) if letter == sign]
    over = [[span.style for span in line.spans if span.start <= at < span.end] for at in places]
    styles = [each[-1] if each else Style() for each in over]
    return [style for style in styles if isinstance(style, Style)]


@pytest.mark.asyncio
async def test_the_way_to_the_target_and_what_is_around_it_have_the_colour_of_its_cost(
    tmp_path: Path,
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=LARGE) as pilot:
        await begin(pilot)
        strip = app.race.query_one(RoadAhead)
        assert not inks(strip.rows[1], "░"), "nothing is chosen"
        for keys, paint in ((("1", "2"), "green-fill"), (("u", "u", "3", "4"), "amber-fill")):
            await pilot.press(*keys)
            await pilot.pause()
            for lane in strip.rows[1:]:
                glow = [style.color.name for style in inks(lane, "░") if style.color]
                assert glow == [paint] * 2
            way = [style.color.name for style in inks(strip.rows[1], "·") if style.color]
            assert way.count(paint) == (2 if paint == "green-fill" else 6), "of the spaces on the way"


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [SMALL, LARGE, (200, 60)])
@pytest.mark.parametrize("theme", ["night", "light"])
async def test_the_strip_is_drawn_as_any_text_is(tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    """Its own way to the screen is only quicker."""

    def cells(strip: Strip) -> list[tuple[object, ...]]:
        return [
            (letter, *colours, bool(style.bold), bool(style.italic), bool(style.underline))
            for text, style, _ in strip
            if style is not None
            for colours in [[colour and colour.triplet for colour in (style.color, style.bgcolor)]]
            for letter in text
        ]

    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        app.theme = theme
        await pilot.press("1", "2")
        await pilot.pause()
        strip = app.race.query_one(RoadAhead)
        rows = range(strip.size.height)
        drawn = [cells(strip.render_line(row)) for row in rows]
        strip._dirty_regions.add(strip.size.region)
        assert drawn == [cells(Widget.render_line(strip, row)) for row in rows]
        assert {len(row) for row in drawn} == {strip.size.width}


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [LARGE, (200, 60)])
async def test_a_car_that_drives_on_has_the_space_it_leaves_and_the_one_it_comes_to_drawn(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        app.race.panels.show_turn_replay(app.race.shown(), app.race.film.turn_replay)
        strip = app.race.query_one(RoadAhead)
        place = app.race.track_map.cars[0].progress
        app.race.panels.place_cars([Step(0, place + 1, 0, None, 0.0)])
        await pilot.pause()
        before = [strip.render_line(row) for row in range(strip.size.height)]
        with patch.object(strip, "refresh", wraps=strip.refresh) as refresh:
            app.race.panels.place_cars([Step(0, place + 2, 0, None, 0.0)])
        changed = {
            cell for call in refresh.call_args_list for region in call.args for cell in cells_of(region)
        }
        after = [strip.render_line(row) for row in range(strip.size.height)]
        assert changed_cells(before, after) <= changed
        assert 0 < len(changed) <= 2 * 5 * 2, "of two spaces on both lanes"
        for region in (Region(0, 1, 7, 2), Region(33, 0, 18, 3), strip.size.region):
            for y in region.line_range:
                part = strip.runs(y, region.x, region.right)
                assert part is not None
                assert cells_in(part) == cells_in(runs_of(after[y].crop(region.x, region.right)))


def cells_of(region: Region) -> list[tuple[int, int]]:
    """Give the cells of a region, as columns and rows."""
    return [(x, y) for y in region.line_range for x in region.column_range]


def changed_cells(before: list[Strip], after: list[Strip]) -> set[tuple[int, int]]:
    """Give the cells that differ, as columns and rows."""
    return {
        (x, y)
        for y, lines in enumerate(zip(before, after, strict=True))
        for x, (old, new) in enumerate(zip(*(cells_in(runs_of(line)) for line in lines), strict=True))
        if old != new
    }


def runs_of(strip: Strip) -> list[Run]:
    """Give the texts of a strip with their styles."""
    return [(text, style) for text, style, _ in strip]


def cells_in(runs: Sequence[Run]) -> list[Run]:
    """Give each letter with its style."""
    return [(letter, style) for text, style in runs for letter in text]
