"""The figures on big cards: tables of pictures in dots, each cell showing two of them.

A dot has the ink of the card (`#`), glows (`+`), or is bare (blank).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from rich.text import Text

from heat_core.cards import CardName
from heat_tui.theme.paints import Paint, style

Dots: TypeAlias = tuple[str, ...]

# fmt: off
_SMALL: Final[Mapping[str, Dots]] = {
    "0": ("  ####  ", " ##  ## ", " ##  ## ", " ##  ## ", " ##  ## ", " ##  ## ", "  ####  ", "        "),
    "1": ("   ##   ", "  ###   ", " ####   ", "   ##   ", "   ##   ", "   ##   ", " ###### ", "        "),
    "2": ("  ####  ", " ##  ## ", "     ## ", "    ##  ", "   ##   ", "  ##    ", " ###### ", "        "),
    "3": ("  ####  ", " ##  ## ", "     ## ", "   ###  ", "     ## ", " ##  ## ", "  ####  ", "        "),
    "4": (" ##  ## ", " ##  ## ", " ##  ## ", " ###### ", "     ## ", "     ## ", "     ## ", "        "),
    "5": (" ###### ", " ##     ", " #####  ", "     ## ", "     ## ", " ##  ## ", "  ####  ", "        "),
    "6": ("  ####  ", " ##     ", " #####  ", " ##  ## ", " ##  ## ", " ##  ## ", "  ####  ", "        "),
    "7": (" ###### ", "     ## ", "    ##  ", "    ##  ", "   ##   ", "   ##   ", "   ##   ", "        "),
    "8": ("  ####  ", " ##  ## ", " ##  ## ", "  ####  ", " ##  ## ", " ##  ## ", "  ####  ", "        "),
    "stress": (
        "    ##  ", "   ##   ", "  ##    ", " ###### ", "    ##  ", "   ##   ", "  ##    ", "        ",
    ),
    "heat": ("   +    ", "  ++  + ", "  +++++ ", " ++##++ ", " +####++", "++####++", "++####++", " ++##++ "),
}
"""8 by 8 dots: 8 by 4 cells."""
_LARGE: Final[Mapping[str, Dots]] = {
    "0": (
        "  ######  ", " ###  ### ", " ###  ### ", " ###  ### ", " ###  ### ",
        " ###  ### ", " ###  ### ", " ###  ### ", "  ######  ", "          ",
    ),
    "1": (
        "    ###   ", "  #####   ", " ######   ", "    ###   ", "    ###   ",
        "    ###   ", "    ###   ", "    ###   ", " ######## ", "          ",
    ),
    "2": (
        "  ######  ", " ###  ### ", "      ### ", "     #### ", "    ####  ",
        "   ####   ", "  ####    ", " ####     ", " ######## ", "          ",
    ),
    "3": (
        "  ######  ", " ###  ### ", "      ### ", "      ### ", "   #####  ",
        "      ### ", "      ### ", " ###  ### ", "  ######  ", "          ",
    ),
    "4": (
        " ###  ### ", " ###  ### ", " ###  ### ", " ###  ### ", " ######## ",
        "      ### ", "      ### ", "      ### ", "      ### ", "          ",
    ),
    "5": (
        " ######## ", " ###      ", " ###      ", " #######  ", "      ### ",
        "      ### ", "      ### ", " ###  ### ", "  ######  ", "          ",
    ),
    "stress": (
        "      ### ", "     ###  ", "    ###   ", "   ###    ", "  ####### ",
        "     ###  ", "    ###   ", "   ###    ", "  ##      ", "          ",
    ),
    "heat": (
        "    ++    ", "   ++  +  ", "   +++++  ", "  ++++++  ", " +++##+++ ",
        " ++####++ ", "++######++", "++######++", " ++####++ ", "  ++##++  ",
    ),
}
"""10 by 10 dots: 10 by 5 cells."""
# fmt: on
SMALL_FIGURE: Final = 4
LARGE_FIGURE: Final = 5
"""Heights in cells; twice that is the width."""
_TABLES: Final[Mapping[int, Mapping[str, Dots]]] = {SMALL_FIGURE: _SMALL, LARGE_FIGURE: _LARGE}


def _dots(card: CardName, height: int) -> Dots:
    return _TABLES[height][card.removeprefix("start-")]


@cache
def figure(card: CardName, height: int = SMALL_FIGURE) -> tuple[str, ...]:
    """Draw the figure of a Speed, Stress, Heat or starting card in half blocks of one colour.

    Args:
        card: One of those.
        height: `SMALL_FIGURE` or `LARGE_FIGURE`.
    """
    halves = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    rows = _dots(card, height)
    return tuple(
        "".join(halves[above != " ", below != " "] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


@cache
def painted_figure(card: CardName, height: int, ink: Paint, glow: Paint, paper: Paint) -> tuple[Text, ...]:
    """Draw the same in the paints of a card.

    Args:
        card: One of those.
        height: `SMALL_FIGURE` or `LARGE_FIGURE`.
        ink: Of the dots.
        glow: Of those that glow.
        paper: Behind them.
    """
    paints = {"#": ink, "+": glow, " ": paper}
    rows = _dots(card, height)
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        line = Text()
        for above, below in zip(upper, lower, strict=True):
            glyph = " " if above == below else "▀"
            line.append(glyph, style("night", paints[above], paints[below]))
        lines.append(line)
    return tuple(lines)
