"""A picture over the map, which comes and goes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.timer import Timer

from heat_tui.flow.moments import Frame, Moment, Picture
from heat_tui.map.widget import TrackMap
from heat_tui.widgets.moment_pictures import draw_moment
from heat_tui.widgets.moment_signs import write_moment
from heat_tui.widgets.panel import TextPanel


class MomentBox(TextPanel):
    """Shows moments one after the other; nothing waits for it, and `end` takes it away at once."""

    DEFAULT_CSS: ClassVar[str] = """
    MomentBox { layer: moment; display: none; width: auto; height: auto; }
    """

    def __init__(self) -> None:
        """Begin hidden."""
        super().__init__(id="moment")
        self._frames: list[Frame] = []
        self._pace = 1.0
        self._clear_of: int | None = None
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is being shown."""
        return bool(self.display)

    def play(self, moments: Sequence[Moment], pace: float, clear_of: int | None = None) -> None:
        """Show moments in place of what is shown now.

        Args:
            moments: In order; none leaves what is shown.
            pace: By which their times are multiplied.
            clear_of: Number of a car that should stay in sight; None: of none.
        """
        if not moments or not pace:
            return
        self.end()
        self._frames = [frame for moment in moments for frame in moment.frames]
        self._pace, self._clear_of = pace, clear_of
        self._next()

    def end(self) -> None:
        """Show nothing more."""
        if self._timer is not None:
            self._timer.stop()
        self._timer, self._frames, self.display = None, [], False

    def _next(self) -> None:
        if not self._frames:
            self.end()
            return
        frame = self._frames.pop(0)
        self._show(frame.picture)
        self._timer = self.set_timer(frame.seconds_at(self._pace), self._next)

    def _show(self, picture: Picture) -> None:
        """Lay a picture over the middle of the map, or where it leaves the car in sight."""
        track_map = self.screen.query_one(TrackMap)
        room, look = track_map.size, track_map.look
        drawn = draw_moment(picture, *room, is_smooth=look.is_smooth) if look.has_colours else []
        lines = drawn or write_moment(picture, room.width, self.glyphs)
        self.show_lines(lines)
        width, height = max(line.cell_len for line in lines), len(lines)
        self.styles.width, self.styles.height = width, height
        row = None if self._clear_of is None else track_map.row_of_car(self._clear_of)
        top = (room.height - height) // 2
        if row is not None and top <= row < top + height:
            top = 0 if row >= height else room.height - height
        self.styles.offset = max(0, (room.width - width) // 2), max(0, top)
        self.display = True
