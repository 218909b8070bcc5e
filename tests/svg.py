"""Pictures of screens as small files."""

from __future__ import annotations

import difflib
import html
import re

_PLACED = re.compile(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_CELL = 12.2  # the width of a cell in Textual's pictures
_CRISP = ' shape-rendering="crispEdges"'


def compact(svg: str) -> str:
    """Make the same picture smaller.

    Args:
        svg: As Textual exports it.

    Returns:
        It says once what holds of all fields, does not cut rows that fit anyway, and keeps blanks: not every
        viewer would keep those at the ends of a text, and then columns seem to touch.
    """
    svg = re.sub(r'<clipPath id="[\w-]*-line-\d+">.*?</clipPath>\s*', "", svg, flags=re.DOTALL)
    svg = re.sub(r' clip-path="url\(#[\w-]*-line-\d+\)"', "", svg)
    svg = svg.replace("<style>", "<style>\n    rect { shape-rendering: crispEdges }", 1)
    svg = svg.replace(_CRISP, "")
    svg = re.sub(r"\bterminal(?:-\d+)?-(\w)", r"t-\1", svg)
    return svg.replace("<svg ", '<svg xml:space="preserve" ', 1)


def shown_rows(svg: str) -> list[str]:
    """Give the rows of text that a picture shows, from the top; rows without any text are left out."""
    rows: dict[float, str] = {}
    for x, y, text in sorted(
        (float(x), float(y), html.unescape(text)) for x, y, text in _PLACED.findall(svg)
    ):
        row = rows.get(y, "")
        rows[y] = row.ljust(round(x / _CELL)) + text.replace("\xa0", " ")
    return [rows[y].rstrip() for y in sorted(rows)]


def changed_rows(kept: str, drawn: str) -> list[str]:
    """Say in words what differs between two pictures: the rows of text that went (-) and that came (+)."""
    difference = difflib.unified_diff(shown_rows(kept), shown_rows(drawn), n=0, lineterm="")
    rows = [line for line in difference if not line.startswith(("---", "+++", "@@"))]
    return rows or ["the words are the same, the colours differ"]
