"""The mark before what is chosen, of lists and of the rows of forms: seen without any colour."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.geometry import Size
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from heat_tui.theme.glyphs import ASCII, UNICODE

MARK_CELLS = 1


def focus_mark(widget: Widget, *, is_chosen: bool, has_focus: bool) -> str:
    """Give what stands before a row, one cell wide: one row of a screen has the arrow, where keys go.

    Args:
        is_chosen: Whether the row is the chosen one of its list; a blank stands before all others.
        has_focus: Whether the list has the focus too; without, the chosen row has a dot.
    """
    glyphs = ASCII if widget.app.has_class("-ascii") else UNICODE
    return (glyphs.active if has_focus else glyphs.dot) if is_chosen else " "


class MarkedList(OptionList):
    """A list with a mark before its chosen option; its options are drawn one cell to the right."""

    def _get_left_gutter_width(self) -> int:
        return MARK_CELLS

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Count the lines in the width that the mark leaves."""
        return super().get_content_height(container, viewport, width - MARK_CELLS)

    def on_resize(self) -> None:
        """Keep the chosen option in sight: in another width options have other lines."""
        self.call_after_refresh(self.scroll_to_highlight)

    def watch_show_vertical_scrollbar(self) -> None:
        """The same once the scroll bar takes some of the width: Textual folds no option for that."""
        self._clear_caches()
        self.call_after_refresh(self.scroll_to_highlight)

    def _get_option_render(self, option: Option, style: Style) -> list[Strip]:
        """Draw an option; its mark stands in the first line, and can be clicked as the option."""
        is_chosen = option is self.highlighted_option
        mark = focus_mark(self, is_chosen=is_chosen, has_focus=self.has_focus)
        ground = style.rich_style + RichStyle(meta={"option": self._option_to_index[option]})
        return [
            Strip([Segment(" " if line else mark, ground), *strip], strip.cell_length + MARK_CELLS)
            for line, strip in enumerate(super()._get_option_render(option, style))
        ]
