"""Large letters out of dots, for the few words that are shown over the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from heat_tui.picture import Canvas
from heat_tui.picture.canvas import PaintT

HEIGHT: Final = 5
"""In dots."""
_GAP: Final = 1

# fmt: off
_LETTERS: Final[Mapping[str, tuple[str, ...]]] = {
    " ": ("  ", "  ", "  ", "  ", "  "),
    ">": ("#   ", " ## ", "   #", " ## ", "#   "),
    "0": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("### ", "   #", " ## ", "#   ", "####"),
    "3": ("### ", "   #", " ## ", "   #", "### "),
    "4": ("#  #", "#  #", "####", "   #", "   #"),
    "5": ("####", "#   ", "### ", "   #", "### "),
    "6": (" ## ", "#   ", "### ", "#  #", " ## "),
    "7": ("####", "   #", "  # ", " #  ", " #  "),
    "8": (" ## ", "#  #", " ## ", "#  #", " ## "),
    "9": (" ## ", "#  #", " ###", "   #", " ## "),
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "D": ("### ", "#  #", "#  #", "#  #", "### "),
    "E": ("####", "#   ", "### ", "#   ", "####"),
    "G": (" ###", "#   ", "# ##", "#  #", " ###"),
    "I": ("#", "#", "#", "#", "#"),
    "L": ("#   ", "#   ", "#   ", "#   ", "####"),
    "N": ("#  #", "## #", "# ##", "#  #", "#  #"),
    "O": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "P": ("### ", "#  #", "### ", "#   ", "#   "),
    "R": ("### ", "#  #", "### ", "# # ", "#  #"),
    "S": (" ###", "#   ", " ## ", "   #", "### "),
    "T": ("#####", "  #  ", "  #  ", "  #  ", "  #  "),
    "U": ("#  #", "#  #", "#  #", "#  #", " ## "),
    "Y": ("# #", "# #", " # ", " # ", " # "),
}
# fmt: on


def dots_wide(text: str) -> int:
    """Say how wide a text is, in dots."""
    return sum(len(_LETTERS[letter][0]) + _GAP for letter in text) - _GAP


def draw_letters(
    canvas: Canvas[PaintT], text: str, left: float, top: float, dot: float, paint: PaintT
) -> None:
    """Draw a text.

    Args:
        text: Of letters that there are; see above.
        left: Sample where it begins.
        top: The same.
        dot: Samples across and down of a dot; of 8 it is as wide as a cell and half as high.
        paint: Of the letters.
    """
    for letter in text:
        rows = _LETTERS[letter]
        for down, row in enumerate(rows):
            for across, mark in enumerate(row):
                if mark != " ":
                    canvas.rectangle(left + across * dot, top + down * dot, dot, dot, paint)
        left += (len(rows[0]) + _GAP) * dot
