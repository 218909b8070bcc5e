"""Blocks of lines that can be clicked in parts: laid side by side, below each other, on pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from heat_tui.race.rows import Hit


class Block(NamedTuple):
    """Lines that stay together.

    Attributes:
        hits: What can be clicked in them; rows are counted from the block's own first line.
    """

    lines: list[Text]
    hits: tuple[Hit, ...] = ()

    def moved(self, rows: int, columns: int) -> tuple[Hit, ...]:
        """Give the hits as they are where the block begins so many rows below and columns to the right."""
        return tuple(
            Hit((row + rows, first + columns, behind + columns, action))
            for row, first, behind, action in self.hits
        )


def beside(left: Block, column: int, right: Block) -> Block:
    """Lay two blocks side by side, the right one from a column on."""
    lines = []
    for row in range(max(len(left.lines), len(right.lines))):
        line = Text(end="")
        if row < len(left.lines):
            line.append_text(left.lines[row])
        if row < len(right.lines):
            line.append(" " * (column - line.cell_len))
            line.append_text(right.lines[row])
        lines.append(line)
    return Block(lines, (*left.hits, *right.moved(0, column)))


def below(upper: Block, lower: Block, *, gap: int = 0) -> Block:
    """Lay a block below another one, with so many blank lines between."""
    lines = [*upper.lines, *[Text()] * gap, *lower.lines]
    return Block(lines, (*upper.hits, *lower.moved(len(upper.lines) + gap, 0)))


def pages_of(blocks: Sequence[Block], rows: int) -> list[Block]:
    """Put blocks on pages, as many on each as there is room for; a longer one is divided."""
    pages: list[Block] = []
    for block in blocks:
        for first in range(0, len(block.lines), rows):
            hits = tuple(hit for hit in block.hits if first <= hit[0] < first + rows)
            part = Block(block.lines[first : first + rows], Block([], hits).moved(-first, 0))
            if pages and len(pages[-1].lines) + 1 + len(part.lines) <= rows:
                pages[-1] = below(pages[-1], part, gap=1)
            else:
                pages.append(part)
    return pages
