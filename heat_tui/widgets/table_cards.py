"""The cards before the car that drives, in place of the hand while they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.style import Style
from rich.text import Text

from heat_tui.flow.turn_replay import Played, TurnReplay
from heat_tui.race.presenter import LegendEntry
from heat_tui.theme.colours import GOLD
from heat_tui.theme.paints import style
from heat_tui.widgets.cards import BIG_CARD, CardLook, draw_card, fitting_cards
from heat_tui.widgets.panel import TextPanel

_LEGEND_CARD_COLUMNS: Final = 21
_SMALL_ROWS: Final = 3


class TableCards(TextPanel):
    """Cards side by side as in the hand, a line below them says whose they are."""

    def show_turn(self, turn: TurnReplay, driver: str) -> None:
        """Draw the cards that a driver has played, those passed over dim; for a Legend the Legend card.

        Args:
            driver: Name of who drives.
        """
        if turn.legend is None:
            self.show_fitting(partial(self._draw_cards, [*turn.cards], driver))
        else:
            self.show_fitting(partial(self._draw_legend_card, turn.legend, driver))

    def _draw_cards(self, cards: Sequence[Played], driver: str) -> None:
        sizes = fitting_cards(self.size, [played.card for played in cards])
        rows = [Text() for _ in range(sizes[0].height if sizes else _SMALL_ROWS)]
        for played, size in zip(cards, sizes, strict=True):
            look = CardLook(size, self.glyphs, self.has_pictures, is_usable=not played.is_passed_over)
            for row, text in zip(rows, draw_card(played.card, look), strict=True):
                row.append_text(text).append(" ")
        self._show_rows(rows, driver)

    def _draw_legend_card(self, entry: LegendEntry, driver: str) -> None:
        """Draw what the Legend card says to this Legend; its title only where there is room."""
        said = [f"diamond   {entry.diamond:>5}", f"top speed {entry.top_speed:>5}"]
        if self.size.height > BIG_CARD.height:
            said = ["LEGEND CARD", "", *said]
        lines = [line.center(_LEGEND_CARD_COLUMNS) for line in said]
        if self.has_pictures:
            rows = [Text(line, style("night", "card-ink", "card")) for line in lines]
        else:
            side = self.glyphs.card_side
            rows = [Text(f"{side}{line}{side}") for line in lines]
        self._show_rows([Text("  ") + row for row in rows], driver)

    def _show_rows(self, rows: Sequence[Text], driver: str) -> None:
        whose = Text("  ")
        whose.append(driver, Style(bold=True, color=GOLD))
        whose.append(" drives")
        self.show_lines([*rows, whose])
