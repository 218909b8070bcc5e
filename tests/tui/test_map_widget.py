"""The map as a widget: cars, zoom, window, mouse."""

from __future__ import annotations

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.geometry import Region

from heat_tui.map.drawing import draw_track
from heat_tui.map.marks import CarMark, Way
from heat_tui.map.palette import Look
from heat_tui.map.raster import GRASS_ALTERNATE
from heat_tui.map.widget import TrackMap
from tests.tui.test_map_drawing import BOARDS, crowd, load

pytestmark = pytest.mark.asyncio


class MapApp(App[None]):
    """Nothing but a map."""

    def __init__(self, board: str = "usa") -> None:
        super().__init__()
        self.track = load(board)
        self.hovered: list[TrackMap.SpotHovered] = []
        self.clicked: list[TrackMap.SpotClicked] = []

    def compose(self) -> ComposeResult:
        yield TrackMap(self.track, zoom="normal")

    @property
    def map(self) -> TrackMap:
        return self.query_one(TrackMap)

    @on(TrackMap.SpotHovered)
    def note_hovered(self, event: TrackMap.SpotHovered) -> None:
        self.hovered.append(event)

    @on(TrackMap.SpotClicked)
    def note_clicked(self, event: TrackMap.SpotClicked) -> None:
        self.clicked.append(event)


def car(track_map: TrackMap, number: int) -> tuple[int, int]:
    """Where on the panel a car's letter is."""
    letter = next(mark.letter for mark in track_map.cars if mark.number == number)
    for y in range(track_map.size.height):
        for x, glyph in enumerate(track_map.render_line(y).text):
            if glyph == letter:
                return x, y
    raise AssertionError(f"car {number} is not on the panel")


async def test_a_followed_car_stays_in_view_all_the_way_round() -> None:
    app = MapApp()
    async with app.run_test(size=(56, 14)) as pilot:
        app.map.set_cars([CarMark(7, "Q", "red", 70, 0, True, True)])
        app.map.follow_car(7)
        for zoom in ("whole", "normal", "close"):
            app.map.zoom = zoom
            await pilot.pause()
            for progress in range(70, 70 + 2 * 69):
                app.map.place_cars({7: (progress, progress % 2)})
                car(app.map, 7)


async def test_a_driving_car_comes_along_between_two_spaces_until_it_is_placed() -> None:
    app = MapApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.map.set_cars([CarMark(0, "Q", "red", 70, 0, True, True)])
        await pilot.pause()
        seen = [car(app.map, 0)]
        for share in (0.25, 0.5, 0.75):
            app.map.drive_cars({0: Way(71, 1, share)})
            assert [(mark.progress, mark.spot) for mark in app.map.cars] == [(70, 0)], "it is not there yet"
            seen.append(car(app.map, 0))
        app.map.place_cars({0: (71, 1)})
        seen.append(car(app.map, 0))
        assert len({*seen}) == 4, "it goes from cell to cell"
        way = [x for x, _ in seen]
        assert way == sorted(way) or way == sorted(way, reverse=True)
        app.map.place_cars({0: (70, 0)})
        assert car(app.map, 0) == seen[0]
        app.map.drive_cars({9: Way(71, 0, 0.5)})
        assert car(app.map, 0) == seen[0], "a number that is no car's changes nothing"


async def test_a_car_that_turns_on_the_spot_looks_another_way_each_time() -> None:
    app = MapApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.map.set_cars([CarMark(0, "Q", "red", 70, 0, True, True)])
        await pilot.pause()
        _, y = car(app.map, 0)
        looks = []
        for turn in (0.0, 0.125, 0.25):
            app.map.drive_cars({0: Way(70, 0, 0.5, turn)})
            looks.append(tuple(tuple(app.map.render_line(row)) for row in range(y - 1, y + 2)))
        assert len({*looks}) == len(looks)


