"""A circuit's map and facts, beside forms and lists."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from rich.text import Text
from textual import events, work
from textual.widget import Widget

from heat_core.files import FoundTrack, shown_path
from heat_core.text import counted
from heat_core.track_facts import TrackFacts
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.preview import drawn_lines, preview
from heat_tui.map.refining import refine_in_slices
from heat_tui.screens.base import HeatScreen
from heat_tui.theme.colours import inked

_LEAST_COLUMNS = 12
_LEAST_ROWS = 4


class TrackPicture(Widget):
    """A circuit's map and facts; with the class `beside` only where there is room for it beside a list.

    Attributes:
        facts: Of the circuit; None: there is none to show.
        laps: That are to be raced; None: as many as printed.
    """

    def __init__(self, facts: TrackFacts | None = None, *, id: str, classes: str | None = None) -> None:
        """Show a first circuit."""
        super().__init__(id=id, classes=classes)
        self.facts = facts
        self.laps: int | None = None
        self._heading = ""
        self._notes = Text()

    def show(
        self, facts: TrackFacts | None, laps: int | None, heading: str = "", notes: Iterable[str | Text] = ()
    ) -> None:
        """Show another one, or other laps of it.

        Args:
            heading: Stands before its name.
            notes: What else there is to know, a line each; they stand above the map.
        """
        self.facts = facts
        self.laps = laps
        self._heading = heading
        self._notes = Text("\n").join(Text(note) if isinstance(note, str) else note for note in notes)
        self.set_class(facts is None and not self._notes, "-empty")
        self.refresh()

    def show_fault(self, track: FoundTrack) -> None:
        """Show why a file cannot be raced on, and how to see all its faults."""
        fault = f"cannot be raced on:\n{track.faults[0]}\n\nAll problems:\n"
        fault += f"python -m heat_core check-track {shlex.quote(shown_path(track.path))}"
        self.show(None, None, notes=(Text(track.name, "bold"), fault))

    def render(self) -> Text:
        """Facts first, then the notes, the picture in what is left."""
        told = inked(self._told(), self.app.current_theme)
        if self.facts is None:
            return told
        columns = self.content_size.width
        rows = self.content_size.height - len(told.wrap(self.app.console, max(1, columns)))
        if columns >= _LEAST_COLUMNS and rows >= _LEAST_ROWS:
            assert isinstance(self.screen, HeatScreen)
            drawing = preview(self.facts, columns, min(rows, columns // 2), self.screen.navigator.map_look)
            if drawing.is_rough:
                self._refine(drawing)
            told.append("\n").append_text(Text("\n").join(drawn_lines(drawing)))
        return told

    def _told(self) -> Text:
        facts = self.facts
        if facts is None:
            return self._notes.copy()
        limits = " ".join(str(corner.limit) for corner in facts.corners)
        told = Text.assemble(
            (f"{self._heading}{facts.name}", "bold"),
            f"   {counted(self.laps or facts.laps, 'lap')} of {facts.spaces} spaces\n",
            f"corner limits {limits}\n",
            f"engine {facts.heat} Heat   deck {facts.stress} Stress",
        )
        return told.append("\n\n").append_text(self._notes).append("\n") if self._notes else told

    @work(exclusive=True, group="refine")
    async def _refine(self, drawing: TrackDrawing) -> None:
        """Show the smooth picture in place of half blocks once it is drawn."""
        await refine_in_slices(drawing)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw it to the new size."""
        self.refresh()
