"""What to do after a race: a row of buttons that name their keys, by key and by mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from heat_tui.keys.table import Keys
from heat_tui.race.rows import Hit
from heat_tui.screens.blocks import Block
from heat_tui.theme.colours import GOLD, ON_GOLD
from heat_tui.theme.paints import style


class Way(NamedTuple):
    """One way on.

    Attributes:
        key: As texts have it: a key of the player's choice by its name, in braces.
        words: What it does.
        action: Of the screen.
    """

    key: str
    words: str
    action: str


WAYS: Final = (
    Way("{results.again}", "Race again", "again"),
    Way("{room.rematch}", "Rematch", "rematch"),
    Way("Enter", "Championship", "onward"),
    Way("{results.watch}", "Watch the replay", "watch"),
    Way("{results.moments}", "Watch the moments", "moments"),
    Way("{results.circuit}", "Another circuit", "circuit"),
    Way("{results.analysis}", "Analysis", "analysis"),
    Way("{replay.export}", "Export", "export"),
    Way("{room.chat}", "Chat", "chat"),
    Way("Enter", "Home", "home"),
    Way("Enter", "Back", "back"),
)
_BUTTON: Final = style("night", "ink", "raised")


def ways_block(is_there: Callable[[str], bool], columns: int, keys: Keys, *, has_colours: bool) -> Block:
    """Draw the ways that there are, the one that Enter takes as chosen; as many rows as they need.

    Args:
        is_there: Whether an action can be done now.
        columns: Of a row, in cells.
        keys: The player's.
        has_colours: Whether buttons are seen by their ground; else they stand in brackets.
    """
    rows, hits = [Text()], []
    ways = [way for way in WAYS if is_there(way.action)]
    chosen = next((number for number, way in enumerate(ways) if way.key == "Enter"), 0)
    for number, way in enumerate(ways):
        if way.key == "Enter" and any(other.key == "Enter" for other in ways[:number]):
            way = way._replace(key="Escape")  # Enter goes the first of both ways
        button = _button(way, keys, is_chosen=number == chosen, has_colours=has_colours)
        if rows[-1].cell_len and rows[-1].cell_len + button.cell_len > columns:
            rows.append(Text())
        first = rows[-1].cell_len
        rows[-1].append_text(button).append(" ")
        hits.append(Hit((len(rows) - 1, first, first + button.cell_len, way.action)))
    return Block(rows, tuple(hits))


def _button(way: Way, keys: Keys, *, is_chosen: bool, has_colours: bool) -> Text:
    key = keys.fill(way.key)
    if not has_colours:
        return Text(f"[{key} {way.words}]", Style(bold=is_chosen))
    ground, letters = (ON_GOLD, ON_GOLD) if is_chosen else (_BUTTON, Style(bold=True, color=GOLD))
    button = Text.assemble(" ", (key, letters), f" {way.words} ")
    button.stylize_before(ground)
    return button