async def test_a_resize_keeps_the_followed_car_in_view() -> None:
    app = MapApp("spain")
    async with app.run_test(size=(100, 34)) as pilot:
        app.map.set_cars([CarMark(1, "Q", "blue", 150, 1, False, True)])
        app.map.follow_car(1)
        for size in ((30, 8), (120, 40), (12, 4), (80, 24), (1, 1)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            car(app.map, 1)


async def test_scrolling_stops_following_until_follow_is_turned_on() -> None:
    app = MapApp()
    async with app.run_test(size=(36, 12)) as pilot:
        app.map.set_cars([CarMark(0, "Q", "red", 70, 0, True, True)])
        app.map.follow_car(0)
        await pilot.pause()
        followed = app.map.view_offset
        app.map.scroll_by(-200, 200)
        assert not app.map.follow
        assert app.map.view_offset != followed
        with pytest.raises(AssertionError):
            car(app.map, 0)
        app.map.place_cars({0: (71, 0)})
        with pytest.raises(AssertionError):
            car(app.map, 0)
        app.map.follow = True
        car(app.map, 0)


async def test_a_track_that_fits_at_normal_zoom_does_not_scroll() -> None:
    app = MapApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        app.map.scroll_by(5, 5)
        assert app.map.view_offset == (0, 0)
        zooms = []
        for step in (app.map.zoom_in, app.map.zoom_out, app.map.zoom_out, app.map.zoom_out):
            step()
            zooms.append(app.map.zoom)
        # Normal looks like the whole track here, so one step in is the close-up.
        assert zooms == ["close", "normal", "whole", "whole"]


async def test_a_move_repaints_only_the_cells_that_change() -> None:
    app = MapApp()
    async with app.run_test(size=(100, 34)) as pilot:
        app.map.set_cars(crowd(app.track))
        await pilot.pause()
        repainted: list[Region] = []
        refresh = app.map.refresh

        def note(
            *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
        ) -> TrackMap:
            repainted.extend(regions or [app.map.size.region])
            return refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

        app.map.refresh = note  # type: ignore[method-assign]
        app.map.set_cars(crowd(app.track))
        assert repainted == []
        app.map.place_cars({7: (app.map.cars[7].progress + 1, 1)})
        assert 1 <= len(repainted) <= 8
        assert all(region.height == 1 and region.width < 16 for region in repainted)


async def test_what_is_under_the_mouse_is_told() -> None:
    app = MapApp()
    async with app.run_test(size=(100, 34)) as pilot:
        app.map.set_cars([CarMark(4, "Q", "red", app.track.progress(1, 20), 1, False, False)])
        await pilot.pause()
        place = car(app.map, 4)
        await pilot.hover(TrackMap, offset=place)
        await pilot.pause()
        assert (app.hovered[-1].space, app.hovered[-1].spot, app.hovered[-1].cars) == (20, 1, (4,))
        await pilot.click(TrackMap, offset=place)
        await pilot.pause()
        assert app.clicked[-1].cars == (4,)
        drawing = app.map.drawing
        assert drawing is not None
        sign = next((x, y) for y in range(34) for x in range(100) if drawing.corner_at(x, y) == 2)
        await pilot.hover(TrackMap, offset=sign)
        await pilot.pause()
        assert app.hovered[-1].corner == 2
        clicks = len(app.clicked)
        await pilot.click(TrackMap, offset=(0, 0))
        await pilot.pause()
        assert len(app.clicked) == clicks


async def test_the_cursor_tells_the_same_as_the_mouse() -> None:
    app = MapApp()
    async with app.run_test(size=(56, 14)) as pilot:
        app.map.set_cars([CarMark(4, "Q", "red", 69, 1, False, False)])
        app.map.follow_car(4)
        app.map.move_cursor(1)
        await pilot.pause()
        assert (app.hovered[-1].space, app.hovered[-1].spot) == (1, 1)
        app.map.move_cursor(-1)
        await pilot.pause()
        assert (app.hovered[-1].space, app.hovered[-1].spot) == (69, 1)
        app.map.hide_cursor()


async def test_limits_numbers_modes_and_tracks_can_change() -> None:
    app = MapApp()
    async with app.run_test(size=(78, 20)) as pilot:
        app.map.zoom = "whole"
        app.map.look = Look("ascii")
        await pilot.pause()

        def lines() -> str:
            return "\n".join(app.map.render_line(y).text for y in range(20))

        assert lines().isascii()
        assert "[7]" in lines()
        app.map.set_limits({0: 6})
        assert "[7]" not in lines()
        assert "[6]" in lines()
        assert "25" not in lines()
        app.map.show_numbers = True
        assert "25" in lines()
        app.map.highlight({(20, 0): "danger"})
        assert "X" in lines()
        app.map.highlight({})
        assert "X" not in lines()
        app.map.set_track(load("italy"))
        assert "[5]" in lines()
        app.map.look = Look("mono")
        await pilot.pause()
        assert "█" in lines()


async def test_a_map_without_a_track_is_empty() -> None:
    class EmptyApp(App[None]):
        def compose(self) -> ComposeResult:
            yield TrackMap()

    app = EmptyApp()
    async with app.run_test(size=(20, 5)) as pilot:
        await pilot.pause()
        track_map = app.query_one(TrackMap)
        assert track_map.render_line(0).text.strip() == ""
        track_map.move_cursor(1)
        track_map.zoom_in()
        track_map.set_cars([CarMark(0, "A", "red", 1, 0, False, False)])
        await pilot.hover(TrackMap, offset=(3, 3))


@pytest.mark.spec("BOARD-1")
@pytest.mark.parametrize("board", BOARDS)
async def test_the_circuit_is_a_closed_loop_to_zoom_scroll_and_follow(board: str) -> None:
    app = MapApp(board)
    track = app.track
    spaces = range(1, track.spaces + 1)
    async with app.run_test(size=(78, 20)) as pilot:
        track_map = app.map
        track_map.zoom = "whole"
        await pilot.pause()
        drawing = track_map.drawing
        assert drawing is not None
        assert (drawing.columns, drawing.rows) == (78, 20), "all of it is on the panel"
        cells = {space: drawing.cell_of(space, 0) for space in spaces}
        assert len(set(cells.values())) == track.spaces
        # From each space to the next, from the last to the first too, there is no gap but road.
        for space in spaces:
            (x, y), (right, down) = cells[space], cells[track.space(space + 1)]
            for share in (0.25, 0.5, 0.75):
                between = round(x + (right - x) * share), round(y + (down - y) * share)
                assert max(drawing.kinds_at(*between)) > GRASS_ALTERNATE, (space, between)
        sizes = []
        for zoom in ("normal", "close"):
            track_map.zoom = zoom
            await pilot.pause()
            assert track_map.drawing is not None
            sizes.append(track_map.drawing.layout.space_pixels)
        assert sizes[0] <= sizes[1]
        track_map.set_cars([CarMark(0, "Q", "red", track.spaces + 20, 0, True, True)])
        track_map.follow_car(0)
        offset = track_map.view_offset
        column, row = track_map._pane.over.cells[0]
        assert 0 <= column - offset[0] < 78
        assert 0 <= row - offset[1] < 20
        track_map.scroll_by(-1 if offset[0] else 1, -1 if offset[1] else 1)
        assert track_map.view_offset != offset
        track_map.place_cars({0: (track.spaces + 21, 0)})
        assert not track_map.follow
        track_map.follow = True
        for space in spaces:
            track_map.place_cars({0: (track.spaces + space, 0)})
            column, row = track_map._pane.over.cells[0]
            assert 0 <= column - track_map.view_offset[0] < 78
            assert 0 <= row - track_map.view_offset[1] < 20


async def test_a_picture_drawn_in_slices_is_the_one_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    look = Look(is_smooth=True)
    app = MapApp()
    async with app.run_test(size=(60, 20)) as pilot:
        monkeypatch.setattr(MapApp, "is_headless", False)
        app.map.look = look
        drawing = app.map.drawing
        assert drawing is not None
        states = [drawing.is_rough]
        rough = [app.map.render_line(row).text for row in range(20)]
        await app.workers.wait_for_complete()
        await pilot.pause()
        states.append(drawing.is_rough)
        smooth = [app.map.render_line(row).text for row in range(20)]
    assert states == [True, False], "half blocks come first"
    assert smooth != rough
    other = draw_track(load("usa"), 60, 20, "normal", look, limits=(9, 9, 9, 9))
    for _ in other.refine():
        pass
    signs = drawing._lettering.corners
    for row in range(drawing.rows):
        for column in range(drawing.columns):
            if (column, row) not in drawing._shapes and (column, row) not in signs:
                assert drawing.cell(column, row) == other.cell(column, row)
