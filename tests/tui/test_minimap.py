"""The whole circuit small in a corner, while the map shows a part of it."""

from __future__ import annotations

import pytest

from heat_tui.map.marks import CarMark
from heat_tui.map.minimap import mini_map, mini_size
from heat_tui.map.palette import MODES, Look, Mode
from heat_tui.map.widget import TrackMap
from tests.tui.test_map_drawing import BOARDS, crowd, load
from tests.tui.test_map_widget import MapApp


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", MODES)
def test_every_board_is_a_line_with_all_cars_on_it(board: str, mode: Mode) -> None:
    track = load(board)
    for panel in ((40, 10), (53, 14), (159, 45)):
        size = mini_size(*panel)
        assert size is not None
        cells = mini_map(track, size, Look(mode), crowd(track), frozenset(range(20, 40)))
        columns, rows = (1 + max(place[way] for place in cells) for way in (0, 1))
        assert (columns, rows) <= size
        assert len(cells) == columns * rows, "no gaps: nothing of the large map shines through"
        glyphs = [cell.glyph for cell in cells.values()]
        assert set("ABCDEFGH") <= set(glyphs)
        if mode == "ascii":
            assert "".join(glyphs).isascii()
            empty = mini_map(track, size, Look(mode), [], frozenset(range(20, 40)))
            told = {cell.glyph for cell in empty.values()}
            assert {"o", "."} <= told, "the part that is shown is told from the rest"
        if mode in ("mono", "ascii"):
            assert all(cell.style.color is None and cell.style.bgcolor is None for cell in cells.values())


def test_a_small_panel_has_no_room_for_it() -> None:
    assert mini_size(39, 14) is None
    assert mini_size(53, 9) is None


@pytest.mark.asyncio
async def test_it_is_there_while_a_part_is_shown_and_never_over_the_followed_car() -> None:
    app = MapApp()
    async with app.run_test(size=(56, 14)) as pilot:
        track_map = app.map
        track_map.set_cars([CarMark(7, "Q", "red", 70, 0, True, True)])
        track_map.follow_car(7)
        track_map.zoom = "whole"
        await pilot.pause()
        assert not track_map._pane.mini.cells
        for zoom in ("normal", "close"):
            track_map.zoom = zoom
            await pilot.pause()
            for progress in range(70, 139):
                track_map.place_cars({7: (progress, 0)})
                column, row = track_map._pane.over.cells[7]
                place = column - track_map.view_offset[0], row - track_map.view_offset[1]
                assert track_map._pane.mini.cells
                assert place not in track_map._pane.mini.cells
                drawn = "\n".join(track_map.render_line(y).text for y in range(14))
                assert drawn.count("Q") == 2, "on the map, and on the small one"


@pytest.mark.asyncio
async def test_a_click_on_it_goes_there() -> None:
    app = MapApp()
    async with app.run_test(size=(56, 14)) as pilot:
        track_map = app.map
        track_map.zoom = "close"
        track_map.set_cars([CarMark(7, "Q", "red", 70 + 20, 0, True, True)])
        track_map.follow_car(7)
        await pilot.pause()
        drawing = track_map.drawing
        assert drawing is not None

        def is_seen(space: int) -> bool:
            column, row = drawing.cell_of(space, 0)
            left, top = track_map.view_offset
            return 0 <= column - left < 56 and 0 <= row - top < 14

        assert not is_seen(52)
        places = [
            place
            for place in track_map._pane.mini.cells
            if track_map._pane.mini.space_at(drawing, place) == 52
        ]
        hovered = len(app.hovered)
        await pilot.hover(TrackMap, offset=places[0])
        await pilot.pause()
        assert len(app.hovered) == hovered, "what lies under it is not told"
        await pilot.click(TrackMap, offset=places[0])
        await pilot.pause()
        assert is_seen(52)
        assert not track_map.follow
