"""The hand as a row of cards, each to be picked by its number or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.sentences.card_words import family_name
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import GREEN, card_colour
from heat_tui.theme.glyphs import Glyphs
from heat_tui.widgets.panel import TextPanel

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
_WORDY = 12
"""So much a small card gets that has words, where there is room: its family's name, mostly whole."""


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
        height = sizes[0].height
        rows = [Text() for _ in range(height + 1)]
        hits: list[Hit] = []
        for place, (card, size) in enumerate(zip(hand, sizes, strict=True)):
            is_picked = place in picked
            is_dim = not is_live or place not in usable
            style = Style(color=card_colour(card), bold=is_picked, dim=is_dim and not is_picked)
            left, width = len(rows[0].plain), size.width
            label = f"{place + 1}" if place < 9 else " "
            drawn = draw_card(card, size, self.glyphs, is_picked=is_picked)
            if worths:
                drawn[-1] = _numbered(drawn[-1], f"[{label}]" if place == cursor else label)
            for row, text in zip(rows, drawn, strict=False):
                row.append(text, style)
            hits += [Hit((row, left, left + width, f"card({place + 1})")) for row in range(height + 1)]
            if worths:
                worth = worths[place] if place < len(worths) else ""
                rows[-1].append(f"{worth:^{width}}", Style(color=GREEN, bold=is_picked))
                continue
            mark = Style(bold=True, reverse=is_picked, dim=is_dim and not is_picked)
            before, behind = ("[", "]") if place == cursor else (" ", "")
            rows[-1].append(f"{before:>{width // 2}}", Style(bold=True))
            rows[-1].append(label, mark)
            room = width - width // 2 - 1
            hint = behind + (" top" if held is not None and place >= held else "")
            rows[-1].append(f"{hint:<{room}}"[:room])
        self.show_lines(rows, hits)


def _numbered(edge: str, label: str) -> str:
    """Put the number of a card into the middle of its edge."""
    first = (len(edge) - len(label)) // 2
    return edge[:first] + label + edge[first + len(label) :]


def places_of(cards: Sequence[CardName], hand: Sequence[CardName]) -> list[int]:
    """Find cards in a hand that holds them: their places, of equal cards the first ones."""
    places: list[int] = []
    for card in cards:
        places.append(next(n for n, held in enumerate(hand) if held == card and n not in places))
    return places


def fitting_cards(panel: Size, cards: Sequence[CardName]) -> list[Size]:
    """Give the sizes in cells of cards side by side in a panel.

    All are big where there is room for that; else all are small, and what room is left goes to upgrades and
    Sponsorships, which have more to say.
    """
    count = len(cards)
    if panel.height >= 6 and count * (_WIDE + 1) <= panel.width:
        return [Size(_WIDE, 5)] * count
    width = min(_NARROW, max(3, (panel.width or 80) // max(1, count)))
    wordy = sum(has_words(card) for card in cards)
    more = min(_WORDY - width, max(0, (panel.width or 80) - count * width) // wordy) if wordy else 0
    return [Size(width + more if has_words(card) else width, 3) for card in cards]


def has_words(card: CardName) -> bool:
    """Tell whether a card is known by its family and symbols."""
    return CATALOGUE[card].kind in ("upgrade", "sponsorship") and not card.startswith("start-")


def draw_card(card: CardName, size: Size, glyphs: Glyphs, *, is_picked: bool) -> list[str]:
    """Draw a card as lines of equal width.

    Args:
        size: From `fitting_cards`.
        is_picked: With thick edges.
    """
    width, height = size
    is_big = height > 3
    top = glyphs.picked_top if is_picked else glyphs.card_top
    side = glyphs.picked_side if is_picked else glyphs.card_side
    bottom = glyphs.picked_bottom if is_picked else glyphs.card_bottom
    inner = width - 2
    above = below = ""
    if has_words(card):
        above = family_name(card).upper()[:inner]
        middle, below = _worded_face(card, inner, height - 2)
    else:
        face = _big_face(card, glyphs) if is_big and glyphs.shade == "▒" else None
        middle = list(face) if face else _plain_face(card, inner, height - 2, glyphs)
    return [
        top[0] + above.ljust(inner, top[1]) + top[2],
        *(side + line.center(inner)[:inner] + side for line in middle),
        bottom[0] + below.ljust(inner, bottom[1]) + bottom[2],
    ]


_CARD_WORDS: Final[dict[SymbolKind, str]] = {
    "flip": "flip{}",
    "cooldown": "cool{}",
    "reduce_stress": "calm{}",
    "heat": "pay{}",
    "scrap": "scrap{}",
    "salvage": "salv{}",
    "super_cool": "super{}",
    "direct": "direct",
    "accelerate": "accel{}",
    "draft": "draft{}",
    "slipstream": "slip{}",
    "adjust": "lim{:+}",
    "refresh": "refresh",
}
"""Symbols in at most seven cells; the page of cards and the list of phase 5 have them in full."""


def _worded_face(card: CardName, width: int, height: int) -> tuple[list[str], str]:
    """Write the speed and as many symbols as there is room for; the last line is the lower edge."""
    facts = CATALOGUE[card]
    speeds = [str(speed) for speed in facts.speeds]
    words = [_CARD_WORDS[kind].format(number) for kind, number in facts.symbols]
    lines = ["/".join(speeds)]
    if len(lines[0]) > width:
        lines[0] = f"{speeds[0]}-{speeds[-1]}"
    if words and len(lines[0]) + 1 + len(words[0]) <= width:
        lines[0] += f" {words.pop(0)}"
    lines += words[: height + 1 - len(lines)]
    if len(words) > height:
        # What finds no room is on the page of cards; a mark says that there is more.
        lines[-1] = f"{lines[-1][: width - 1]}&"
    lines += [""] * (height + 1 - len(lines))
    return lines[:height], lines[height][:width]


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
