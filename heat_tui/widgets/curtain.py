"""In the place of the hand while none is open: whom the keyboard goes to, or what lies on the table."""

from __future__ import annotations

from functools import partial
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from heat_core.sentences.card_words import card_name
from heat_core.sentences.events import gear_name
from heat_core.view.race_view import CarView, RaceView
from heat_tui.race.presenter import RaceLabels
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import BOLD, CAR_STYLES, DIM
from heat_tui.widgets.cards import card_paper
from heat_tui.widgets.panel import TextPanel

_ROOMY: Final = 7
"""From this height on there is room for the table."""


class Curtain(TextPanel):
    """Covers the hands while a keyboard changes hands, and for those who watch."""

    def show_call(self, name: str) -> None:
        """Say whom the keyboard goes to; a click does the same as Enter."""
        line = Text(f"  Pass the keyboard to {name}, then press Enter.", BOLD)
        self.show_fitting(
            partial(self.show_lines, [Text(""), line], [Hit((1, 0, 200, "confirm"))], "confirm")
        )

    def show_table(self, why: str, view: RaceView, labels: RaceLabels) -> None:
        """Say why no hand is open; where there is room, show what each driver has on the table."""
        self.show_fitting(partial(self._draw_table, why, view, labels))

    def _draw_table(self, why: str, view: RaceView, labels: RaceLabels) -> None:
        lines = [Text(""), Text(f"  {why}", DIM)]
        drivers = [view.cars[number] for number in view.ranking if not view.cars[number].is_legend]
        if self.size.height >= _ROOMY and view.status != "set_up":
            width = max((cell_len(labels.names[car.number]) for car in drivers), default=0)
            lines = [lines[1], *(_line(car, labels, width) for car in drivers)]
        self.show_lines(lines)


def _line(car: CarView, labels: RaceLabels, width: int) -> Text:
    name = labels.names[car.number]
    line = Text("  ").append(labels.letters[car.number], CAR_STYLES[labels.setup.cars[car.number].colour])
    line.append(f" {name}{' ' * (width - cell_len(name))}  {gear_name(car.gear)} gear  ")
    for card in car.played:
        line.append(f" {card_name(card)} ", card_paper(card)).append(" ")
    if not car.played:
        line.append(f"{car.hand_size} in hand", Style(dim=True))
    return line
