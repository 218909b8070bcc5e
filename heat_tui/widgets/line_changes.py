"""Which cells differ between two contents of a panel: over a slow line the others would be sent in vain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.text import Text
from textual.geometry import Region

_NO_LINE: Final = Text("")

Painted: TypeAlias = tuple[str, object]
"""A character and its style, or, nested, a pair of what lies below and the style above it."""


def changed_regions(before: Sequence[Text], after: Sequence[Text], width: int) -> list[Region]:
    """Give the parts of lines that are not as they were, one of each line at most.

    Args:
        before: Lines without line breaks.
        after: The same.
        width: Of the panel: what lies behind it is not shown.
    """
    regions = []
    for row, (old, new) in enumerate(zip_longest(before, after, fillvalue=_NO_LINE)):
        if old == new and old.style == new.style:
            continue
        start, end = _changed_cells(old, new)
        if region := Region(start, row, end - start, 1).intersection(Region(0, row, width, 1)):
            regions.append(region)
    return regions


def _changed_cells(old: Text, new: Text) -> tuple[int, int]:
    """Give the first cell that differs and the one behind the last."""
    one, other = painted(old), painted(new)
    start = _alike(one, other)
    # A character without a width of its own is in the cell of the one before it.
    while start and any(cell_len(line[start][0]) == 0 for line in (one, other) if start < len(line)):
        start -= 1
    cells, other_cells = cell_len(old.plain), cell_len(new.plain)
    end = max(cells, other_cells)
    if cells == other_cells:
        same = _alike(reversed(one[start:]), reversed(other[start:]))
        end -= cell_len(old.plain[len(one) - same :])
    return cell_len(old.plain[:start]), end


def painted(line: Text) -> list[Painted]:
    """Lay the styles of a line on its characters: to render them would cost several times as much."""
    plain = line.plain
    styles: list[object] = [line.style] * len(plain)
    for start, end, style in line.spans:
        styles[start:end] = [(below, style) for below in styles[start:end]]
    return list(zip(plain, styles, strict=True))


def _alike(one: Iterable[Painted], other: Iterable[Painted]) -> int:
    """Count the characters at the front that are the same in both."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
