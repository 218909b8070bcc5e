"""The garage on the race screen: map, offer and explanations, who owns what, the own deck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from heat_tui.flow.garage import Garage, garage_of
from heat_tui.flow.screen_model import ScreenModel
from heat_tui.race.presenter import RaceLabels
from heat_tui.race.rows import Hit
from heat_tui.screens.base import HeatScreen
from heat_tui.theme.glyphs import spelled
from heat_tui.widgets.garage import (
    deck_lines,
    explained,
    offered_cards,
    offered_list,
    owner_lines,
    swap_rows,
)
from heat_tui.widgets.panel import TextPanel

_OTHER_ROWS: Final = 3
"""Of the screen: banner, forecast, keys."""
_LEAST_MAP_ROWS: Final = 14
"""Of a large screen; explanations of all cards leave so many."""
_SIDE_COLUMNS: Final = 45
_WIDE_SIDE_COLUMNS: Final = 50


_NOTE: Final = ("Spaces that a lone car gains in the race", "with one such card beside its Speed cards.")


class RaceGarage:
    """Shows the draft before a race.

    Where there is room the upgrades are cards below the map. On a small screen they are a list beside it.
    """

    def __init__(self, screen: HeatScreen[None], labels: RaceLabels) -> None:
        """Find the widgets of a screen."""
        self._screen = screen
        self._labels = labels
        self._offer = screen.query_one("#garage", TextPanel)
        self._side = screen.query_one("#garage-side", TextPanel)

    def show(self, shown: ScreenModel) -> None:
        """Bring the draft up to date; the map takes what room is left."""
        garage = garage_of(shown.view, self._labels, shown.draft, shown.looked_at)
        if self._screen.has_class("-big"):
            self._show_cards(garage)
        else:
            self._show_list(garage)

    def _show_cards(self, garage: Garage) -> None:
        width, rows, glyphs = self._width, self._rows, self._offer.glyphs
        lines, hits = offered_cards(garage, width, glyphs, is_painted=self._offer.has_pictures)
        all_explained = explained(garage, width, has_all=True)
        if len(lines) + len(all_explained) + _LEAST_MAP_ROWS <= rows:
            lines += all_explained
        else:
            lines += explained(garage, width, has_all=False)
        self._side.styles.width = side_width = (
            _WIDE_SIDE_COLUMNS if self._screen.has_class("-huge") else _SIDE_COLUMNS
        )
        swap, side_hits = swap_rows(garage, 1, side_width, glyphs)
        deck = deck_lines(garage.deck, side_width - 1)
        room = rows - len(lines) - 2 - len(swap) - len(deck)
        side = [Text(garage.title, "bold"), *swap]
        side += [*owner_lines(garage.owners, side_width - 1, room, glyphs), Text(), *deck]
        side += _if_there_is_room([*_NOTE, "", *garage.circuit], rows - len(lines) - len(side))
        self._put(lines, hits, side, side_hits, len(lines), garage.selected)

    def _show_list(self, garage: Garage) -> None:
        width, rows, glyphs = self._width, self._rows, self._offer.glyphs
        self._side.styles.width = _SIDE_COLUMNS
        side, side_hits = offered_list(garage, _SIDE_COLUMNS - 2, glyphs)
        swap, swap_hits = swap_rows(garage, len(side), _SIDE_COLUMNS - 2, glyphs)
        most = rows - len(side) - len(swap)
        lines = explained(garage, width, has_all=False)
        deck = deck_lines(garage.deck, width)
        lines += owner_lines(garage.owners, width, most - len(lines) - len(deck), glyphs)
        lines += deck
        side += [*swap, *_if_there_is_room(garage.circuit, rows - len(lines) - len(side) - len(swap))]
        self._put(lines, [], side, [*side_hits, *swap_hits], min(len(lines), most), garage.selected)

    def _put(
        self,
        lines: list[Text],
        hits: list[Hit],
        side: list[Text],
        side_hits: list[Hit],
        rows: int,
        selected: int,
    ) -> None:
        is_ascii, chosen = self._screen.app.has_class("-ascii"), f"press({selected})"
        self._offer.styles.height = rows
        self._offer.show_lines([spelled(line, is_ascii=is_ascii) for line in lines], hits, chosen)
        self._side.show_lines([spelled(line, is_ascii=is_ascii) for line in side], side_hits, chosen)

    @property
    def _width(self) -> int:
        return self._screen.size.width - 2

    @property
    def _rows(self) -> int:
        return self._screen.size.height - _OTHER_ROWS


def _if_there_is_room(texts: Sequence[str], rows: int) -> list[Text]:
    """Give a paragraph of its own if so many rows are left, else nothing."""
    return [Text(), *(Text(text, "dim") for text in texts)] if len(texts) < rows else []
