"""The garage before a race: upgrades on offer, the selected one explained, who picks, who owns what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.cards import CardName, deck_card
from heat_core.decisions import SwapChoice
from heat_core.sentences.card_words import card_label, card_name, explain_card, symbol_words
from heat_core.text import ordinal
from heat_core.view.race_view import RaceView
from heat_tui.flow.worths import Worths
from heat_tui.race.draft import DONE, Draft
from heat_tui.race.presenter import RaceLabels
from heat_tui.race.rows import Hit
from heat_tui.theme.colours import CAR_STYLES, GOLD, card_colour
from heat_tui.theme.glyphs import Glyphs

_LIST_CELLS: Final = 42
_NAME_CELLS: Final = 19
_WORTH_CELLS: Final = 6
_KEY: Final = Style(color=GOLD, bold=True)


class GaragePage(NamedTuple):
    """What the garage shows.

    Attributes:
        hits: Where it can be clicked.
    """

    lines: list[Text]
    hits: list[Hit]


def is_garage(view: RaceView) -> bool:
    """Tell whether upgrades are being drafted."""
    return view.status == "set_up" and bool(view.offered)


def garage_page(
    view: RaceView,
    labels: RaceLabels,
    draft: Draft | None,
    looked_at: int,
    width: int,
    height: int,
    glyphs: Glyphs,
    worths: Worths | None = None,
) -> GaragePage:
    """Write the page: open cards left, the selected one explained right, below them who picks and owns what.

    Args:
        draft: The viewer's, None while others pick.
        looked_at: The row that is explained then.
        width: Of the panel, in cells.
        height: The same; where there is room, every open card is explained.
        worths: What each card is worth, None without advice.
    """
    row = looked_at if draft is None else draft.row
    swap = view.own.choice if view.own is not None else None
    left, hits = [Text(_title(view, labels, swap), Style(bold=True))], []
    for number, card in enumerate(view.offered):
        hits.append(Hit((len(left), 0, _LIST_CELLS, f"press({number})")))
        worth = "" if worths is None else f"{worths.row(number):<{_WORTH_CELLS}}"
        left.append(_card_line(number, card, worth, is_selected=number == row, glyphs=glyphs))
    if isinstance(swap, SwapChoice):
        hits.append(Hit((len(left), 0, _LIST_CELLS, f"press({DONE})")))
        left.append(_row_line(" ", "keep all your upgrades", Style(), is_selected=row == DONE, glyphs=glyphs))
    right = _explained(view.offered[row] if 0 <= row < len(view.offered) else None, width - _LIST_CELLS - 3)
    if isinstance(swap, SwapChoice) and draft is not None:
        right += _given(swap, draft, hits, len(right), glyphs)
    lines = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        line.truncate(_LIST_CELLS, pad=True)
        line.append(f" {glyphs.card_side} ", Style(dim=True))
        if number < len(right):
            line.append_text(right[number])
        lines.append(line)
    lines += [Text(), *_owners(view, labels, glyphs)]
    explained = [Text(), *explained_lines(view.offered)]
    if len(lines) + len(explained) <= height:
        lines += explained
    return GaragePage(lines, hits)


def explained_lines(cards: Sequence[CardName]) -> list[Text]:
    """Explain cards, each kind once."""
    lines = []
    for card in dict.fromkeys(deck_card(card) for card in cards):
        lines.append(Text(card_name(card), Style(color=card_colour(card), bold=True)))
        lines += [Text(f"  {sentence}") for sentence in explain_card(card)]
    return lines


def picker_text(view: RaceView, labels: RaceLabels) -> str:
    """Say who is asked in the garage now: `Ana picks`; "" for nobody."""
    for decision in view.decisions:
        if decision.kind in ("pick", "swap"):
            return f"{labels.names[decision.seat]} {'picks' if decision.kind == 'pick' else 'may swap'}"
    return ""


def _title(view: RaceView, labels: RaceLabels, choice: object) -> str:
    if isinstance(choice, SwapChoice):
        return "Left in the garage: swap one for one of yours"
    if labels.setup.modules.draft == "three" and view.picking:
        number = len(view.cars[view.picking[0]].upgrades) + 1
        return f"On offer in the garage: {ordinal(number)} pick of 3"
    return "On offer in the garage"


def _card_line(number: int, card: CardName, worth: str, *, is_selected: bool, glyphs: Glyphs) -> Text:
    room = _LIST_CELLS - _NAME_CELLS - 5 - len(worth)
    text = f"{worth}{card_name(card):<{_NAME_CELLS}} {_fitting(symbol_words(card), room)}"
    key = str(number + 1) if number < 9 else " "
    return _row_line(
        key, text, Style(color=card_colour(deck_card(card))), is_selected=is_selected, glyphs=glyphs
    )


def _fitting(words: Sequence[str], cells: int) -> str:
    """Name as many symbols as there is room for; a mark says that there are more."""
    for count in range(len(words), 0, -1):
        text = ", ".join(words[:count]) + (" +" if count < len(words) else "")
        if len(text) <= cells:
            return text
    return ""


def _row_line(key: str, text: str, style: Style, *, is_selected: bool, glyphs: Glyphs) -> Text:
    line = Text(f"{glyphs.active if is_selected else ' '} ", Style(bold=True))
    line.append(key, _KEY)
    line.append(f" {text}", style + Style(bold=is_selected))
    return line


def _explained(card: CardName | None, width: int) -> list[Text]:
    if card is None:
        return []
    lines = [Text(card_name(card), Style(color=card_colour(deck_card(card)), bold=True))]
    for sentence in explain_card(card):
        lines += [Text(part) for part in _folded(sentence, max(20, width))]
    return lines


def _folded(sentence: str, width: int) -> list[str]:
    """Break a sentence into lines, the later ones indented."""
    lines, line = [], ""
    for word in sentence.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = f"  {word}"
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def _given(choice: SwapChoice, draft: Draft, hits: list[Hit], first: int, glyphs: Glyphs) -> list[Text]:
    lines = [Text(), Text("For (left/right)", Style(bold=True))]
    for place, card in enumerate(choice.owned):
        column = _LIST_CELLS + 3
        hits.append(Hit((first + len(lines), column, column + 40, f"give({place})")))
        mark = glyphs.active if place == draft.give and draft.row != DONE else " "
        lines.append(Text(f"{mark} {card_label(card)}"))
    return lines


def _owners(view: RaceView, labels: RaceLabels, glyphs: Glyphs) -> list[Text]:
    """List those who are to pick, in order, then those who have; each with what it owns."""
    seats = [number for number, car in enumerate(view.cars) if not car.is_legend]
    order = [*view.picking, *(seat for seat in seats if seat not in view.picking)]
    asked = {decision.seat for decision in view.decisions}
    lines = []
    for place, seat in enumerate(order):
        when = "now" if seat in asked else "next" if place == 1 and seat in view.picking else ""
        line = Text(f"{glyphs.active if seat in asked else ' '} {when:<5}", _KEY)
        line.append(labels.letters[seat], CAR_STYLES[labels.setup.cars[seat].colour])
        own = view.own is not None and view.own.seat == seat
        name = f"{labels.names[seat]} (you)" if own else labels.names[seat]
        line.append(f" {name}: ", Style(bold=own))
        upgrades = view.cars[seat].upgrades
        line.append(", ".join(card_name(card) for card in upgrades) or "nothing yet", Style(dim=not upgrades))
        lines.append(line)
    return lines
