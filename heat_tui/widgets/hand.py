"""The hand as a row of cards, each to be picked by its number or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.cards import HEAT, STRESS, CardName
from heat_tui.race.glyphs import Glyphs
from heat_tui.race.palette import card_colour
from heat_tui.widgets.panel import Hit, TextPanel

_BIG_DIGITS = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": (" █ ", " █ ", " ▀ "),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
}
_NARROW = 5
_WIDE = 9


class Cards(NamedTuple):
    """What the row shows.

    Attributes:
        hand: In hand order.
        picked: Places picked, in order of picking.
        usable: Places that could be picked.
        is_live: Whether cards are asked for; otherwise they are dimmed.
    """

    hand: Sequence[CardName]
    picked: Sequence[int]
    usable: frozenset[int]
    is_live: bool


class HandRow(TextPanel):
    """Cards side by side: small in a low panel, big where there is room."""

    _cards = Cards((), (), frozenset(), False)

    def show_hand(self, cards: Cards) -> None:
        """Draw the cards."""
        self._cards = cards
        self._draw_cards()

    def on_resize(self) -> None:
        """Draw them as large as there is room now."""
        self._draw_cards()

    def _draw_cards(self) -> None:
        hand, picked, usable, is_live = self._cards
        if not hand:
            self.show_lines([Text("no cards in hand", Style(dim=True))])
            return
        size = fitting_card(self.size, len(hand))
        width, height = size.width, size.height
        rows = [Text() for _ in range(height + 1)]
        hits: list[Hit] = []
        for place, card in enumerate(hand):
            is_picked = place in picked
            is_dim = not is_live or place not in usable
            style = Style(color=card_colour(card), bold=is_picked, dim=is_dim and not is_picked)
            drawn = draw_card(card, size, self.glyphs, is_picked=is_picked)
            for row, text in zip(rows, drawn, strict=False):
                row.append(text, style)
            label = f"{place + 1}" if place < 9 else " "
            mark = Style(bold=True, reverse=is_picked, dim=is_dim and not is_picked)
            rows[-1].append(" " * (width // 2))
            rows[-1].append(label, mark)
            rows[-1].append(" " * (width - width // 2 - 1))
            left = place * width
            hits += [Hit((row, left, left + width, f"card({place + 1})")) for row in range(height + 1)]
        self.show_lines(rows, hits)


def fitting_card(panel: Size, count: int) -> Size:
    """Give the size in cells of so many cards side by side in a panel: big where there is room for all."""
    if panel.height >= 6 and count * (_WIDE + 1) <= panel.width:
        return Size(_WIDE, 5)
    return Size(min(_NARROW, max(3, (panel.width or 80) // max(1, count))), 3)


def draw_card(card: CardName, size: Size, glyphs: Glyphs, *, is_picked: bool) -> list[str]:
    """Draw a card as lines of equal width.

    Args:
        size: From `fitting_card`.
        is_picked: With thick edges.
    """
    width, height = size
    is_big = height > 3
    top = glyphs.picked_top if is_picked else glyphs.card_top
    side = glyphs.picked_side if is_picked else glyphs.card_side
    bottom = glyphs.picked_bottom if is_picked else glyphs.card_bottom
    inner = width - 2
    face = _big_face(card, glyphs) if is_big and glyphs.shade == "▒" else None
    middle = (
        [line.center(inner) for line in face]
        if face
        else [line.center(inner) for line in _plain_face(card, inner, height - 2, glyphs)]
    )
    return [
        top[0] + top[1] * inner + top[2],
        *(side + line[:inner] + side for line in middle),
        bottom[0] + bottom[1] * inner + bottom[2],
    ]


def _big_face(card: CardName, glyphs: Glyphs) -> tuple[str, ...] | None:
    value = card.removeprefix("start-")
    if value not in _BIG_DIGITS:
        return None
    digit = _BIG_DIGITS[value]
    if not card.startswith("start-"):
        return digit
    return tuple(("+ " if row == 1 else "  ") + line for row, line in enumerate(digit))


def _plain_face(card: CardName, width: int, height: int, glyphs: Glyphs) -> list[str]:
    if card == HEAT:
        word = "HEAT" if width >= 6 else "H"
        faces = [glyphs.shade * width] * height
        faces[height // 2] = word.center(width, glyphs.shade)
        return faces
    if card == STRESS:
        word = "STRESS" if width >= 6 else "S"
        hint = "flip 1" if width >= 6 else ""
        faces = [""] * height
        faces[height // 2] = word
        if height > 2:
            faces[-1] = hint
        return faces
    faces = [""] * height
    faces[height // 2] = f"+{card.removeprefix('start-')}" if card.startswith("start-") else card
    return faces
