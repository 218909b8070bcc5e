"""The picture of the eight boards: shape, spots, signs and glyphs."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

from heat_core.track import Track, compile_track
from heat_core.track_files.file import parse_track
from heat_tui.map.cars import car_cells, lay_over
from heat_tui.map.drawing import TrackDrawing, draw_track
from heat_tui.map.geometry import Centreline
from heat_tui.map.layout import ZOOMS, Zoom
from heat_tui.map.lettering import ARROWS
from heat_tui.map.marks import CarMark
from heat_tui.map.palette import MODES, Look, Mode, spot_glyph
from heat_tui.map.raster import (
    CHEQUER_BLACK,
    CHEQUER_WHITE,
    CORNER_LINE,
    GRID_MARK,
    LEGENDS_LINE,
    PARAPET,
    SURFACE,
    is_surface,
)
from heat_tui.map.signs import CornerNote
from heat_tui.theme.paints import PAINTS, THEME_NAMES, ThemeName, rgb

TRACKS = Path(__file__).parents[2] / "tracks"
BOARDS = ("usa", "italy", "gb", "france", "japan", "mexico", "netherlands", "spain")
COLOURS = ("red", "blue", "yellow", "green", "black", "grey", "orange", "purple")


def load(board: str) -> Track:
    return compile_track(parse_track((TRACKS / f"{board}.json").read_bytes()))


def all_spots(track: Track) -> list[tuple[int, int]]:
    return [(space, spot) for space in range(1, track.spaces + 1) for spot in range(track.spots[space])]


def text_of(drawing: TrackDrawing) -> str:
    return "\n".join(drawing.strip(row).text for row in range(drawing.rows))


@pytest.mark.parametrize("mode", ["truecolor", "ascii"])
@pytest.mark.parametrize("size", [(53, 14), (93, 28), (160, 50)])
@pytest.mark.parametrize("board", BOARDS)
def test_an_arrow_beside_the_start_line_says_which_way_all_drive(
    board: str, size: tuple[int, int], mode: Mode
) -> None:
    drawing = draw_track(load(board), *size, "whole", Look(mode))
    places = [cell for cell, (_, role) in drawing._lettering.text.items() if role == "arrow"]
    if (board, size) == ("spain", (53, 14)):
        assert places == [], "there is no room anywhere near"
        return
    (place,) = places
    sign = drawing.cell(*place).glyph
    ((right, down),) = (way for way, signs in ARROWS.items() if sign in signs)
    start, onward = drawing.cell_of(1, 0), drawing.cell_of(5, 0)
    assert (onward[0] - start[0]) * right + 2 * (onward[1] - start[1]) * down > 0
    assert abs(place[0] - start[0]) + 2 * abs(place[1] - start[1]) < 30, "it stands near the line"


def tones_at(drawing: TrackDrawing, space: int) -> set[int]:
    """Give the tones of the road on a space."""
    raster = drawing._raster
    space = drawing.track.space(space)
    kinds = {raster.kinds[index] for index, other in raster.spaces.items() if other == space}
    return {(kind - SURFACE) % 6 // 2 for kind in kinds if is_surface(kind)}


def crowd(track: Track) -> list[CarMark]:
    """Eight cars as close together as the rules allow, around the finish line."""
    return [
        CarMark(
            number,
            "ABCDEFGH"[number],
            COLOURS[number],
            track.spaces - 1 + number // 2,
            number % 2,
            number == 3,
            False,
        )
        for number in range(8)
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_every_space_lies_where_its_number_stands_in_the_outline(board: str) -> None:
    facts = load(board).facts
    line = Centreline(facts.outline, facts.spaces, 1.0)
    for space, x, y in facts.outline:
        point = line.at(space)
        assert hypot(point.x - x, point.y - y) < 0.01
        assert hypot(point.heading_x, point.heading_y) == pytest.approx(1)


def test_left_is_left_in_driving_direction() -> None:
    square = ((1, 0.0, 0.0), (4, 30.0, 0.0), (7, 30.0, 30.0), (10, 0.0, 30.0))
    line = Centreline(square, 12, 0.5)
    x, y = line.at(2.5).beside(1.0)  # driving to the right along the top: left is up, off the square
    assert y < line.at(2.5).y
    assert abs(x - line.at(2.5).x) < 0.01


@pytest.mark.parametrize("board", BOARDS)
def test_race_line_and_other_spot_lie_on_their_sides(board: str) -> None:
    track = load(board)
    drawing = draw_track(track, 78, 20, "close")
    for space, spot in all_spots(track):
        point, middle = drawing.point_of(space, spot, None), drawing.point_of(space, 1 - spot, None)
        across = (point.x - middle.x) * point.heading_y - (point.y - middle.y) * point.heading_x
        assert (across > 0) == (track.side_of(space, spot) == "left")


def test_only_japan_crosses_itself_at_spaces_2_and_30() -> None:
    crossings = {
        board: Centreline(load(board).facts.outline, load(board).spaces, 1.0).crossings() for board in BOARDS
    }
    assert [board for board in BOARDS if crossings[board]] == ["japan"]
    ((below, above),) = crossings["japan"]
    assert (round(below), round(above)) == (2, 30)


def test_japans_crossing_is_a_bridge() -> None:
    drawing = draw_track(load("japan"), 100, 34, "whole")
    column, row = drawing.cell_of(30, 0)
    around = [
        kind
        for y in range(row - 3, row + 4)
        for x in range(column - 8, column + 9)
        for kind in drawing.kinds_at(x, y)
    ]
    assert around.count(PARAPET) >= 8
    assert drawing.spot_at(*drawing.cell_of(2, 0)) == (2, 0)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("columns", "rows", "zoom"),
    [
        (78, 20, "whole"),
        (56, 14, "normal"),
        (30, 8, "normal"),
        (1, 1, "normal"),
        (200, 60, "normal"),
        (56, 14, "close"),
    ],
)
def test_every_spot_has_a_cell_of_its_own(board: str, columns: int, rows: int, zoom: Zoom) -> None:
    track = load(board)
    drawing = draw_track(track, columns, rows, zoom)
    cells = {drawing.cell_of(*key): key for key in all_spots(track)}
    assert len(cells) == len(all_spots(track))
    for cell, key in cells.items():
        assert drawing.spot_at(*cell) == key


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("zoom", ZOOMS)
def test_neighbouring_spaces_are_neighbours_on_the_screen(board: str, zoom: Zoom) -> None:
    track = load(board)
    drawing = draw_track(track, 78, 20, zoom)
    for space in range(1, track.spaces + 1):
        for spot in (0, 1):
            start = drawing.point_of(space, spot, None)
            side = track.side_of(space, spot)
            following = track.space(space + 1)
            end = drawing.point_of(following, track.spot_on(following, side), None)
            far = hypot(end.x - start.x, end.y - start.y) / drawing.layout.space_pixels
            assert far < 2.6, (space, spot)
            column, row = drawing.cell_of(space, spot)
            assert hypot(column + 0.5 - start.x, 2 * row + 1 - start.y) < 3.7, (space, spot)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_every_size_and_mode_is_drawn(board: str, mode: Mode) -> None:
    """Each board in each look, each board in each size, each look in each size."""
    track = load(board)
    sizes = ((1, 1), (1, 30), (30, 1), (2, 2), (7, 3), (20, 6), (56, 14), (200, 60))
    first = (BOARDS.index(board) + MODES.index(mode)) % 4
    for columns, rows in sizes[first::4]:
        for zoom in ZOOMS if columns < 200 else ("whole",):
            drawing = draw_track(track, columns, rows, zoom, Look(mode), has_numbers=True)
            assert drawing.columns >= columns
            assert drawing.rows >= rows
            cars = crowd(track)
            overlay = lay_over(drawing, cars, car_cells(drawing, cars), {(3, 0): "danger"}, (4, 1))
            assert all(0 <= x < drawing.columns and 0 <= y < drawing.rows for x, y in overlay)
            assert all(drawing.strip(row).cell_length == drawing.columns for row in range(drawing.rows))


def test_a_very_large_panel_is_drawn() -> None:
    drawing = draw_track(load("spain"), 500, 200, "whole")
    assert (drawing.columns, drawing.rows) == (500, 200)
    assert draw_track(load("spain"), 500, 200, "normal") is drawing


@pytest.mark.parametrize("board", BOARDS)
def test_the_ascii_table_is_ascii(board: str) -> None:
    track = load(board)
    panels: tuple[tuple[int, int, Zoom], ...] = ((78, 20, "whole"), (56, 14, "close"))
    for columns, rows, zoom in panels:
        drawing = draw_track(track, columns, rows, zoom, Look("ascii"), has_numbers=True)
        assert text_of(drawing).isascii()
        cars = crowd(track)
        highlights = {(5, 0): "target", (6, 0): "danger", (7, 0): "slipstream", (8, 0): "boost"}
        overlay = lay_over(drawing, cars, car_cells(drawing, cars), highlights, (9, 0))
        assert all(cell.glyph.isascii() for cell in overlay.values())


@pytest.mark.parametrize("mode", ["mono", "ascii"])
def test_without_colour_nothing_has_a_colour(mode: Mode) -> None:
    drawing = draw_track(load("japan"), 78, 20, "whole", Look(mode), has_numbers=True)
    for row in range(drawing.rows):
        for segment in drawing.strip(row):
            assert segment.style is not None
            assert segment.style.color is None
            assert segment.style.bgcolor is None
    assert (
        len(set(text_of(drawing))) > 8
    )  # road, edges, both spots, corner lines, Legends lines, chequers ...


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_corners_show_the_limits_that_hold(board: str, mode: Mode) -> None:
    track = load(board)
    limits = tuple(corner.limit + 1 for corner in track.corners)
    drawing = draw_track(track, 100, 34, "whole", Look(mode), limits)
    shown: dict[int, str] = {}
    for row in range(drawing.rows):
        for column in range(drawing.columns):
            corner = drawing.corner_at(column, row)
            glyph = drawing.cell(column, row).glyph
            if corner is not None and glyph.isdecimal():
                shown[corner] = shown.get(corner, "") + glyph
    assert shown == {number: str(limit) for number, limit in enumerate(limits)}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_overheated_corners_and_what_sectors_do_are_written_beside_the_road(board: str, mode: Mode) -> None:
    track = load(board)
    count = len(track.corners)
    notes = tuple(CornerNote(number == 0, ("cool+1", "c1")) for number in range(count))
    for columns, rows, zoom in ((53, 14, "whole"), (78, 20, "whole"), (56, 14, "normal")):
        drawing = draw_track(track, columns, rows, zoom, Look(mode), notes=notes)  # type: ignore[arg-type]  # a zoom
        text = text_of(drawing)
        assert f"{track.corners[0].limit}!" in text
        told = text.count("cool+1") + text.count("c1")
        assert told == count or (zoom == "whole" and told >= 0.6 * count), "shortly where there is less room"
    corners = {
        drawing.corner_at(column, row)
        for row, line in enumerate(text.split("\n"))
        for column in range(len(line))
        if line[column:].startswith("cool+1")
    }
    assert corners == set(range(count)), "under the mouse the words are the corner's"


@pytest.mark.spec("BOARD-2")
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_corners_sectors_lines_start_and_numbers_are_told_apart(board: str, mode: Mode) -> None:
    track = load(board)
    limits = tuple(corner.limit + 1 for corner in track.corners)
    panels = ((53, 14, "whole"), (53, 14, "normal"), (113, 27, "whole"), (53, 14, "close"))
    for columns, rows, zoom in panels[(BOARDS.index(board) + MODES.index(mode)) % 2 :: 2]:
        drawing = draw_track(track, columns, rows, zoom, Look(mode), limits, has_numbers=True)  # type: ignore[arg-type]  # a zoom
        places = [(column, row) for row in range(drawing.rows) for column in range(drawing.columns)]
        signs = "".join(
            drawing.cell(*place).glyph for place in places if drawing.corner_at(*place) is not None
        )
        assert all(str(limit) in signs for limit in limits)
        kinds = {place: drawing.kinds_at(*place) for place in places}
        by_kind = {
            kind: [place for place, both in kinds.items() if kind in both]
            for kind in (CORNER_LINE, LEGENDS_LINE, CHEQUER_WHITE, CHEQUER_BLACK)
        }
        assert all(by_kind.values())
        # The road on both sides of a corner line has another tone.
        for corner in track.corners:
            here, behind = (tones_at(drawing, corner.after_space + shift) for shift in (0, 1))
            assert here
            assert behind
            assert here.isdisjoint(behind)
        looks = {kind: {drawing.cell(*place) for place in by_kind[kind]} for kind in by_kind}
        for one, other in pairwise((CORNER_LINE, LEGENDS_LINE, CHEQUER_WHITE)):
            assert looks[one] != looks[other]
        grid = [drawing.cell_of(space, track.spot_on(space, side)) for space, side in track.facts.grid]
        glyph = spot_glyph(mode, "grid spot")
        is_marked = any(GRID_MARK in both for both in kinds.values())
        assert is_marked or sum(drawing.cell(*cell).glyph == glyph for cell in grid) >= len(grid) - 1
        text = text_of(drawing)
        numbers = range(1, track.spaces + 1) if zoom == "close" else range(10, track.spaces + 1, 10)
        shown = sum(re.search(rf"(?<!\d){number}(?!\d)", text) is not None for number in numbers)
        assert shown >= (1 if zoom == "whole" else 0.6 * len(numbers)), "as many as have room"


def test_numbers_are_shown_on_demand() -> None:
    track = load("usa")
    plain = text_of(draw_track(track, 100, 34, "whole", Look("ascii")))
    numbered = text_of(draw_track(track, 100, 34, "whole", Look("ascii"), has_numbers=True))
    assert "25" not in plain
    assert "25" in numbered


def test_drawings_are_kept() -> None:
    track = load("usa")
    assert draw_track(track, 78, 20, "whole") is draw_track(track, 78, 20, "whole")


@pytest.mark.spec("BOARD-3")
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("zoom", ZOOMS)
def test_cars_in_one_space_and_in_neighbouring_ones_are_all_seen(board: str, mode: Mode, zoom: Zoom) -> None:
    track = load(board)
    for columns, rows in ((78, 20), (40, 10), (12, 5)):
        drawing = draw_track(track, columns, rows, zoom, Look(mode))
        cars = crowd(track)
        cells = car_cells(drawing, cars)
        overlay = lay_over(drawing, cars, cells, {}, None)
        assert len(set(cells.values())) == len(cars)
        assert [overlay[cells[car.number]].glyph for car in cars] == list("ABCDEFGH")
        if Look(mode).has_colours:
            paints = {overlay[cells[car.number]].style.bgcolor for car in cars}
            assert len(paints) == len(cars)


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("mode", ["ansi256", "ansi16"])
def test_where_colours_are_few_every_one_is_a_paint_with_a_number_chosen_by_hand(
    mode: Mode, theme: ThemeName
) -> None:
    drawing = draw_track(load("japan"), 78, 20, "whole", Look(mode, theme, is_smooth=True))
    for _ in drawing.refine():
        pass
    known = {rgb(theme, paint) for paint in PAINTS}
    for row in range(drawing.rows):
        for segment in drawing.strip(row):
            for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                assert colour is None or colour.triplet in known
