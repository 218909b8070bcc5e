"""The map of the circuit on the race screen.

The widget shows a `Pane` of a `TrackDrawing` with an overlay of cars. The drawing changes with track, size,
zoom, mode and limits; then everything is repainted. Cars, highlights and cursor change the overlay alone;
then only the cells that differ are, near ones of a line together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from heat_core.track import RACE_LINE_SPOT, Track
from heat_tui.map.drawing import TrackDrawing, draw_track
from heat_tui.map.layout import ZOOMS, Zoom
from heat_tui.map.marks import CarMark, HighlightName, RoadMarks, Skid, Way
from heat_tui.map.palette import USUAL_LOOK, Look
from heat_tui.map.pane import Pane
from heat_tui.map.pointing import NOTHING, Found, SpotMessage
from heat_tui.map.refining import refine_in_slices
from heat_tui.map.signs import Coordinates, CornerNote, Spot
from heat_tui.map.window import spans
from heat_tui.terminal.updates import Picture, Run

_WHEEL_COLUMNS: Final = 6
_WHEEL_ROWS: Final = 3


class TrackMap(Picture, Widget, can_focus=False):
    """A circuit with its cars, in three zooms, scrolled by hand or following a car."""

    DEFAULT_CSS: ClassVar[str] = "TrackMap { width: 1fr; height: 1fr; }"

    zoom: reactive[Zoom] = reactive[Zoom]("normal", init=False, repaint=False)
    look: reactive[Look] = reactive[Look](USUAL_LOOK, init=False, repaint=False)
    show_numbers: reactive[bool] = reactive(False, init=False, repaint=False)
    follow: reactive[bool] = reactive(True, init=False, repaint=False)

    class SpotHovered(SpotMessage):
        """The mouse or the cursor has come to another spot, corner or car, or has left the road."""

    class SpotClicked(SpotMessage):
        """A spot, corner or car has been clicked."""

    class WindowMoved(Message):
        """Another part of the drawing, or another drawing, is shown."""

    def __init__(
        self,
        track: Track | None = None,
        *,
        zoom: Zoom = "normal",
        id: str | None = None,
    ) -> None:
        """Make a map.

        Args:
            track: The circuit, None until `set_track`.
            zoom: The zoom to begin with.
            id: Textual's identifier.
        """
        super().__init__(id=id)
        self._track = track
        self._limits: dict[int, int] = {}
        self._notes: tuple[CornerNote, ...] = ()
        self._pane = Pane()
        self._followed: int | None = None
        self._refining: TrackDrawing | None = None
        self._hovered = NOTHING
        self.set_reactive(TrackMap.zoom, zoom)

    # What is shown

    @property
    def drawing(self) -> TrackDrawing | None:
        """The drawing in use, None before there is a track and a size."""
        return self._pane.drawing

    @property
    def cars(self) -> tuple[CarMark, ...]:
        """The cars as they are shown."""
        return self._pane.over.cars

    @property
    def view_offset(self) -> Coordinates:
        """Column and row of the drawing in the panel's top left cell."""
        return self._pane.left, self._pane.top

    def row_of_car(self, number: int) -> int | None:
        """Give the panel's row that a car is in, None where it is out of view."""
        return self._pane.row_of_car(number)

    def set_track(self, track: Track) -> None:
        """Show another circuit, without the cars, limits and highlights of the one before."""
        self._track = track
        self._limits = {}
        self._notes = ()
        self._pane.begin()
        self._draw_anew()

    def set_limits(self, limits: Mapping[int, int], notes: Sequence[CornerNote] = ()) -> None:
        """Show what lies at corners.

        Args:
            limits: Others than the board's, by number (from 0) of the corner.
            notes: Of each corner what there is besides; empty: nothing.
        """
        if dict(limits) != self._limits or tuple(notes) != self._notes:
            self._limits = dict(limits)
            self._notes = tuple(notes)
            self._draw_anew()

    def set_cars(self, cars: Sequence[CarMark]) -> None:
        """Show these cars and no others, at once."""
        if (given := tuple(cars)) != self._pane.over.cars:
            self._pane.over.cars = given
            self._lay_over()
        self._keep_followed_in_view()

    def place_cars(self, places: Mapping[int, tuple[int, int]]) -> None:
        """Put cars elsewhere in one go: by number, progress and spot. Unknown numbers change nothing."""
        self._pane.over.place_cars(places)
        self._lay_over()
        if self._followed in places:
            self._keep_followed_in_view()

    def drive_cars(self, ways: Mapping[int, Way]) -> None:
        """Show cars on their ways, by number, until they are placed. Unknown numbers change nothing."""
        self._pane.over.drive_cars(ways)
        self._lay_over()
        if self._followed in ways:
            self._keep_followed_in_view()

    def highlight(self, spaces: Mapping[Spot, HighlightName]) -> None:
        """Mark spots, (space, spot), by what they mean; an empty mapping takes the marks away."""
        if spaces != self._pane.over.highlights:
            self._pane.over.highlights = dict(spaces)
            self._lay_over()

    def set_skids(self, skids: Sequence[Skid]) -> None:
        """Show the marks of these spin-outs and no others."""
        if tuple(skids) != self._pane.over.skids:
            self._pane.over.skids = tuple(skids)
            self._lay_over()

    def set_road(self, marks: RoadMarks) -> None:
        """Paint the road with what a choice leads to; a bare road takes the paint away."""
        if marks != self._pane.over.road:
            self._pane.over.road = marks
            self._lay_over()

    def move_cursor(self, spaces: int) -> None:
        """Move the keyboard's cursor along the lap, from the followed car at first."""
        if self._track is None:
            return
        spot = self._pane.over.move_cursor(self._track, spaces, self._followed)
        self._lay_over()
        if self.drawing is not None:
            cell = self.drawing.cell_of(*spot)
            if self._pane.keep_in_view(cell):
                self._show_moved()
            left, top = self.view_offset
            self._tell_hovered(self._pane.found_at((cell[0] - left, cell[1] - top)))

    def hide_cursor(self) -> None:
        """Take the keyboard's cursor away; nothing is pointed at then."""
        self._pane.over.cursor = None
        self._lay_over()
        self._tell_hovered(NOTHING)

    # Zoom and window

    def zoom_in(self) -> None:
        """Show fewer spaces, larger; a zoom that would look the same is passed over."""
        self._step_zoom(1)

    def zoom_out(self) -> None:
        """Show more spaces, smaller; a zoom that would look the same is passed over."""
        self._step_zoom(-1)

    def _step_zoom(self, step: int) -> None:
        number = ZOOMS.index(self.zoom) + step
        while 0 <= number < len(ZOOMS):
            drawing = self.drawing
            self.zoom = ZOOMS[number]
            if drawing is None or self.drawing is not drawing:
                return
            number += step

    def follow_car(self, number: int | None) -> None:
        """Keep this car in view from now on while `follow` is on; None for none."""
        self._followed = number
        self._keep_followed_in_view()

    def scroll_by(self, columns: int, rows: int) -> None:
        """Move the window over the drawing; the map stops following."""
        self.follow = False
        self._look_at(self._pane.left + columns, self._pane.top + rows)

    def _look_at(self, left: int, top: int) -> bool:
        """Move the window's top left cell, as far as there is drawing; returns whether it has moved."""
        has_moved = self._pane.look_at(left, top)
        if has_moved:
            self._show_moved()
        return has_moved

    def _show_moved(self) -> None:
        """Paint another part of the drawing."""
        self._pane.lay_mini(self._followed)
        self.refresh()
        self.post_message(self.WindowMoved())

    def _keep_followed_in_view(self) -> None:
        cell = self._pane.over.cells.get(self._followed) if self._followed is not None else None
        if self.follow and cell is not None and self._pane.keep_in_view(cell):
            self._show_moved()

    # Painting

    def watch_zoom(self) -> None:
        """Draw the other zoom around what was in the middle."""
        self._draw_anew()

    def watch_look(self) -> None:
        """Draw with the other glyphs and colours."""
        self._draw_anew()

    def watch_show_numbers(self) -> None:
        """Draw with or without numbers."""
        self._draw_anew()

    def watch_follow(self) -> None:
        """Go back to the followed car."""
        self._keep_followed_in_view()

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        self._draw_anew(event.size)

    def _draw_anew(self, size: Size | None = None) -> None:
        width, height = size or self.size
        track = self._track
        if track is None or width < 1 or height < 1:
            self._pane.show(None, Size(width, height))
            self._pane.lay_mini(self._followed)
            self.refresh()
            return
        limits = tuple(self._limits.get(number, corner.limit) for number, corner in enumerate(track.corners))
        drawing = draw_track(
            track,
            width,
            height,
            self.zoom,
            self.look,
            limits,
            notes=self._notes,
            has_numbers=self.show_numbers,
        )
        self._pane.show(drawing, Size(width, height))
        self._refine(drawing)
        self._lay_over()
        self._keep_followed_in_view()
        self.refresh()
        self.post_message(self.WindowMoved())

    def _refine(self, drawing: TrackDrawing) -> None:
        """Have the picture of a smooth drawing drawn, at once where no terminal waits for a first frame."""
        if not drawing.is_rough or drawing is self._refining:
            return
        if self.app.is_headless:
            for _ in drawing.refine():
                pass
        else:
            self._refining = drawing
            self.run_worker(self._show_refined(drawing), group="refine", exclusive=True)

    async def _show_refined(self, drawing: TrackDrawing) -> None:
        """Draw a picture in slices, then show it in one repaint."""
        await refine_in_slices(drawing)
        self._refining = None
        if drawing is self.drawing:
            self._lay_over()
            self.refresh()

    def _lay_over(self) -> None:
        """Make the overlay again and repaint where it differs."""
        if regions := spans(self._pane.lay(self._followed), self.size):
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        """Give a line of the window.

        What has no colours of its own takes the panel's: below a dialog it is dimmed as all else.
        """
        line = self._pane.line(y, 0, self.size.width)
        return line if self.look.has_colours else line.apply_style(self.rich_style)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give lines of the panel.

        In true colour they are handed on as they are: Textual would look for other colours in each segment of
        each line that a car is on, sixty times a second.
        """
        if self.look.mode != "truecolor":
            return super().render_lines(crop)
        first, last = crop.column_span
        return [self._pane.line(y, first, last) for y in crop.line_range]

    def runs(self, y: int, first: int, last: int) -> Sequence[Run] | None:
        """Give cells of a line as they are drawn, in true colour, where nobody has to look for others."""
        return self._pane.cells(y, first, last) if self.look.mode == "truecolor" else None

    # Mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell what the mouse has come to; on the small map there is nothing to tell."""
        self._tell_hovered(self._pane.found_at((event.x, event.y)))

    def on_leave(self, event: events.Leave) -> None:
        """Tell that the mouse has left."""
        if event.node is self:
            self._tell_hovered(NOTHING)

    def on_click(self, event: events.Click) -> None:
        """Tell what has been clicked, unless it is grass; on the small map go there."""
        drawing = self.drawing
        space = self._pane.space_in_mini((event.x, event.y))
        if drawing is not None and space is not None:
            column, row = drawing.cell_of(space, RACE_LINE_SPOT)
            left, top = self.view_offset
            self.scroll_by(column - left - self.size.width // 2, row - top - self.size.height // 2)
            return
        found = self._pane.found_at((event.x, event.y))
        if found != NOTHING:
            self.post_message(self.SpotClicked(found))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up, or to the left with shift."""
        self._wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down, or to the right with shift."""
        self._wheel(event, 1)

    def _wheel(self, event: events.MouseScrollUp | events.MouseScrollDown, sign: int) -> None:
        is_sideways = event.shift or event.ctrl
        moved = self._look_at(
            self._pane.left + (sign * _WHEEL_COLUMNS if is_sideways else 0),
            self._pane.top + (0 if is_sideways else sign * _WHEEL_ROWS),
        )
        if moved:
            self.follow = False
            event.stop()

    def _tell_hovered(self, found: Found) -> None:
        if found != self._hovered:
            self._hovered = found
            self.post_message(self.SpotHovered(found))
