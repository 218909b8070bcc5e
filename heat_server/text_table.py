"""Rows of text in columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows below each other, all columns but the last as wide as their widest text."""
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = [text + " " * (width - cell_len(text)) for text, width in zip(row[:-1], widths, strict=True)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines)
