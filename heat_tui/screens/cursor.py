"""Where the terminal's cursor stands: braille displays and screen readers follow it to the focus."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Input, OptionList


def focus_offset(widget: Widget) -> Offset:
    """Give the place of what has the focus: of a list its chosen line, of a text where one types."""
    if isinstance(widget, Input):
        return widget.cursor_screen_offset
    place = widget.content_region.offset
    if isinstance(widget, OptionList) and widget.highlighted is not None:
        return place + Offset(0, widget._index_to_line[widget.highlighted] - widget.scroll_offset.y)
    return place
