"""Pictures of screens as small files."""

from __future__ import annotations

import html
import re

_TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")
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


def shown_signs(svg: str) -> str:
    """Give all signs that a picture shows, in the order of its texts."""
    return html.unescape("".join(_TEXT.findall(svg))).replace("\xa0", " ")
