"""How big cards are drawn, and how each looks: as a picture, or in outlines where there are no colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.cards import CATALOGUE, HEAT, STRESS, CardName
from heat_core.data.facts import SymbolKind
from heat_core.sentences.card_words import card_name, family_name, speeds_text, symbol_words
from heat_tui.theme.colours import ON_GOLD
from heat_tui.theme.glyphs import Glyphs
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.card_figures import LARGE_FIGURE, SMALL_FIGURE, figure, painted_figure

_PAPERS: Final[dict[str, tuple[Paint, Paint]]] = {
    "speed": ("card-ink", "card"),
    "upgrade": ("upgrade-ink", "upgrade"),
    "sponsorship": ("sponsorship-ink", "sponsorship"),
    "stress": ("stress-ink", "stress"),
    "heat": ("heat-ink", "heat"),
}
_CAPTION_PAPERS: Final[dict[str, Paint]] = {"speed": "card-shade", "heat": "heat-dark"}
"""Of the lowest row of a big card, where it differs from the rest."""
_CAPTIONS: Final[dict[str, str]] = {
    "speed": " speed ",
    "sponsorship": "",
    "stress": " flip 1 ",
    "heat": " HEAT ",
}
SMALL_CARD: Final = Size(5, 3)
BIG_CARD: Final = Size(10, 6)
HUGE_CARD: Final = Size(14, 7)
ROWS_AROUND: Final = 2
"""What a big card needs besides its own rows: one to be lifted by, one for its number."""
_WORDY: Final = 12
"""So much a small card gets that has words, where there is room: its family's name, mostly whole."""


LARGE: Final = Size(12, 9)
"""From here on a card with words has its speed as a figure."""


class CardLook(NamedTuple):
    """How a card is drawn.

    Attributes:
        size: In cells, from `fitting_cards`.
        glyphs: The signs that the terminal can show.
        is_painted: As a picture; else in outlines, which need no colours.
        is_picked: It has a golden frame; a small one is half a row higher than the others.
        is_usable: Whether it could be picked, or lies on the table.
    """

    size: Size
    glyphs: Glyphs
    is_painted: bool
    is_picked: bool = False
    is_usable: bool = True


