"""The road painted with what a choice leads to."""

from __future__ import annotations

from collections import Counter

import pytest

from heat_tui.map.cars import lay_over
from heat_tui.map.drawing import draw_track
from heat_tui.map.marks import BARE_ROAD, CornerMark, RoadMarks
from heat_tui.map.palette import MODES, ROAD_GLYPHS, Look, Mode
from tests.tui.test_map_drawing import BOARDS, load

MARKS = RoadMarks(
    {3: "free", 4: "heat", 5: "spin_out", 6: "target", 7: "slipstream"},
    {0: CornerMark("free"), 1: CornerMark("heat", 3, "6 - 3"), 2: CornerMark("spin_out")},
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("board", BOARDS)
def test_painted_spaces_differ_from_the_bare_road_and_from_each_other(board: str, mode: Mode) -> None:
    drawing = draw_track(load(board), 80, 24, "whole", Look(mode))
    overlay = lay_over(drawing, [], {}, {}, None, MARKS)
    looks = set()
    for space in MARKS.spaces:
        spot = drawing.cell_of(space, 0)
        assert overlay[spot] != drawing.cell(*spot)
        if drawing.look.has_colours:
            grounds = Counter(overlay[cell].style.bgcolor for cell in drawing.cells_of(spaces=[space]))
            ((ground, _),) = grounds.most_common(1)
            assert ground
            looks.add((overlay[spot].glyph, ground.triplet))
        else:
            looks.add((overlay[spot].glyph, None))
    assert len(looks) == len(MARKS.spaces)
    assert lay_over(drawing, [], {}, {}, None, BARE_ROAD) == {}


@pytest.mark.parametrize("mode", MODES)
def test_plates_show_what_their_corner_costs(mode: Mode) -> None:
    drawing = draw_track(load("usa"), 110, 34, "whole", Look(mode))
    overlay = lay_over(drawing, [], {}, {}, None, MARKS)
    rows: dict[int, str] = {}
    for column, row in sorted(overlay):
        rows[row] = rows.get(row, "") + overlay[column, row].glyph
    text = "\n".join(rows.values())
    is_ascii = mode == "ascii"
    assert f"{ROAD_GLYPHS['heat'][is_ascii]}3 6 - 3" in text
    assert ROAD_GLYPHS["spin_out"][is_ascii] in text
