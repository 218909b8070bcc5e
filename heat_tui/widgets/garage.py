"""The garage as lines: upgrades as cards or as a list, each explained; who owns what; the deck so far."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.geometry import Size

from heat_core.bot_names import without_level
from heat_core.cards import HEAT, CardName, deck_card
from heat_core.sentences.card_words import card_label, card_name, explain_card, symbol_words
from heat_core.text import counted
from heat_tui.flow.garage import DeckSoFar, Garage, Owner, worth_sentence
from heat_tui.race.draft import DONE
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import AMBER, BOLD, CAR_STYLES, DIM, GOLD, GREEN, ON_GOLD, card_colour
from heat_tui.theme.glyphs import Glyphs
from heat_tui.widgets.cards import LARGE, CardLook, card_paper, draw_card
from heat_tui.words.labels import cut

_KEY: Final = Style(color=GOLD, bold=True)
_GOOD: Final = Style(color=GREEN)
_BAD: Final = Style(color=AMBER)
_MOST_CARD_COLUMNS: Final = 32
_LEAST_TEXT_COLUMNS: Final = 28
"""Where cards are as wide, each is explained below its own."""
_SMALL_CARD_ROWS: Final = 6
_GAP: Final = 1
_NAME_CELLS: Final = 15
_WIDE: Final = 60
"""In fewer cells a heading has a line of its own."""
_READABLE: Final = 118
"""Sentences are no wider, in cells."""
_MOST_KEYS: Final = 9
_LEAST_BAR_CELLS: Final = 6
_WORTH_CELLS: Final = 6
_MOST_LINES: Final = 3
"""So many of those who draft have a line of their own in any case."""


def _card_columns(garage: Garage, width: int) -> int:
    """Give how wide cards side by side are, in cells of so many for all."""
    return min(_MOST_CARD_COLUMNS, width // max(1, len(garage.offered)) - _GAP)


def offered_cards(
    garage: Garage, width: int, glyphs: Glyphs, *, is_painted: bool
) -> tuple[list[Text], list[Hit]]:
    """Draw what is on offer as cards side by side, the selected one a row higher; below them their keys.

    Args:
        width: In cells.
        is_painted: Whether cards are pictures.
    """
    columns = _card_columns(garage, width)
    size = Size(columns, LARGE.height if columns >= LARGE.width else _SMALL_CARD_ROWS)
    rows = [Text() for _ in range(size.height + 3)]
    hits: list[Hit] = []
    for number, card in enumerate(garage.offered):
        is_selected = number == garage.selected
        left, blank = rows[0].cell_len, Text(" " * columns)
        drawn = draw_card(deck_card(card), CardLook(size, glyphs, is_painted, is_picked=is_selected))
        for row, text in zip(rows, [*drawn, blank] if is_selected else [blank, *drawn], strict=False):
            row.append_text(text)
        rows[-2].append_text(_key_and_bar(garage, number, columns, glyphs))
        rows[-1].append_text(_worth(garage, number, columns))
        hits += [Hit((row, left, left + columns, f"press({number})")) for row in range(len(rows))]
        for row in rows:
            row.append(" " * _GAP)
    return rows, hits


def _key_and_bar(garage: Garage, number: int, width: int, glyphs: Glyphs) -> Text:
    """Write the key of a card, and its worth as a bar where there is room; the best of all cards fills it."""
    is_selected = number == garage.selected
    line = Text().append(f" {number + 1} " if number < _MOST_KEYS else " ", ON_GOLD if is_selected else _KEY)
    cells = width - line.cell_len - 2
    if cells >= _LEAST_BAR_CELLS:
        full = round(cells * max(0.0, garage.worths.spaces(garage.offered[number])) / garage.most)
        line.append(" ").append(glyphs.time_full * full, _GOOD).append(
            glyphs.time_empty * (cells - full), DIM
        )
    return _centred(line, width)


def _worth(garage: Garage, number: int, width: int) -> Text:
    spaces = round(garage.worths.spaces(garage.offered[number]))
    signed = f"{spaces:+}"
    counted_spaces = counted(abs(spaces), "space")
    texts = (f"{'gains' if spaces >= 0 else 'costs'} {counted_spaces}", f"{signed} spaces", signed)
    told = next((text for text in texts if len(text) <= width), signed)
    style = _worth_style(spaces) + Style(bold=number == garage.selected)
    return _centred(Text().append(told, style), width)


def _worth_style(spaces: int) -> Style:
    return _GOOD if spaces >= 0 else _BAD


def _centred(line: Text, width: int) -> Text:
    line.pad_left(max(0, (width - line.cell_len) // 2))
    line.pad_right(max(0, width - line.cell_len))
    return line


def offered_list(garage: Garage, width: int, glyphs: Glyphs) -> tuple[list[Text], list[Hit]]:
    """List what is on offer, a line each, with the spaces that each brings.

    Args:
        width: In cells.
    """
    room = width - _WORTH_CELLS
    heading = Text().append(f"{garage.title:<{room}}", BOLD).append(f"{'spaces':>{_WORTH_CELLS}}", DIM)
    lines, hits = [heading], []
    for number, card in enumerate(garage.offered):
        hits.append(Hit((len(lines), 0, width, f"press({number})")))
        is_selected = number == garage.selected
        style = Style(color=card_colour(deck_card(card)), bold=is_selected)
        line = Text(f"{glyphs.active if is_selected else ' '} ", BOLD)
        line.append(f"{number + 1}" if number < _MOST_KEYS else " ", _KEY)
        line.append(f" {card_name(card):<{_NAME_CELLS}} ", style)
        line.append(f"{_fitting(symbol_words(card), room - line.cell_len):<{room - line.cell_len}}", style)
        spaces = round(garage.worths.spaces(card))
        lines.append(line.append(f"{spaces:>+{_WORTH_CELLS}}", _worth_style(spaces)))
    return lines, hits


def _fitting(words: Sequence[str], cells: int) -> str:
    """Name as many symbols as there is room for; a mark says that there are more."""
    for count in range(len(words), 0, -1):
        text = ", ".join(words[:count]) + (" +" if count < len(words) else "")
        if len(text) <= cells:
            return text
    return ""


def swap_rows(garage: Garage, first: int, width: int, glyphs: Glyphs) -> tuple[list[Text], list[Hit]]:
    """List what may be swapped away, and not to; nothing where upgrades are picked.

    Args:
        first: Row of the panel in which they begin.
        width: In cells.
    """
    if garage.swap is None:
        return [], []
    lines, hits = [Text("For (left/right)", BOLD)], []
    for place, card in enumerate(garage.swap.owned):
        hits.append(Hit((first + len(lines), 0, width, f"give({place})")))
        lines.append(Text(f"{glyphs.active if place == garage.swap.give else ' '} {card_label(card)}"))
    hits.append(Hit((first + len(lines), 0, width, f"press({DONE})")))
    mark = glyphs.active if garage.swap.give is None else " "
    return [*lines, Text(f"{mark} keep all your upgrades")], hits


def explained(garage: Garage, width: int, *, has_all: bool) -> list[Text]:
    """Explain what is on offer, each in a paragraph.

    Args:
        width: In cells.
        has_all: Whether all are explained, or the selected one alone.
    """
    if not has_all:
        told = {
            card: _paragraph(card, worth_sentence(card, garage.worths), width, is_selected=True)
            for card in garage.offered
        }
        lines = [] if garage.explained is None else told[garage.explained]
        # As many rows whatever is selected, so that the map stays as it is.
        return [*lines, *[Text()] * (max(map(len, told.values())) - len(lines))]
    if (columns := _card_columns(garage, width)) >= _LEAST_TEXT_COLUMNS:
        return _explained_below(garage, columns)
    lines = []
    for number, card in enumerate(garage.offered):
        lines += _paragraph(card, "", width, is_selected=number == garage.selected)
    return lines


def _explained_below(garage: Garage, columns: int) -> list[Text]:
    """Explain each card in its own column."""
    told = [
        [part for sentence in explain_card(card) for part in textwrap.wrap(sentence, columns - 2)]
        for card in garage.offered
    ]
    lines = []
    for parts in zip_longest(*told, fillvalue=""):
        line = Text()
        for number, part in enumerate(parts):
            line.append(f" {part}".ljust(columns + _GAP), Style(bold=number == garage.selected))
        lines.append(line)
    return lines


def _paragraph(card: CardName, worth: str, width: int, *, is_selected: bool) -> list[Text]:
    name = card_name(card)
    told = f"{name}: {' '.join(explain_card(card))} {worth}"
    folded = textwrap.wrap(told, min(width, _READABLE), subsequent_indent="  ")
    lines = [Text(part, Style(bold=is_selected)) for part in folded]
    lines[0].stylize(Style(color=card_colour(deck_card(card)), bold=True), 0, len(name))
    return lines


def owner_lines(owners: Sequence[Owner], width: int, rows: int, glyphs: Glyphs) -> list[Text]:
    """List who drafts, each with what it owns: below the name where there is room, else beside it.

    Args:
        width: In cells.
        rows: That there is room for; where not all have a line of their own, or two fit into one whole, two
            share one.
    """
    is_ascii = glyphs.shade == ":"
    whole = [_owner(owner, glyphs) for owner in owners]
    can_share = len(whole) > _MOST_LINES and all(line.cell_len < width // 2 for line in whole)
    if not can_share and all(line.cell_len <= width for line in whole) and len(whole) <= rows:
        return whole
    if not can_share and 2 * len(whole) <= rows:
        parts: Iterable[Text] = (part for owner in owners for part in _owner_in_two(owner, glyphs))
        return [cut(part, width, is_ascii=is_ascii) for part in parts]
    if not can_share and len(whole) <= rows:
        return [cut(line, width, is_ascii=is_ascii) for line in whole]
    lines = []
    for left, right in zip(whole[::2], [*whole[1::2], Text()], strict=False):
        line = cut(left, width // 2 - 1, is_ascii=is_ascii)
        line.pad_right(width // 2 - line.cell_len)
        lines.append(line.append_text(cut(right, width // 2, is_ascii=is_ascii)))
    return lines


def _owner(owner: Owner, glyphs: Glyphs) -> Text:
    name, upgrades = _owner_in_two(owner, glyphs)
    name.append(": ")
    return name.append_text(upgrades[len(upgrades) - len(upgrades.plain.lstrip()) :])


def _owner_in_two(owner: Owner, glyphs: Glyphs) -> tuple[Text, Text]:
    name = Text().append(f"{glyphs.active if owner.when == 'now' else ' '} {owner.when:<5}", _KEY)
    name.append(owner.letter, CAR_STYLES[owner.colour])
    name.append(f" {without_level(owner.name)}", Style(bold=owner.is_own))
    upgrades = Text(" " * 9)
    if not owner.upgrades:
        upgrades.append("nothing yet", DIM)
    for place, card in enumerate(owner.upgrades):
        upgrades.append(", " if place else "")
        upgrades.append(card_name(card), Style(color=card_colour(deck_card(card))))
    return name, upgrades


def deck_lines(deck: DeckSoFar, width: int) -> list[Text]:
    """Count the cards of a deck as chips.

    Args:
        width: In cells.
    """
    heading = Text("Your deck" if deck.is_own else "Every deck", BOLD)
    chips = [_chip(card, count) for card, count in deck.cards]
    chips.append(_chip(HEAT, deck.heat).append(" in engine"))
    whole = Text("  ").join([heading, *chips])
    if whole.cell_len <= width:
        return [whole]
    lines = [heading, Text()] if width < _WIDE else [heading]
    for chip in chips:
        if lines[-1].cell_len + 2 + chip.cell_len > width:
            lines.append(Text())
        lines[-1].append("  " if lines[-1] else "").append_text(chip)
    return lines


def _chip(card: CardName, count: int) -> Text:
    chip = Text().append(f" {card_name(card)} ", card_paper(card))
    return chip.append(f" ×{count}") if count > 1 else chip
