"""A line of text as segments of the screen, without what Textual needs to have it wrapped and selected."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from heat_tui.widgets.line_changes import painted


def to_segments(line: Text, ground: Style) -> list[Segment]:
    """Draw a line of text.

    Args:
        line: In styles that are no names.
        ground: What the line lies on.
    """
    return [
        Segment("".join(map(itemgetter(0), letters)), _joined(styles, ground))
        for styles, letters in groupby(painted(line), key=itemgetter(1))
    ]


@lru_cache(maxsize=4096)
def _joined(styles: object, ground: Style) -> Style:
    """Lay a style, or nested ones, on a ground."""
    below: object
    below, above = styles if isinstance(styles, tuple) else (None, styles)
    assert isinstance(above, Style)
    return (ground if below is None else _joined(below, ground)) + above