def fitting_cards(panel: Size, cards: Sequence[CardName]) -> list[Size]:
    """Give the sizes in cells of cards side by side in a panel.

    All are as big as there is room for; where they are small, what room is left goes to upgrades and
    Sponsorships, which have more to say.
    """
    count = len(cards)
    for size in (HUGE_CARD, BIG_CARD):
        if panel.height >= size.height + ROWS_AROUND and count * size.width <= panel.width:
            return [size] * count
    width = min(SMALL_CARD.width, max(3, (panel.width or 80) // max(1, count)))
    wordy = sum(has_words(card) for card in cards)
    more = min(_WORDY - width, max(0, (panel.width or 80) - count * width) // wordy) if wordy else 0
    return [Size(width + more if has_words(card) else width, SMALL_CARD.height) for card in cards]


def has_words(card: CardName) -> bool:
    """Tell whether a card is known by its family and symbols."""
    return CATALOGUE[card].kind in ("upgrade", "sponsorship") and not card.startswith("start-")


def _paints(card: CardName, *, is_usable: bool) -> tuple[Paint, Paint]:
    ink, paper = _PAPERS[CATALOGUE[card].kind]
    return ink, "card-shade" if paper == "card" and not is_usable else paper


def card_paper(card: CardName, *, is_usable: bool = True) -> Style:
    """Give ink and paper of a card; of a Speed card that cannot be used the paper is darker."""
    return style("night", *_paints(card, is_usable=is_usable))


@lru_cache(maxsize=256)
def draw_card(card: CardName, look: CardLook) -> tuple[Text, ...]:
    """Draw a card as lines of equal width, as many as its size says."""
    return tuple(_painted_card(card, look) if look.is_painted else _outlined_card(card, look))


def _painted_card(card: CardName, look: CardLook) -> list[Text]:
    """Draw a card as a piece of paper; the picked one has a frame of half cells around it."""
    inner, height = look.size.width - 2, look.size.height - 2
    ink, paper = _paints(card, is_usable=look.is_usable or look.is_picked)
    face = style("night", ink, paper, bold=True)
    above, middle, below = _face(card, look)
    faces = [Text(words.center(inner)[:inner], face) for words in middle]
    if look.size.height >= BIG_CARD.height and not has_words(card):
        rows = figure_height(look.size)
        margin = Text(" " * ((inner - 2 * rows) // 2), face)
        first = (height - rows) // 2
        faces[first : first + rows] = [
            margin + line + margin for line in painted_figure(card, rows, ink, "heat-glow", paper)
        ]
    frame = style("night", "gold-fill", paper)
    left, right = (("▌", frame), ("▐", frame)) if look.is_picked else _rims(paper)
    middle_rows = [Text.assemble(left, line, right) for line in faces]
    return [
        _painted_top(look, above, ink, paper),
        *middle_rows,
        _painted_bottom(card, look, below, ink, paper),
    ]


def _rims(paper: Paint) -> tuple[tuple[str, Style], tuple[str, Style]]:
    """Draw the left and the right edge of a card, which keep it apart from the next one and the ground."""
    rim = style("night", "line", paper)
    return ("▏", rim), ("▕", rim)


def figure_height(size: Size) -> int:
    """Give how high the figure on a big card is, in cells."""
    is_large = size.height - 2 >= LARGE_FIGURE and size.width - 2 >= 2 * LARGE_FIGURE
    return LARGE_FIGURE if is_large else SMALL_FIGURE


def _painted_top(look: CardLook, words: str, ink: Paint, paper: Paint) -> Text:
    """Draw the upper edge; a small card that is not picked is half a row lower."""
    width, face = look.size.width, style("night", ink, paper, bold=True)
    if look.is_picked and not words:
        gold = style("night", "gold-fill")
        return Text.assemble(
            ("█", gold), ("▀" * (width - 2), style("night", "gold-fill", paper)), ("█", gold)
        )
    if look.is_picked:
        return Text(f" {words}".ljust(width), ON_GOLD)
    if look.size.height > SMALL_CARD.height:
        if not words:
            return Text("▔" * width, style("night", "line", paper))
        left, right = _rims(paper)
        return Text.assemble(left, (words.ljust(width - 2), face), right)
    lower = style("night", paper)
    if not words:
        return Text("▄" * width, lower)
    return Text.assemble(("▄", lower), (words.ljust(width - 2), face), ("▄", lower))


def _painted_bottom(card: CardName, look: CardLook, words: str, ink: Paint, paper: Paint) -> Text:
    """Draw the lower edge; a small card that is picked is half a row higher."""
    width, is_small = look.size.width, look.size.height == SMALL_CARD.height
    row = f" {words}".ljust(width) if has_words(card) else words.center(width)
    if not look.is_picked:
        shade = paper if is_small or not look.is_usable else _CAPTION_PAPERS.get(CATALOGUE[card].kind, paper)
        left, right = _rims(shade)
        return Text.assemble(left, (row[1:-1], style("night", ink, shade)), right)
    if not is_small:
        return Text(row, ON_GOLD)
    gold = style("night", "gold-fill")
    if not words.strip():
        return Text("▀" * width, gold)
    return Text.assemble(("▀", gold), (row[1:-1], ON_GOLD), ("▀", gold))


def _outlined_card(card: CardName, look: CardLook) -> list[Text]:
    """Draw a card in lines; the picked one has thick ones."""
    inner, glyphs = look.size.width - 2, look.glyphs
    top = glyphs.picked_top if look.is_picked else glyphs.card_top
    side = glyphs.picked_side if look.is_picked else glyphs.card_side
    bottom = glyphs.picked_bottom if look.is_picked else glyphs.card_bottom
    above, middle, below = _face(card, look)
    paper = card_paper(card, is_usable=look.is_usable or look.is_picked)
    edge = ON_GOLD if look.is_picked else paper
    caption = below.ljust(inner, bottom[1]) if has_words(card) else below.center(inner, bottom[1])
    return [
        Text(top[0] + above.ljust(inner, top[1]) + top[2], edge),
        *(Text.assemble((side, edge), (face.center(inner)[:inner], paper), (side, edge)) for face in middle),
        Text(bottom[0] + caption + bottom[2], edge),
    ]


def _face(card: CardName, look: CardLook) -> tuple[str, Sequence[str], str]:
    """Give what a card says on its upper edge, between the edges row by row, and on its lower edge."""
    inner, height = look.size.width - 2, look.size.height - 2
    has_figures = look.glyphs.shade == "▒"
    if has_words(card):
        if look.size.width >= LARGE.width and look.size.height >= LARGE.height:
            middle, below = _large_face(card, inner, height, look.glyphs)
        else:
            middle, below = _worded_face(card, inner, height)
        return family_name(card).upper()[:inner], middle, below
    if look.size.height >= BIG_CARD.height and has_figures:
        rows = figure_height(look.size)
        above = [""] * ((height - rows) // 2)
        below_it = [""] * (height - rows - len(above))
        return (
            "",
            [*above, *figure(card, rows), *below_it],
            _CAPTIONS.get(CATALOGUE[card].kind, f" {card_name(card)} "),
        )
    return "", _plain_face(card, inner, height, look.glyphs), ""


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
        figures = [[row[1:-1] for row in figure(speed)] for speed in speeds]  # without their margins
        rows = [word.join(row) for word, row in zip(between, zip(*figures, strict=True), strict=True)]
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
