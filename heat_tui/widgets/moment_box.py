"""A stamp over the middle of the map, which comes and goes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.timer import Timer

from heat_tui.flow.moments import Frame, Look, Moment
from heat_tui.theme.colours import ON_GOLD, ON_GREEN
from heat_tui.theme.glyphs import spelled
from heat_tui.theme.paints import style
from heat_tui.widgets.panel import TextPanel

_LOOKS: Final[dict[Look, Style]] = {
    "dark": style("night", "red", "ground", bold=True),
    "gold": ON_GOLD,
    "green": ON_GREEN,
}
_ROWS: Final = 3


class MomentBox(TextPanel):
    """Shows moments one after the other; nothing waits for it, and `end` takes it away at once."""

    DEFAULT_CSS: ClassVar[str] = f"""
    MomentBox {{ layer: moment; display: none; width: auto; height: {_ROWS}; }}
    """

    def __init__(self) -> None:
        """Begin hidden."""
        super().__init__(id="moment")
        self._frames: list[Frame] = []
        self._pace = 1.0
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is being shown."""
        return bool(self.display)

    def play(self, moments: Sequence[Moment], pace: float) -> None:
        """Show moments in place of what is shown now.

        Args:
            moments: In order; none leaves what is shown.
            pace: By which their times are multiplied.
        """
        if not moments or not pace:
            return
        self.end()
        self._frames, self._pace = [frame for moment in moments for frame in moment.frames], pace
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
        words = spelled(Text(f"   {frame.text}   "), is_ascii=self.app.has_class("-ascii")).plain
        blank = " " * len(words)
        self.show_lines([Text(row, _LOOKS[frame.look]) for row in (blank, words, blank)])
        room = self.screen.query_one("#map").size
        self.styles.width = len(words)
        self.styles.offset = max(0, (room.width - len(words)) // 2), max(0, (room.height - _ROWS) // 2)
        self.display = True
        self._timer = self.set_timer(frame.seconds * self._pace, self._next)
