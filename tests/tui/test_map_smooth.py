"""The circuit as a picture fitted to cells."""

from __future__ import annotations

from typing import get_args

import pytest
from rich.color import Color

from heat_core.race.setup import Colour
from heat_tui.map.cars import car_cells, lay_over
from heat_tui.map.drawing import TrackDrawing, draw_track
from heat_tui.map.layout import lay_out
from heat_tui.map.marks import CarMark, Way
from heat_tui.map.minimap import mini_map
from heat_tui.map.palette import BLANK, Look, Mode, car_paint
from heat_tui.map.passing import PassingCar, PassingPart
from heat_tui.map.raster import EDGE, PARAPET, is_surface, kind_and_owner, rasterise
from heat_tui.map.road_picture import RoadPicture, road_picture
from heat_tui.map.shades import Shade, shown_as
from heat_tui.picture import fit_cell
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import HALVES, QUARTERS
from heat_tui.theme.colours import CAR_STYLES
from heat_tui.theme.paints import PAINTS, rgb
from tests.tui.test_map_drawing import BOARDS, all_spots, crowd, load


def refined(board: str, columns: int, rows: int, look: Look) -> TrackDrawing:
    drawing = draw_track(load(board), columns, rows, "whole", look)
    for _ in drawing.refine():
        pass
    assert not drawing.is_rough
    return drawing


def shown(look: Look, shade: Shade) -> Color | None:
    """The colour of a shade."""
    part = PassingPart((("body", WHOLE_CELL),), ("body",), is_smooth=look.is_smooth)
    return PassingCar(look, {"body": shown_as(look, shade)}).over(BLANK, part).style.bgcolor


def hidden(drawing: TrackDrawing, *, in_halves: bool) -> int:
    """How many samples show another paint than their own."""
    count = 0
    for row in range(drawing.rows):
        for column in range(drawing.columns):
            samples = drawing.samples(column, row)
            fit = fit_cell(samples, None, HALVES if in_halves else None)
            for number, bits in samples.items():
                shown = (fit.covered if fit.fore == number else 0) | (
                    ~fit.covered if fit.back == number else 0
                )
                count += (bits & ~shown).bit_count()
    return count


@pytest.mark.spec("LOOK-1")
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", ["truecolor", "ansi256", "ansi16"])
def test_edges_are_finer_than_half_blocks_and_soft_where_colours_are_many(board: str, mode: Mode) -> None:
    drawing = refined(board, 80, 24, Look(mode, is_smooth=True))
    assert hidden(drawing, in_halves=False) < 0.7 * hidden(drawing, in_halves=True)
    glyphs = {cell.glyph for row in range(drawing.rows) for cell in drawing.row_cells(row)}
    assert len(glyphs & set("▘▝▖▗")) >= 3
    assert glyphs & set("▁▂▃▅▆▇")
    assert glyphs & set("▏▎▍▋▊▉")
    known = {rgb("night", paint) for paint in PAINTS}
    colours = [
        colour.triplet
        for row in range(drawing.rows)
        for cell in drawing.row_cells(row)
        for colour in (cell.style.color, cell.style.bgcolor)
        if colour is not None
    ]
    between = sum(colour not in known for colour in colours)
    assert (between > 100) is (mode == "truecolor"), "steps between paints, or numbers chosen by hand"


@pytest.mark.spec("LOOK-1")
@pytest.mark.parametrize("colour", get_args(Colour))
def test_a_car_has_the_same_colour_everywhere(colour: Colour) -> None:
    look = Look(is_smooth=True)
    paint = rgb("night", car_paint(colour))
    ground = CAR_STYLES[colour].bgcolor
    assert ground is not None
    assert ground.triplet == paint
    drawing = refined("usa", 110, 34, look)
    cars = [crowd(drawing.track)[0]._replace(colour=colour)]
    cells = car_cells(drawing, cars)
    on_map = lay_over(drawing, cars, cells, {}, None)[cells[cars[0].number]]
    small = mini_map(drawing.track, (30, 12), look, cars, frozenset())
    for cell in (on_map, next(cell for cell in small.values() if cell.glyph == cars[0].letter)):
        assert cell.style.bgcolor is not None
        assert cell.style.bgcolor.triplet == paint


