"""The figures on big cards: a table of pictures of 8 x 8 dots, each cell showing two of them."""

from __future__ import annotations

from functools import cache
from typing import Final

from heat_core.cards import CardName

_WIDTH: Final = 8
_HEIGHT: Final = 8
FIGURE_ROWS: Final = _HEIGHT // 2
_FIGURES: Final[dict[str, tuple[str, ...]]] = {
    "0": ("  ####  ", " ##  ## ", " ##  ## ", " ##  ## ", " ##  ## ", " ##  ## ", "  ####  "),
    "1": ("   ##   ", "  ###   ", " ####   ", "   ##   ", "   ##   ", "   ##   ", " ###### "),
    "2": ("  ####  ", " ##  ## ", "     ## ", "    ##  ", "   ##   ", "  ##    ", " ###### "),
    "3": ("  ####  ", " ##  ## ", "     ## ", "   ###  ", "     ## ", " ##  ## ", "  ####  "),
    "4": (" ##  ## ", " ##  ## ", " ##  ## ", " ###### ", "     ## ", "     ## ", "     ## "),
    "5": (" ###### ", " ##     ", " #####  ", "     ## ", "     ## ", " ##  ## ", "  ####  "),
    "6": ("  ####  ", " ##     ", " #####  ", " ##  ## ", " ##  ## ", " ##  ## ", "  ####  "),
    "7": (" ###### ", "     ## ", "    ##  ", "    ##  ", "   ##   ", "   ##   ", "   ##   "),
    "8": ("  ####  ", " ##  ## ", " ##  ## ", "  ####  ", " ##  ## ", " ##  ## ", "  ####  "),
    "stress": (
        "    ##  ",
        "   ##   ",
        "  ##    ",
        " ###### ",
        "    ##  ",
        "   ##   ",
        "  ##    ",
        "        ",
    ),
    "heat": ("   #    ", "  ##    ", "  ### # ", " ### ## ", "######  ", "####### ", "### ### ", " #####  "),
}


@cache
def figure(card: CardName) -> tuple[str, ...]:
    """Draw the figure of a Speed, Stress, Heat or starting card in half blocks: `FIGURE_ROWS` of 8 cells."""
    dots = _FIGURES[card.removeprefix("start-")]
    rows = [*dots, *[" " * _WIDTH] * (_HEIGHT - len(dots))]
    halves = {"  ": " ", "# ": "▀", " #": "▄", "##": "█"}
    return tuple(
        "".join(halves[above + below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
