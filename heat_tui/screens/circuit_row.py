"""The circuits of a championship side by side, each with a line above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual import work
from textual.widget import Widget

from heat_core.track_facts import TrackFacts
from heat_tui.map.drawing import TrackDrawing
from heat_tui.map.preview import drawn_lines, preview
from heat_tui.map.refining import refine_in_slices
from heat_tui.screens.base import HeatScreen
from heat_tui.screens.rows import is_ascii
from heat_tui.theme.colours import inked
from heat_tui.words.labels import cut

_LEAST_ROWS: Final = 10
_LEAST_COLUMNS: Final = 24
_GAP: Final = 2


class CircuitRow(Widget):
    """Circuits in what room is left; nothing where that is too little for a map."""

    DEFAULT_CSS = """
    CircuitRow { width: 1fr; height: 1fr; }
    """

    _circuits: Sequence[tuple[TrackFacts, str]] = ()

    def show(self, circuits: Sequence[tuple[TrackFacts, str]]) -> None:
        """Show other circuits, each with what stands above it."""
        self._circuits = circuits
        self.refresh()

    def render(self) -> Text:
        """Draw them."""
        columns = self.content_size.width // max(1, len(self._circuits))
        rows = min(self.content_size.height - 1, columns // 2)
        if not self._circuits or columns < _LEAST_COLUMNS or rows < _LEAST_ROWS:
            return Text()
        assert isinstance(self.screen, HeatScreen)
        look, wide = self.screen.navigator.map_look, columns - _GAP
        drawings = [preview(facts, wide, rows, look) for facts, _ in self._circuits]
        if any(drawing.is_rough for drawing in drawings):
            self._refine(drawings)
        headings = [Text(f"{cut(told, wide, is_ascii=is_ascii(self))}") for _, told in self._circuits]
        text = Text(no_wrap=True)
        for parts in (headings, *zip(*map(drawn_lines, drawings), strict=True)):
            for part in parts:
                text.append_text(part)
                text.append(" " * (columns - part.cell_len))
            text.append("\n")
        return inked(text, self.app.current_theme)

    @work(exclusive=True, group="refine")
    async def _refine(self, drawings: Sequence[TrackDrawing]) -> None:
        """Show the smooth pictures in place of half blocks once they are drawn."""
        for drawing in drawings:
            await refine_in_slices(drawing)
        self.refresh()

    def on_resize(self) -> None:
        """Draw them to the new size."""
        self.refresh()
