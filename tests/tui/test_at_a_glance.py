"""What is found at a glance on the race screen: the own car, where it stands, and what is a card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.color_triplet import ColorTriplet
from rich.style import Style

from heat_core.cards import STRESS
from heat_tui.map.cars import car_cells, lay_over
from heat_tui.theme.colours import ON_GOLD
from heat_tui.widgets.cards import card_paper
from heat_tui.widgets.hand import HandRow
from tests.tui.support_app import LARGE, SMALL
from tests.tui.support_race import DRAW, begin, race_app

pytestmark = pytest.mark.asyncio

HUGE = (200, 60)
EACH = pytest.mark.parametrize("size", [SMALL, LARGE, HUGE])
HAND = f"hand 1 2 3 4 start-5 {STRESS} heat {DRAW}"
OTHERS = "hand 1 1 2 2 3 3 4"
CARS = {
    "Ana": f"lap 1 space 30 gear 2 engine 5 {HAND}",
    "Ben": f"lap 1 space 35 gear 2 engine 6 {OTHERS}",
    "Cas": f"lap 1 space 28 gear 2 engine 6 {OTHERS}",
    "Dan": f"lap 1 space 38 gear 2 engine 6 {OTHERS}",
}
_NEARLY_WHITE = 190


def is_white(style: Style) -> bool:
    colours = [colour.get_truecolor() for colour in (style.color, style.bgcolor) if colour is not None]
    return any(min(colour) >= _NEARLY_WHITE for colour in colours)


def ground_of(style: Style | None) -> ColorTriplet | None:
    return style.bgcolor.get_truecolor() if style and style.bgcolor else None


@pytest.mark.spec("LOOK-2")
@EACH
async def test_the_own_car_its_place_the_next_corner_and_both_gaps_are_found_at_once(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        assert "P3 of 4" in app.panel("banner")
        rows = app.panel("standings").split("\n")
        for place, name, gap in (("2", "Ben", "+5"), ("3", "Ana", ""), ("4", "Cas", "-2")):
            line = re.compile(rf"\.?{place} {name[0]} {name} +1/\d\d +{re.escape(gap)} +2")
            assert any(map(line.match, rows)), name
        track_map, track = app.race.track_map, app.controller.labels.track
        drawing = track_map.drawing
        assert drawing is not None
        assert drawing.look.has_colours
        cars = track_map.cars
        assert [car.is_own for car in cars] == [True, False, False, False]
        strangers = [car._replace(is_own=False) for car in cars]
        cells = car_cells(drawing, cars)
        drawn, plain = (lay_over(drawing, some, cells, {}, None) for some in (cars, strangers))
        column, row = cells[0]
        assert drawn[column, row].style.underline
        assert not any(drawn[cells[number]].style.underline for number in (1, 2, 3))
        halo = [cell for cell in drawn if drawn[cell] != plain.get(cell) and is_white(drawn[cell].style)]
        assert len([cell for cell in halo if abs(cell[0] - column) <= 4 and abs(cell[1] - row) <= 3]) >= 3
        corner = track.corner_at(track.next_line(cars[0].progress))
        plate = drawing.plate_of(corner)
        assert plate is not None
        (left, beside), text = plate
        assert text.strip() == str(track.corners[corner].limit)
        spaces = track.corners[corner].after_space - 30
        around = [drawn.get((at, beside)) for at in range(left - 8, left + 12)]
        words = "".join(" " if cell is None else cell.glyph for cell in around)
        assert f"in {spaces}" in words


@EACH
async def test_cards_look_like_cards_at_every_size_and_those_picked_stand_out(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = race_app(tmp_path, CARS)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await pilot.press("2", "3")
        await pilot.pause()
        hand = app.race.query_one(HandRow)
        rows = hand.lines
        edges = [(row, at) for row, text in enumerate(rows) for at in range(len(text)) if text[at] == "┏"]
        assert len(edges) == 2, "the picked ones have thick edges"
        top = next(row for row, text in enumerate(rows) if "┌" in text)
        grounds = [
            [ground_of(segment.style) for segment in hand.render_line(y) for _ in segment.text]
            for y in range(len(rows))
        ]
        for row, at in edges:
            assert grounds[row][at] == ground_of(ON_GOLD)
            assert row == (top if size == SMALL else top - 1), "they stand a row higher where it fits"
        assert len(rows) == (3 + 1 if size == SMALL else 6 + 2)
        assert len(rows[0]) >= 7 * (5 if size == SMALL else 10), "there are seven"
        papers = {ground_of(card_paper(card)) for card in ("1", "start-5", STRESS, "heat")}
        assert len(papers) == 4
        assert papers <= {*grounds[top + 1], *grounds[top]}
