"""Where the terminal's cursor stands: braille displays and screen readers follow it to what is chosen."""

from __future__ import annotations

from typing import Any

from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from heat_tui.widgets.panel import TextPanel


def cursor_of(screen: Screen[Any]) -> Offset | None:
    """Give the cell of what has the focus, else of what a panel has chosen, else of a dialog; or none."""
    if screen.focused is not None:
        return _focus_offset(screen.focused)
    if (chosen := _chosen_offset(screen)) is not None:
        return chosen
    shown = screen.children if isinstance(screen, ModalScreen) else ()
    return next((child.content_region.offset for child in shown if child.content_region), None)


def _chosen_offset(above: Widget) -> Offset | None:
    """Give the place of what the first panel below a widget has chosen; it is asked for with each frame."""
    for widget in above.children:
        if not isinstance(widget, TextPanel):
            found = _chosen_offset(widget)
        elif widget.chosen is not None and widget.content_region:
            found = widget.content_region.offset + widget.chosen
        else:
            continue
        if found is not None:
            return found
    return None


def _focus_offset(widget: Widget) -> Offset:
    """Give the place of what has the focus: of a list its chosen line, of a text where one types."""
    if isinstance(widget, Input):
        return widget.cursor_screen_offset
    place = widget.content_region.offset
    if isinstance(widget, OptionList) and widget.highlighted is not None:
        return place + Offset(0, widget._index_to_line.get(widget.highlighted, 0) - widget.scroll_offset.y)
    return place
