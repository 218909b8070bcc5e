"""How big cards are drawn, and how each looks: as a picture, or in outlines where there are no colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.sentences.card_words import family_name, speeds_text, symbol_words
from heat_tui.theme.colours import ON_GOLD
from heat_tui.theme.glyphs import Glyphs
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.card_figures import FIGURE_ROWS, figure

_PAPERS: Final[dict[str, tuple[Paint, Paint]]] = {
    "speed": ("card-ink", "card"),
    "upgrade": ("upgrade-ink", "upgrade"),
    "sponsorship": ("sponsorship-ink", "sponsorship"),
    "stress": ("stress-ink", "stress"),
    "heat": ("heat-ink", "heat"),
}
_CAPTIONS: Final[dict[str, str]] = {
    "speed": " speed ",
    "upgrade": " START ",
    "sponsorship": "",
    "stress": " flip 1 ",
    "heat": " HEAT ",
}
_NARROW = 5
BIG_WIDTH = 10
BIG_HEIGHT = 6
_WORDY = 12
"""So much a small card gets that has words, where there is room: its family's name, mostly whole."""
LARGE: Final = Size(12, 9)
"""From here on a card with words has its speed as a figure."""


def fitting_cards(panel: Size, cards: Sequence[CardName]) -> list[Size]:
    """Give the sizes in cells of cards side by side in a panel.

    All are big where there is room for that; else all are small, and what room is left goes to upgrades and
    Sponsorships, which have more to say.
    """
    count = len(cards)
    if panel.height > BIG_HEIGHT and count * BIG_WIDTH <= panel.width:
        return [Size(BIG_WIDTH, BIG_HEIGHT)] * count
    width = min(_NARROW, max(3, (panel.width or 80) // max(1, count)))
    wordy = sum(has_words(card) for card in cards)
    more = min(_WORDY - width, max(0, (panel.width or 80) - count * width) // wordy) if wordy else 0
    return [Size(width + more if has_words(card) else width, 3) for card in cards]


def has_words(card: CardName) -> bool:
    """Tell whether a card is known by its family and symbols."""
    return CATALOGUE[card].kind in ("upgrade", "sponsorship") and not card.startswith("start-")


def card_paper(card: CardName, *, is_usable: bool = True) -> Style:
    """Give ink and paper of a card; of a Speed card that cannot be used the paper is darker."""
    ink, paper = _PAPERS[CATALOGUE[card].kind]
    if paper == "card" and not is_usable:
        paper = "card-shade"
    return style("night", ink, paper)


def draw_card(
    card: CardName, size: Size, glyphs: Glyphs, *, is_picked: bool, is_usable: bool = True
) -> list[Text]:
    """Draw a card as lines of equal width.

    Args:
        card: What is drawn.
        size: From `fitting_cards`.
        glyphs: The signs that the terminal can show.
        is_picked: With thick edges in gold.
        is_usable: Whether it could be picked, or lies on the table.
    """
    width, height = size
    top = glyphs.picked_top if is_picked else glyphs.card_top
    side = glyphs.picked_side if is_picked else glyphs.card_side
    bottom = glyphs.picked_bottom if is_picked else glyphs.card_bottom
    inner = width - 2
    above = below = ""
    if has_words(card):
        above = family_name(card).upper()[:inner]
        is_large = width >= LARGE.width and height >= LARGE.height
        if is_large:
            middle, below = _large_face(card, inner, height - 2, glyphs)
        else:
            middle, below = _worded_face(card, inner, height - 2)
    elif height >= BIG_HEIGHT and glyphs.shade == "▒":
        spare = height - 2 - FIGURE_ROWS
        middle = [*[""] * (spare // 2), *figure(card), *[""] * (spare - spare // 2)]
        below = _CAPTIONS[CATALOGUE[card].kind]
    else:
        middle = _plain_face(card, inner, height - 2, glyphs)
    paper = card_paper(card, is_usable=is_usable or is_picked)
    edge = ON_GOLD if is_picked else paper
    lines = [Text(top[0] + above.ljust(inner, top[1]) + top[2], edge)]
    for face in middle:
        lines.append(Text.assemble((side, edge), (face.center(inner)[:inner], paper), (side, edge)))
    caption = below.ljust(inner, bottom[1]) if has_words(card) else below.center(inner, bottom[1])
    lines.append(Text(bottom[0] + caption + bottom[2], edge))
    return lines


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


def _short_words(card: CardName) -> list[str]:
    return [_CARD_WORDS[kind].format(number) for kind, number in CATALOGUE[card].symbols]


def _worded_face(card: CardName, width: int, height: int) -> tuple[list[str], str]:
    """Write the speed and as many symbols as there is room for; the last line is the lower edge."""
    facts = CATALOGUE[card]
    speeds = [str(speed) for speed in facts.speeds]
    words = _short_words(card)
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


_OR: Final = " or "
"""Between the figures of two speeds, of which the driver chooses one."""


def _large_face(card: CardName, width: int, height: int, glyphs: Glyphs) -> tuple[list[str], str]:
    """Draw the speed above the symbols; the last line is the lower edge."""
    speeds = [str(speed) for speed in CATALOGUE[card].speeds]
    lines = ["", _OR.join(speeds) if len(speeds) == 2 else speeds_text(card), "", ""]
    if glyphs.shade == "▒":
        between = (" " * len(_OR), _OR, " " * len(_OR), " " * len(_OR))
        rows = [
            or_.join(parts)
            for or_, parts in zip(between, zip(*map(figure, speeds), strict=True), strict=True)
        ]
        lines = rows if len(rows[0]) <= width else lines
    names = symbol_words(card)
    has_room = all(len(name) <= width for name in names)
    lines += names if has_room else _short_words(card)
    lines += [""] * (height + 1 - len(lines))
    return lines[:height], lines[height]


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
