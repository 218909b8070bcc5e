"""Paragraphs and tables of the pages in docs/ that programs write."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

_WIDTH: Final = 120


def paragraph(*lines: str) -> str:
    """Lay a paragraph, or one point of a list, out."""
    text = " ".join(lines)
    return textwrap.fill(text, _WIDTH, subsequent_indent="  " if text.startswith("- ") else "")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay a table out so that it can be read as it is, too."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join([first, *rest])} |"

    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    return "\n".join([line(headings), f"|{rule}|", *map(line, rows)])
