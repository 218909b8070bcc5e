"""The cards before the car that drives, in place of the hand while they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.style import Style
from rich.text import Text

from heat_tui.flow.turn_replay import Played
from heat_tui.theme.colours import GOLD
from heat_tui.widgets.cards import CardLook, draw_card, fitting_cards
from heat_tui.widgets.panel import TextPanel


class TableCards(TextPanel):
    """Cards side by side as in the hand, a line below them says whose they are."""

    def show_cards(self, cards: Sequence[Played], driver: str) -> None:
        """Draw the cards; those passed over are dim."""
        self.show_fitting(partial(self._draw_cards, [*cards], driver))

    def _draw_cards(self, cards: Sequence[Played], driver: str) -> None:
        sizes = fitting_cards(self.size, [played.card for played in cards])
        rows = [Text() for _ in range(sizes[0].height if sizes else 3)]
        for played, size in zip(cards, sizes, strict=True):
            look = CardLook(size, self.glyphs, self.has_pictures, is_usable=not played.is_passed_over)
            for row, text in zip(rows, draw_card(played.card, look), strict=True):
                row.append_text(text).append(" ")
        whose = Text("  ")
        whose.append(driver, Style(bold=True, color=GOLD))
        whose.append(" drives")
        self.show_lines([*rows, whose])
