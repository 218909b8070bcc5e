"""The hand as a row of cards, each to be picked by its number or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.cards import CardName
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import GREEN, ON_GOLD
from heat_tui.widgets.cards import BIG_HEIGHT, BIG_WIDTH, draw_card, fitting_cards
from heat_tui.widgets.panel import TextPanel

_LIFTED: Final = 1
"""Rows by which picked cards stand higher, where there is room for that."""


class Cards(NamedTuple):
    """What the row shows.

    Attributes:
        hand: In hand order.
        picked: Places picked, in order of picking.
        usable: Places that could be picked.
        is_live: Whether cards are asked for; otherwise they are dimmed.
        held: How many of them are in the hand; those behind were played and may be refreshed. None: all.
        cursor: Place of the card that arrows have come to, None for none.
        worths: What each card is worth by the advice: below it, its number then is on its lower edge.
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
        hand, picked, usable, is_live, held, cursor, worths = self._cards
        if not hand:
            self.show_lines([Text("no cards in hand", Style(dim=True))])
            return
        sizes = fitting_cards(self.size, hand)
        lift = _LIFTED if sizes[0].height == BIG_HEIGHT else 0
        rows = [Text() for _ in range(sizes[0].height + lift + 1)]
        hits: list[Hit] = []
        for place, (card, size) in enumerate(zip(hand, sizes, strict=True)):
            is_picked = place in picked
            is_usable = is_live and place in usable
            left, width = rows[0].cell_len, size.width
            label = f"{place + 1}" if place < 9 else " "
            drawn = draw_card(card, size, self.glyphs, is_picked=is_picked, is_usable=is_usable)
            if worths:
                drawn[-1] = _numbered(drawn[-1], f"[{label}]" if place == cursor else label)
            above, below = (0, lift) if is_picked else (lift, 0)
            blank = Text(" " * width)
            for row, text in zip(rows, [*[blank] * above, *drawn, *[blank] * below], strict=False):
                row.append_text(text)
            hits += [Hit((row, left, left + width, f"card({place + 1})")) for row in range(len(rows))]
            if worths:
                worth = worths[place] if place < len(worths) else ""
                rows[-1].append(f"{worth:^{width}}", Style(color=GREEN, bold=is_picked))
            else:
                is_held = held is None or place < held
                self._add_label(rows[-1], label, width, place == cursor, is_picked, is_usable, is_held)
            if lift and place + 1 < len(hand) and self.size.width >= len(hand) * (BIG_WIDTH + 1):
                for row in rows:
                    row.append(" ")
        self.show_lines(rows, hits)

    def _add_label(
        self,
        row: Text,
        label: str,
        width: int,
        has_cursor: bool,
        is_picked: bool,
        is_usable: bool,
        is_held: bool,
    ) -> None:
        """Write the number of a card below it."""
        before, behind = ("[", "]") if has_cursor else (" ", "")
        row.append(f"{before:>{width // 2}}", Style(bold=True))
        row.append(label, ON_GOLD if is_picked else Style(bold=True, dim=not is_usable))
        room = width - width // 2 - 1
        row.append(f"{behind}{'' if is_held else ' top'}".ljust(room)[:room])


def _numbered(edge: Text, label: str) -> Text:
    """Put the number of a card into the middle of its edge."""
    first = (edge.cell_len - len(label)) // 2
    return Text(edge.plain[:first] + label + edge.plain[first + len(label) :], edge.style)


def places_of(cards: Sequence[CardName], hand: Sequence[CardName]) -> list[int]:
    """Find cards in a hand that holds them: their places, of equal cards the first ones."""
    places: list[int] = []
    for card in cards:
        places.append(next(n for n, held in enumerate(hand) if held == card and n not in places))
    return places
