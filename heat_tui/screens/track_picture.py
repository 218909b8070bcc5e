"""A circuit's map and facts, beside forms and lists."""

from __future__ import annotations

import shlex

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


class TrackPicture(Widget):
    """A circuit's map and facts.

    Attributes:
        laps: That are to be raced; None: as many as printed.
        fault: ScreenModel instead of the circuit; None: all is well.
    """

    def __init__(self, facts: TrackFacts, *, id: str) -> None:
        """Show a first circuit."""
        super().__init__(id=id)
        self.facts = facts
        self.laps: int | None = None
        self.fault: Text | None = None
        self._heading = ""

    def show(self, facts: TrackFacts, laps: int | None, heading: str = "") -> None:
        """Show another one, or other laps of it.

        Args:
            heading: Stands before its name.
        """
        self.facts = facts
        self.laps = laps
        self._heading = heading
        self.fault = None
        self.refresh()

    def show_fault(self, track: FoundTrack) -> None:
        """Show why a file cannot be raced on, and how to see all its faults."""
        path = shown_path(track.path)
        self.fault = Text.assemble(
            (track.name, "bold"),
            f"\ncannot be raced on:\n{track.faults[0]}\n\n",
            f"All problems:\npython -m heat_core check-track {shlex.quote(path)}",
        )
        self.refresh()

    def render(self) -> Text:
        """Facts first, the picture in what is left."""
        if self.fault is not None:
            return self.fault
        facts = self.facts
        limits = " ".join(str(corner.limit) for corner in facts.corners)
        text = Text.assemble(
            (f"{self._heading}{facts.name}", "bold"),
            f"   {counted(self.laps or facts.laps, 'lap')} of {facts.spaces} spaces\n",
            f"corner limits {limits}\n",
            f"engine {facts.heat} Heat   deck {facts.stress} Stress\n",
        )
        text = inked(text, self.app.current_theme)
        columns, rows = self.content_size.width, self.content_size.height - 3
        if columns >= 12 and rows >= 4:
            assert isinstance(self.screen, HeatScreen)
            drawing = preview(facts, columns, min(rows, columns // 2), self.screen.navigator.map_look)
            if drawing.is_rough:
                self._refine(drawing)
            text.append_text(Text("\n").join(drawn_lines(drawing)))
        return text

    @work(exclusive=True, group="refine")
    async def _refine(self, drawing: TrackDrawing) -> None:
        """Show the smooth picture in place of half blocks once it is drawn."""
        await refine_in_slices(drawing)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw it to the new size."""
        self.refresh()