def test_the_picture_shows_every_space_where_the_half_blocks_have_it() -> None:
    for board in BOARDS:
        drawing = refined(board, 80, 24, Look(is_smooth=True))
        track = drawing.track
        shown = 0
        for space, spot in all_spots(track):
            marks = drawing.samples(*drawing.cell_of(space, spot))
            owners = {kind_and_owner(number)[1] for number in marks if is_surface(kind_and_owner(number)[0])}
            shown += any((owner - space + 1) % track.spaces <= 2 for owner in owners)
        assert shown > 0.97 * len(all_spots(track)), board


def test_the_bridge_of_japan_covers_the_road_below_it() -> None:
    drawing = refined("japan", 110, 34, Look(is_smooth=True))
    marks = drawing.samples(*drawing.cell_of(30, 0))
    assert {kind_and_owner(number)[1] for number in marks} <= {0, 29, 30, 31}
    kinds = [
        kind_and_owner(number)[0]
        for row in range(drawing.rows)
        for column in range(drawing.columns)
        for number in drawing.samples(column, row)
    ]
    assert kinds.count(PARAPET) > 8
    assert kinds.count(EDGE) > 100


def test_a_picture_that_was_stopped_is_continued() -> None:
    raster = rasterise(load("usa").facts, lay_out(load("usa").facts, 60, 20, "whole"))
    stopped, whole = RoadPicture(raster), RoadPicture(raster)
    for number, _ in enumerate(parts := stopped.parts()):
        if number == 40:
            break
    parts.close()  # type: ignore[attr-defined]  # a generator: as when a worker is cancelled
    for picture in (stopped, whole):
        for _ in picture.parts():
            pass
    for row in range(20):
        for column in range(60):
            assert stopped.samples(column, row) == whole.samples(column, row)


def test_a_picture_is_drawn_once_for_all_looks_and_limits() -> None:
    track = load("usa")
    layout = lay_out(track.facts, 80, 24, "whole")
    assert road_picture(track.facts, layout) is road_picture(track.facts, layout)


def test_a_preview_has_a_narrower_road() -> None:
    facts = load("usa").facts
    assert (
        lay_out(facts, 60, 20, "whole", is_preview=True).half_width
        < lay_out(facts, 60, 20, "whole").half_width
    )


@pytest.mark.parametrize("mode", ["truecolor", "ansi256", "ansi16"])
def test_a_driving_car_hides_the_road_below_it_and_changes_no_colour_of_the_rest(mode: Mode) -> None:
    look = Look(mode, is_smooth=True)
    drawing = refined("usa", 150, 44, look)
    blocks = {" ", *(glyph for glyph, _ in QUARTERS)}
    mixed, places = 0, range(0, drawing.track.spaces, 3)
    for progress in places:
        car = CarMark(0, "A", "red", progress, 0, False, False, way=Way(progress + 1, 1, 0.4))
        cells = car_cells(drawing, [car])
        over = lay_over(drawing, [car], cells, {}, None)
        assert over.pop(cells[0]).glyph == "A"
        own = {shown(look, Shade(paint)) for paint in ("car-red", "skid")}
        for (column, row), cell in over.items():
            assert cell.glyph in blocks
            ground = drawing.cell(column, row).style
            colours = {cell.style.color, cell.style.bgcolor}
            assert colours <= own | {ground.color, ground.bgcolor}
            mixed += len(colours & own) == 1
        assert len(over) >= 5
        assert any(cell.style.bgcolor in own for cell in over.values()), "the middle of the car"
    assert mixed >= 3 * len(places), "the edges of cars"
