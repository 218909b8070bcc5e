"""The test line of the setting for the map: a disc that shows whether this terminal's blocks fit together."""

from __future__ import annotations

from functools import partial
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from heat_tui.map.marks import MapStyle
from heat_tui.picture import SAMPLES_ACROSS, SAMPLES_DOWN, Canvas, lines
from heat_tui.picture.fit import HALVES
from heat_tui.screens.rows import LABEL_CELLS, is_ascii
from heat_tui.theme import paints
from heat_tui.theme.colours import inked
from heat_tui.theme.paints import Paint

_COLUMNS: Final = 4
_ROWS: Final = 2
_QUESTION: Final = ("  One round disc without seams? If not,", "  choose another way to draw the map.")
_ASCII_DISC: Final = (" /''\\ ", " \\__/ ")


class MapSample(Widget, can_focus=False):
    """A disc drawn as the map would be."""

    DEFAULT_CSS = "MapSample { height: 2; width: 1fr; }"

    style_of_map: reactive[MapStyle] = reactive[MapStyle]("smooth")

    def __init__(self, style: MapStyle) -> None:
        """Begin with a style."""
        super().__init__()
        self.set_reactive(MapSample.style_of_map, style)

    def render(self) -> Text:
        """Draw the disc beside the question."""
        if self.style_of_map == "ascii" or is_ascii(self):
            disc = [Text(line) for line in _ASCII_DISC]
        else:
            disc = _disc(self.style_of_map)
        indent = " " * LABEL_CELLS
        rows = [Text.assemble(indent, line, text) for line, text in zip(disc, _QUESTION, strict=True)]
        return inked(Text("\n").join(rows), self.app.current_theme)


def _disc(style: MapStyle) -> list[Text]:
    canvas: Canvas[Paint] = Canvas(_COLUMNS + 2, _ROWS)
    middle = canvas.columns * SAMPLES_ACROSS / 2, canvas.rows * SAMPLES_DOWN / 2
    canvas.disc(*middle, _ROWS * SAMPLES_DOWN / 2, "soft")
    canvas.fill("ground")
    painted: partial[Style] = partial(paints.style, "night")
    return lines(canvas, painted, shapes=HALVES if style == "half" else None)
