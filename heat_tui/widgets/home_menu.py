"""Home's menu: what can be continued, then the entries in groups, each with its letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from heat_tui.flow.home import Group, MenuLine
from heat_tui.theme.colours import BOLD, GOLD, SOFT, inked
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.car_pictures import SMALL_COLUMNS, small_car
from heat_tui.widgets.marked_list import MARK_CELLS, MarkedList
from heat_tui.words.labels import cut

_HEADINGS: Final[Mapping[Group, str]] = {"drive": "DRIVE", "together": "TOGETHER", "more": "MORE"}
_KEY: Final = Style(bold=True, color=GOLD)
_SOFT: Final = Style(color=SOFT)
_PLAIN: Final = Style()
_LABEL_CELLS: Final = 14
_KEY_CELLS: Final = 3
_INDENT: Final = _KEY_CELLS + _LABEL_CELLS
_USUAL_CELLS: Final = 60
"""How wide the lines are written before the menu has its width."""


def _is_left(line: MenuLine) -> bool:
    """Tell whether a line leads back to what was left."""
    return line.entry.group == "left"


class HomeMenu(MarkedList):
    """The lines of the menu; the options have their keys as identifiers.

    The chosen line is gold throughout, so its own inks are taken off it.
    """

    def __init__(self, *, id: str) -> None:
        """Begin empty."""
        super().__init__(id=id, markup=False)
        self._menu: dict[str, MenuLine] = {}
        self._notes: Mapping[str, str] = {}
        self._is_airy = self._has_pictures = False
        self._wanted: str | None = None
        self._shown_chosen = ""
        self._inked = ""
        self._filled: tuple[object, ...] = ()

    @property
    def line(self) -> MenuLine | None:
        """The chosen line."""
        option = self.highlighted_option
        return None if option is None or option.id is None else self._menu.get(option.id)

    def line_of(self, key: str) -> MenuLine:
        """Give a line by its key."""
        return self._menu[key]

    def show(
        self, menu: Sequence[MenuLine], notes: Mapping[str, str], *, is_airy: bool, has_pictures: bool
    ) -> None:
        """Show the menu; who is on a line stays on it, unless something new can be continued.

        Args:
            notes: What is shown instead of what an entry is, by its name.
            is_airy: Whether there is room for blank lines between groups.
            has_pictures: Whether the car to continue with is drawn.
        """
        known = {line.about for line in self._menu.values()}
        self._menu = {line.key: line for line in menu}
        self._wanted = next((line.key for line in menu if _is_left(line) and line.about not in known), None)
        self._notes, self._is_airy, self._has_pictures = notes, is_airy, has_pictures
        self._fill()

    def on_resize(self) -> None:
        """Set the lines to the new width."""
        self._fill()

    def notify_style_update(self) -> None:
        """Take the theme's paints."""
        super().notify_style_update()
        if self._inked != self.app.current_theme.name:
            self._fill()

    def _fill(self) -> None:
        """Write all lines, unless they already are as they would be written; Home asks often."""
        if not self._menu:
            return
        chosen, wanted = self.line, self._wanted
        self._wanted = None
        key = wanted or (next(iter(self._menu)) if chosen is None else chosen.key)
        self._inked = self.app.current_theme.name
        look = (self._inked, self.app.has_class("-ascii"), self._width, self._is_airy, self._has_pictures)
        filled = (key, dict(self._menu), dict(self._notes), look)
        if chosen is not None and filled == self._filled and key == chosen.key == self._shown_chosen:
            return
        self._filled = filled
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            group: Group = "left"
            for line in self._menu.values():
                if line.entry.group != group:
                    group = line.entry.group
                    self.add_option(
                        Option(self._heading(group, is_first=not self.option_count), disabled=True)
                    )
                self.add_option(Option(self._prompt(line, is_chosen=line.key == key), id=line.key))
            self.highlighted = self.get_option_index(key)
        self._shown_chosen = key

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Give the line that was left its inks back; the menu may be another one by now."""
        if event.option_id in self._menu:
            for key in {self._shown_chosen, event.option_id} & self._menu.keys():
                prompt = self._prompt(self._menu[key], is_chosen=key == event.option_id)
                self.replace_option_prompt(key, prompt)
            self._shown_chosen = event.option_id

    def _heading(self, group: Group, *, is_first: bool) -> Text:
        rule = "-" if self.app.has_class("-ascii") else "─"
        text = Text("\n" if self._is_airy and not is_first else "")
        text.append(f"{_HEADINGS[group]} ", _SOFT)
        width = self._width
        text.append(rule * (width - len(_HEADINGS[group]) - 2), style("night", "line"))
        return inked(text, self.app.current_theme)

    @property
    def _width(self) -> int:
        return (self.scrollable_content_region.width or _USUAL_CELLS) - MARK_CELLS

    def _prompt(self, line: MenuLine, *, is_chosen: bool) -> Text:
        """Write a line of the menu; its letter is on the first of a kind alone."""
        key, label = (line.entry.key, line.entry.label) if line.number == 1 else ("", "")
        text = Text(no_wrap=True)
        text.append(f"{key:<{_KEY_CELLS}}", BOLD if is_chosen else _KEY)
        text.append(f"{label:<{_LABEL_CELLS}}", BOLD)
        quiet = Style() if is_chosen else _SOFT
        if _is_left(line):
            self._add_left(text, line, quiet, "gold-fill" if is_chosen else "panel")
        else:
            text.append_text(self._cut(self._notes.get(line.entry.name, line.about), _INDENT, quiet))
        return inked(text, self.app.current_theme)

    def _add_left(self, text: Text, line: MenuLine, quiet: Style, ground: Paint) -> None:
        """Say what can be gone back to, in a second row too where it is long; beside it is the car."""
        if cell_len(line.about) <= self._width - _INDENT:
            text.append(line.about)
            return
        first, second = ("", line.about) if line.saved is None else (line.saved.name, line.saved.detail)
        car = None if line.saved is None or not self._has_pictures else line.saved.colour
        parts = () if car is None else small_car(car, "night", ground)
        spared = SMALL_COLUMNS if parts else 0
        rows = [
            text.append_text(self._cut(first, _INDENT + spared)),
            Text(" " * _KEY_CELLS).append_text(self._cut(second, _KEY_CELLS + spared, quiet)),
        ]
        for row, part in zip(rows, parts, strict=False):
            row.pad_right(self._width - spared - row.cell_len)
            row.append_text(part)
        text.append("\n").append_text(rows[1])

    def _cut(self, told: str, left: int, style: Style = _PLAIN) -> Text:
        """Cut a text to what so many cells before and behind it leave."""
        return cut(Text(told, style), self._width - left, is_ascii=self.app.has_class("-ascii"))
