"""The hand as a row of cards, each to be picked by its number or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.cards import CardName
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import GREEN, ON_GOLD
from heat_tui.widgets.cards import BIG_CARD, CardLook, card_paper, draw_card, fitting_cards
from heat_tui.widgets.panel import TextPanel

_LIFTED: Final = 1
"""Rows by which picked cards stand higher, where there is room for that."""
_NUMBER_AND_WORTH_CELLS: Final = 8
"""From this width of a card on there is room for both below it; else the number is on its lower edge."""


class Cards(NamedTuple):
    """What the row shows.

    Attributes:
        hand: In hand order.
        picked: Places picked, in order of picking.
        usable: Places that could be picked.
        is_live: Whether cards are asked for; otherwise they are dimmed.
        held: How many of them are in the hand; those behind were played and may be refreshed. None: all.
        cursor: Place of the card that arrows have come to, None for none.
        worths: What each card is worth by the advice: below it, behind its number if both fit.
    """

    hand: Sequence[CardName]
    picked: Sequence[int]
    usable: frozenset[int]
    is_live: bool
    held: int | None = None
    cursor: int | None = None
    worths: Sequence[str] = ()


class HandRow(TextPanel):
    """Cards side by side: small in a low panel, big where there is room."""

    _cards = Cards((), (), frozenset(), False)

    def show_hand(self, cards: Cards) -> None:
        """Draw the cards."""
        self._cards = cards
        self.show_fitting(self._draw_cards)

    def _draw_cards(self) -> None:
        cards = self._cards
        if not cards.hand:
            self.show_lines([Text("no cards in hand", Style(dim=True))])
            return
        sizes = fitting_cards(self.size, cards.hand)
        lift = _LIFTED if sizes[0].height >= BIG_CARD.height else 0
        taken = sum(size.width for size in sizes)
        gap = Text(" " if taken + len(sizes) - 1 <= self.size.width else "")
        rows = [Text() for _ in range(sizes[0].height + lift + 1)]
        hits: list[Hit] = []
        for place, size in enumerate(sizes):
            is_picked = place in cards.picked
            left, right = rows[0].cell_len, rows[0].cell_len + size.width
            above, below = (0, lift) if is_picked else (lift, 0)
            blank = Text(" " * size.width)
            drawn = [*[blank] * above, *self._drawn(place, size), *[blank] * below, self._label(place, size)]
            for row, text in zip(rows, drawn, strict=True):
                row.append_text(text).append_text(gap)
            if cards.is_live:  # elsewhere the number of a card means something else
                hits += [Hit((row, left, right, f"card({place + 1})")) for row in range(len(rows))]
        self.show_lines(rows, hits, self._chosen_card())

    def _chosen_card(self) -> str:
        """Name the card that arrows have come to, else the one picked last, else the first that can be."""
        cards = self._cards
        if not cards.is_live or not cards.usable:
            return ""
        places = [*sorted(cards.usable)[:1], *cards.picked]
        place = cards.cursor if cards.cursor is not None else places[-1]
        return f"card({place + 1})"

    def _drawn(self, place: int, size: Size) -> list[Text]:
        """Draw a card; where its worth alone has room below it, its number is on its lower edge."""
        cards = self._cards
        is_picked, is_usable = place in cards.picked, cards.is_live and place in cards.usable
        look = CardLook(size, self.glyphs, self.has_pictures, is_picked, is_usable)
        drawn = [*draw_card(cards.hand[place], look)]
        if cards.worths and size.width < _NUMBER_AND_WORTH_CELLS:
            paper = card_paper(cards.hand[place], is_usable=is_usable or is_picked)
            number = Text(self._number(place).strip(), ON_GOLD if is_picked else paper)
            edge, first = drawn[-1], (size.width - number.cell_len) // 2
            drawn[-1] = edge[:first] + number + edge[first + number.cell_len :]
        return drawn

    def _label(self, place: int, size: Size) -> Text:
        """Write the number of a card and its worth below it; on a narrow card the worth alone."""
        cards = self._cards
        is_picked = place in cards.picked
        worth = cards.worths[place] if place < len(cards.worths) else ""
        worth_style = Style(color=GREEN, bold=is_picked)
        if cards.worths and size.width < _NUMBER_AND_WORTH_CELLS:
            return Text(f"{worth:^{size.width}}", worth_style)
        is_usable = cards.is_live and place in cards.usable
        number = Text.assemble(
            (self._number(place), ON_GOLD if is_picked else Style(bold=True, dim=not is_usable)),
            "top" if cards.held is not None and place >= cards.held else "",
            (worth and f" {worth}", worth_style),
        )
        label = Text(" " * ((size.width - number.cell_len) // 2)) + number
        label.truncate(size.width, pad=True)
        return label

    def _number(self, place: int) -> str:
        """Give the key of a card, in brackets where arrows have come to it; only nine cards have one."""
        number = f"{place + 1}" if place < 9 else " "
        return f"[{number}]" if place == self._cards.cursor else f" {number} "


def places_of(cards: Sequence[CardName], hand: Sequence[CardName]) -> list[int]:
    """Find cards in a hand that holds them: their places, of equal cards the first ones."""
    places: list[int] = []
    for card in cards:
        places.append(next(n for n, held in enumerate(hand) if held == card and n not in places))
    return places
