"""Which cells differ between two contents of a panel: over a slow line the others would be sent in vain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text
from textual.geometry import Region

_NO_LINE: Final = Text("")


def changed_regions(
    before: Sequence[Text], after: Sequence[Text], width: int, console: Console
) -> list[Region]:
    """Give the parts of lines that are not as they were, one of each line at most.

    Args:
        before: Lines without line breaks.
        after: The same.
        width: Of the panel: what lies behind it is not shown.
        console: Knows the styles of the lines.
    """
    regions = []
    for row, (old, new) in enumerate(zip_longest(before, after, fillvalue=_NO_LINE)):
        if old == new and old.style == new.style:
            continue
        one, other = (_cells(line, console) for line in (old, new))
        end = max(len(one), len(other))
        start = next(
            (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None
        )
        if start is None:
            start = min(len(one), len(other))
        while len(one) == len(other) and end > start and one[end - 1] == other[end - 1]:
            end -= 1
        if region := Region(start, row, end - start, 1).intersection(Region(0, row, width, 1)):
            regions.append(region)
    return regions


def _cells(line: Text, console: Console) -> list[tuple[str, Style]]:
    """Give each cell of a line with its style; both cells of a wide character have it whole."""
    cells: list[tuple[str, Style]] = []
    base = console.get_style(line.style)
    for text, drawn, _ in line.render(console):
        style = base if drawn is None else drawn
        if text.isascii():
            cells += [(character, style) for character in text]
            continue
        for character in text:
            if (width := cell_len(character)) or not cells:
                cells += [(character, style)] * width
            else:
                cells[-1] = (cells[-1][0] + character, style)
    return cells
