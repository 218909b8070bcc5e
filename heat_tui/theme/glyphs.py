"""The signs of the panels, once for terminals with Unicode and once for plain ASCII."""

from __future__ import annotations

from typing import Final, NamedTuple

from rich.text import Text


class Glyphs(NamedTuple):
    """One sign for each thing that the panels show."""

    chosen: str
    waiting: str
    away: str
    active: str
    heat_full: str
    heat_empty: str
    dot: str
    corner: str
    legends_line: str
    finish: str
    card_top: tuple[str, str, str]
    card_side: str
    card_bottom: tuple[str, str, str]
    picked_top: tuple[str, str, str]
    picked_side: str
    picked_bottom: tuple[str, str, str]
    shade: str
    left: str
    right: str
    up: str
    down: str
    gained: str
    lost: str
    step_done: str
    step_here: str
    step: str
    time_full: str
    time_empty: str
    ahead: str


UNICODE: Final = Glyphs(
    chosen="✓",
    waiting="…",
    away="z",
    active="▶",
    heat_full="▮",
    heat_empty="▯",
    dot="·",
    corner="┃",
    legends_line="╎",
    finish="▓",
    card_top=("┌", "─", "┐"),
    card_side="│",
    card_bottom=("└", "─", "┘"),
    picked_top=("┏", "━", "┓"),
    picked_side="┃",
    picked_bottom=("┗", "━", "┛"),
    shade="▒",
    left="‹",
    right="›",
    up="↑",
    down="↓",
    gained="▲",
    lost="▼",
    step_done="●",
    step_here="◉",
    step="○",
    time_full="▰",
    time_empty="▱",
    ahead="▸",
)

ASCII: Final = Glyphs(
    chosen="+",
    waiting=".",
    away="z",
    active=">",
    heat_full="#",
    heat_empty="-",
    dot=".",
    corner="|",
    legends_line=":",
    finish="%",
    card_top=("+", "-", "+"),
    card_side="|",
    card_bottom=("+", "-", "+"),
    picked_top=("#", "=", "#"),
    picked_side="#",
    picked_bottom=("#", "=", "#"),
    shade=":",
    left="<",
    right=">",
    up="^",
    down="v",
    gained="^",
    lost="v",
    step_done="*",
    step_here="@",
    step="-",
    time_full="=",
    time_empty=".",
    ahead=">",
)


_SPELLED: Final = str.maketrans(
    {
        sign: other
        for sign, other in zip(UNICODE, ASCII, strict=True)
        if isinstance(sign, str) and isinstance(other, str)
    }
    | {"·": "-", "✗": "X", "»": "~", "★": "*", "▌": "|"}
)
"""Sentences use the signs of the panels, too; a dot between two words is a dash there."""


def plain(text: str) -> str:
    """Spell a sentence of the engine in ASCII."""
    return text.replace("→", "->").replace("−", "-").replace("×", "x")


def spelled(text: Text, *, is_ascii: bool) -> Text:
    """Give a line in signs that a terminal can show."""
    if not is_ascii:
        return text
    line = text.copy()
    line.plain = plain(line.plain).replace("…", "...").translate(_SPELLED)
    return line
