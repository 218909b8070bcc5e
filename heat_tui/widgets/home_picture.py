"""What Home is drawn on: the logo and, where there is room and colour, a circuit far behind it.

A terminal has no pictures below widgets. So this widget draws all that is not covered by its children, the
panels, and knows from its first child where the logo goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import work
from textual.strip import Strip
from textual.widget import Widget

from heat_tui.map.palette import Cell, Look, coloured
from heat_tui.map.strips import to_strip
from heat_tui.picture import CellSamples, fit_cell, soften
from heat_tui.picture.canvas import WHOLE_CELL
from heat_tui.picture.fit import HALVES
from heat_tui.theme import paints
from heat_tui.theme.paints import Paint
from heat_tui.widgets.logo import ASCII_LOGO, SMALL_LOGO, logo

if TYPE_CHECKING:
    from heat_core.track_facts import TrackFacts
    from heat_tui.map.backdrop import FarCircuit

Samples = CellSamples[Paint]

_WEIGHTS: Final[dict[Paint, float]] = {
    "ground": 1.0,
    "far-land": 1.0,
    "far-road": 1.0,
    "far-edge": 1.5,
    "far-kerb": 2.0,
}
_LOGO_WEIGHT: Final = 4.0
"""Nothing behind it may break its lines."""
_EMPTY: Final[Samples] = {"ground": WHOLE_CELL}
_LOGO_INDENT: Final = 2
"""How far the lines of speed stand out to the left of the panels."""


class HomePicture(Widget):
    """Logo, slogan and circuit; its children lie over them."""

    DEFAULT_CSS = """
    HomePicture { width: 1fr; height: 1fr; }
    """

    def __init__(self, *children: Widget, id: str) -> None:
        """Begin without a circuit; `show` says what there is to draw."""
        super().__init__(*children, id=id)
        self._look = Look("mono")
        self._slogan = ""
        self._logo_rows = 0
        self._facts: TrackFacts | None = None
        self._circuit: FarCircuit | None = None
        self._written: dict[int, dict[int, Cell]] = {}
        self._logo: dict[int, dict[int, Samples]] = {}
        self._strips: dict[int, Strip] = {}

    def show(self, look: Look, slogan: str, logo_rows: int) -> None:
        """Draw logo and slogan above the first child.

        Args:
            look: How this terminal shows pictures.
            slogan: One line below the logo; may be empty.
            logo_rows: How high the logo is; 3 for one of text, 0 for none.
        """
        self._look, self._slogan, self._logo_rows = look, slogan, logo_rows
        self._lay()
        self.call_after_refresh(self._lay)  # the first child may move by what it shows now

    def show_circuit(self, facts: TrackFacts | None) -> None:
        """Show a circuit behind all as soon as it is drawn; None: none."""
        if facts != self._facts:
            self._facts = facts
            self._draw_circuit()

    def on_resize(self) -> None:
        """Draw all to the new size."""
        self._draw_circuit()

    @work(exclusive=True, group="refine")
    async def _draw_circuit(self) -> None:
        # Loaded here: Home comes up sooner for it.
        from heat_tui.map.backdrop import FarCircuit
        from heat_tui.map.refining import in_slices

        self._circuit = None
        self._lay()
        if self._facts is not None and self.size:
            circuit = FarCircuit(self._facts, *self.size)
            await in_slices(circuit.parts())
            self._circuit = circuit
            self._lay()

    def notify_style_update(self) -> None:
        """Take the theme's paints."""
        super().notify_style_update()
        self._lay()

    def _lay(self) -> None:
        """Find the cells of logo and slogan, and draw all rows again."""
        self._strips, self._written, self._logo = {}, {}, {}
        if self.children and self._logo_rows:
            panel = self.children[0].region.offset - self.region.offset
            below = panel.y - (1 if self._logo_rows == len(SMALL_LOGO) else 2)
            column = max(1, min(panel.x + _LOGO_INDENT, self.size.width - len(self._slogan) - 1))
            self._write(column, below, self._slogan, "soft")
            self._lay_logo(panel.x, below)
        self.refresh()

    def _lay_logo(self, left: int, below: int) -> None:
        rows = self._logo_rows
        if rows == len(SMALL_LOGO):
            text = SMALL_LOGO if self._look.mode != "ascii" else ASCII_LOGO
            inks: tuple[Paint, ...] = ("gold", "amber", "red")
            for number, (line, paint) in enumerate(zip(text, inks, strict=True)):
                self._write(left + _LOGO_INDENT, below - rows + number, line, paint)
            return
        picture = logo(rows)
        for row in range(rows):
            cells = {left - _LOGO_INDENT + at: cell for at, cell in enumerate(picture.cells(row)) if cell}
            self._logo[below - rows - 1 + row] = cells

    def _write(self, column: int, row: int, text: str, ink: Paint) -> None:
        back: Paint = "panel" if self._circuit is not None else "ground"
        style = paints.style(self._look.theme, ink, back)
        self._written.setdefault(row, {}).update(
            {column + place: Cell(letter, style) for place, letter in enumerate(text)}
        )

    def render_line(self, y: int) -> Strip:
        """Draw a row, or give it as it was drawn before."""
        strip = self._strips.get(y)
        if strip is None:
            strip = self._strips[y] = to_strip(list(self._cells(y)))
        return strip

    def _cells(self, y: int) -> Iterator[Cell]:
        written, letters = self._written.get(y, {}), self._logo.get(y, {})
        blank = Cell(" ", paints.style(self._look.theme, None, "ground"))
        for x in range(self.size.width):
            if (cell := written.get(x)) is not None:
                yield cell
            elif self._circuit is None and x not in letters:
                yield blank
            else:
                below = _EMPTY if self._circuit is None else self._circuit.samples(x, y)
                yield self._cell(letters.get(x, {}), below)

    def _cell(self, above: Samples, below: Samples) -> Cell:
        """Fit a block to what of a circuit is seen behind a part of the logo."""
        look = self._look
        covered = 0
        for bits in above.values():
            covered |= bits
        samples = {**above, **{paint: bits & ~covered for paint, bits in below.items() if bits & ~covered}}
        fit = fit_cell(samples, _weight, None if look.is_smooth else HALVES)
        if above or not look.is_smooth or look.mode != "truecolor":
            return Cell(fit.glyph, paints.style(look.theme, fit.fore, fit.back))
        return Cell(fit.glyph, coloured(*soften(fit, samples, partial(paints.rgb, look.theme))))


def _weight(paint: Paint) -> float:
    return _WEIGHTS.get(paint, _LOGO_WEIGHT)
