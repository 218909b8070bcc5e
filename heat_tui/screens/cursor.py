"""Where the terminal's cursor stands: braille displays and screen readers follow it to what is chosen."""

from __future__ import annotations

from typing import Any

from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from heat_tui.widgets.panel import TextPanel


def followed(screen: Screen[Any]) -> tuple[Widget, Offset] | None:
    """Find what has the focus, else the panel in which something is chosen, and the cell; None: nothing."""
    if screen.focused is not None:
        return screen.focused, focus_offset(screen.focused)
    for panel in screen.query(TextPanel):
        if panel.chosen is not None and panel.content_region:
            return panel, panel.content_region.offset + panel.chosen
    return None


def focus_offset(widget: Widget) -> Offset:
    """Give the place of what has the focus: of a list its chosen line, of a text where one types."""
    if isinstance(widget, Input):
        return widget.cursor_screen_offset
    place = widget.content_region.offset
    if isinstance(widget, OptionList) and widget.highlighted is not None:
        return place + Offset(0, widget._index_to_line[widget.highlighted] - widget.scroll_offset.y)
    return place
