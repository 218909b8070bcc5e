"""The start lights of a room: one for each driver, lit once that one is ready."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text

from heat_core.text import listed
from heat_tui.flow.room_rows import Readiness
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, lines
from heat_tui.theme.colours import AMBER, BOLD
from heat_tui.theme.paints import Paint, style, theme_named
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut

_COLUMNS: Final = 5
"""Of a light."""
_ROWS: Final = 3
_RADIUS: Final = 17.0
_LEAST_SCREEN_ROWS: Final = 38
"""From which on there is room for them."""


class StartLights(TextPanel):
    """The lights, and in words who is not ready yet."""

    DEFAULT_CSS: ClassVar[str] = f"""
    StartLights {{ height: {_ROWS}; margin: 1 0 0 0; }}
    """

    def show_readiness(self, readiness: Readiness) -> None:
        """Show who is ready; nothing where there is little room."""
        self.display = self.screen.size.height >= _LEAST_SCREEN_ROWS
        drawn = self._pictured(readiness) if self.has_pictures else self._in_signs(readiness)
        told = [Text(f"  {readiness.words}", BOLD), Text()]
        if readiness.waiting:
            told[1] = Text.assemble((f"  waiting for {listed(readiness.waiting, 'and')}", Style(color=AMBER)))
        room = max(1, self.content_size.width - drawn[0].cell_len)
        rows = [*drawn]
        for row, words in enumerate(told):
            rows[row] = Text.assemble(drawn[row], cut(words, room, is_ascii=not self.has_pictures))
        self.show_lines(rows)

    def _pictured(self, readiness: Readiness) -> list[Text]:
        canvas: Canvas[Paint] = Canvas(max(1, _COLUMNS * len(readiness.lights)), _ROWS)
        for number, is_lit in enumerate(readiness.lights):
            middle = (number + 0.5) * _COLUMNS * SAMPLES_ACROSS, _ROWS * SAMPLES_DOWN / 2
            canvas.disc(*middle, _RADIUS, "red-glow" if is_lit else "heat-dark")
        canvas.fill("chequer-black")
        return lines(canvas, partial(style, theme_named(self.app.current_theme.name)))

    def _in_signs(self, readiness: Readiness) -> list[Text]:
        signs = (self.glyphs.step, self.glyphs.step_done)
        return [Text(" ".join(signs[is_lit] for is_lit in readiness.lights)), Text()]
