"""What the chosen colours look like: cars, cards, a piece of road, and all that colours mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from heat_core.race.setup import COLOURS
from heat_tui.screens.rows import LABEL_CELLS, is_ascii
from heat_tui.theme.colours import (
    AMBER,
    CAR_STYLES,
    CYAN,
    GOLD,
    GREEN,
    ON_AMBER,
    ON_GREEN,
    ON_RED,
    PLATE,
    RED,
    SOFT,
    VIOLET,
    inked,
)
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.marked_list import MARK_CELLS

_paint = partial(style, "night")

_CARDS: Final[tuple[tuple[str, Paint, Paint], ...]] = (
    ("1", "card-ink", "card"),
    ("4", "card-ink", "card"),
    ("Upgrade", "upgrade-ink", "upgrade"),
    ("Stress", "stress-ink", "stress"),
    ("Heat", "heat-ink", "heat-dark"),
    ("Sponsorship", "sponsorship-ink", "sponsorship"),
)
_ROAD: Final[tuple[tuple[Paint, str], ...]] = (
    ("grass-even", "  "),
    ("grass-odd", "  "),
    ("edge", " "),
    ("asphalt-1-even", "   "),
    ("asphalt-1-odd", "   "),
    ("asphalt-2-even", "   "),
    ("asphalt-2-odd", "   "),
    ("corner-line", " "),
    ("asphalt-3-even", "   "),
    ("asphalt-3-odd", "   "),
    ("kerb-white", " "),
    ("kerb-red", " "),
    ("kerb-white", " "),
    ("gravel", "  "),
    ("flooded-even", "  "),
)
_MEANINGS: Final = (
    ("you, keys", GOLD),
    ("Heat", RED),
    ("costs Heat", AMBER),
    ("free", GREEN),
    ("Stress", VIOLET),
    ("slipstream, cooling", CYAN),
)


class ThemeSample(Widget, can_focus=False):
    """Lines in the colours of the theme that is on; they change with it."""

    DEFAULT_CSS = """
    ThemeSample { height: auto; width: 1fr; margin: 1 0 0 0; }
    """

    def render(self) -> Text:
        """Draw the lines."""
        lines = Text("\n").join(sample_lines(is_ascii=is_ascii(self)))
        return inked(lines, self.app.current_theme)


def sample_lines(*, is_ascii: bool) -> Sequence[Text]:
    """Give the lines of the sample, in the paints of the night theme."""
    cars = Text.assemble(*((f" {car[0].upper()} ", CAR_STYLES[car]) for car in COLOURS))
    cards, road = Text(), Text()
    for text, ink, paper in _CARDS:
        cards.append(f" {text} ", _paint(ink, paper, bold=True)).append(" ")
    for paint, cells in _ROAD:
        road.append(cells, _paint(None, paint))
    road.append(" 3 ", PLATE)
    free, costs, spins = ("FREE", "2 HEAT", "SPIN-OUT") if is_ascii else ("✓ FREE", "▲ 2 HEAT", "✗ SPIN-OUT")
    chips = Text.assemble((f" {free} ", ON_GREEN), " ", (f" {costs} ", ON_AMBER), " ", (f" {spins} ", ON_RED))
    meanings = Text("  ").join(Text(text, Style(color=colour, bold=True)) for text, colour in _MEANINGS)
    weights = Text.assemble("text, ", ("text of less weight", Style(color=SOFT)))
    named = {"Cars": cars, "Cards": cards, "Road": road, "Forecasts": chips, "Words": meanings, "": weights}
    return [Text(f" {name:<{LABEL_CELLS - MARK_CELLS}}").append_text(line) for name, line in named.items()]
