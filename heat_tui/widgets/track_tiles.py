"""Circuits to choose from as small drawings in a grid, where there is room and colour for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widget import Widget

from heat_core.track_facts import TrackFacts
from heat_tui.map.outline import outline
from heat_tui.theme.colours import BOLD, ON_GOLD, inked
from heat_tui.theme.paints import Paint, style
from heat_tui.widgets.marked_list import focus_mark
from heat_tui.words.labels import cut

ACROSS: Final = 4
_DOWN: Final = 2
"""Tiles beside and above each other; further rows come into sight with the choice."""


class TrackTile(NamedTuple):
    """A circuit to choose.

    Attributes:
        facts: None: its file has faults.
    """

    name: str
    facts: TrackFacts | None


class TrackTiles(Widget, can_focus=True):
    """Tiles, one of them chosen; at its ends up and down lead on to the next row of the form.

    Attributes:
        chosen: The number of the chosen tile.
    """

    BINDINGS = [
        Binding("left", "step(-1)", "Circuit", key_display="←→"),
        Binding("right", "step(1)", "Next", show=False),
        Binding("up", f"step(-{ACROSS})", "Up", show=False),
        Binding("down", f"step({ACROSS})", "Down", show=False),
    ]

    class Chosen(Message):
        """Another tile was chosen.

        Attributes:
            number: Of the tile.
        """

        def __init__(self, number: int) -> None:
            """Say which one."""
            super().__init__()
            self.number = number

    def __init__(self, *, id: str) -> None:
        """Begin without tiles."""
        super().__init__(id=id)
        self._tiles: tuple[TrackTile, ...] = ()
        self.chosen = 0

    def show(self, tiles: Sequence[TrackTile], chosen: int) -> None:
        """Show tiles and which one is chosen."""
        self._tiles, self.chosen = tuple(tiles), chosen
        self.refresh()

    def action_step(self, step: int) -> None:
        """Go some tiles on or back; above the first and below the last row out of the grid."""
        if 0 <= self.chosen + step < len(self._tiles):
            self._choose(self.chosen + step)
        elif step == ACROSS:
            self.screen.focus_next()
        elif step == -ACROSS:
            self.screen.focus_previous()

    def on_click(self, event: events.Click) -> None:
        """Choose the tile under the mouse."""
        columns, rows = self._tile_size
        row, column = self._first_row + event.y // rows, min(event.x // columns, ACROSS - 1)
        if (number := row * ACROSS + column) < len(self._tiles):
            self._choose(number)

    def choose(self, number: int) -> None:
        """Choose a tile, without a message."""
        self.chosen = number
        self.refresh()

    def _choose(self, number: int) -> None:
        self.choose(number)
        self.post_message(self.Chosen(number))

    @property
    def _tile_size(self) -> tuple[int, int]:
        """Columns and rows of a tile with its frame."""
        return max(6, self.size.width // ACROSS), max(4, self.size.height // _DOWN)

    @property
    def _first_row(self) -> int:
        return max(0, self.chosen // ACROSS - _DOWN + 1)

    def render(self) -> Text:
        """Draw the rows that are in sight."""
        text = Text(no_wrap=True)
        first = self._first_row * ACROSS
        for start in range(first, min(first + ACROSS * _DOWN, len(self._tiles)), ACROSS):
            row = [self._tile(number) for number in range(start, min(start + ACROSS, len(self._tiles)))]
            for parts in zip(*row, strict=True):
                text.append_text(Text.assemble(*parts)).append("\n")
        return inked(text, self.app.current_theme)

    def _tile(self, number: int) -> list[Text]:
        tile, is_chosen = self._tiles[number], number == self.chosen
        columns, rows = (side - 2 for side in self._tile_size)
        columns -= 1  # a gap to the next one
        mark = focus_mark(self, is_chosen=is_chosen, has_focus=self.has_focus)
        ground: Paint = "raised" if is_chosen else "panel"
        frame = style("night", "gold" if is_chosen else "line", ground)
        name = cut(f"{mark}{tile.name}", columns, is_ascii=False)
        if name.cell_len < columns:
            name.append(" ")
        chosen = ON_GOLD if self.has_focus else frame + BOLD
        name.stylize(chosen if is_chosen else style("night", "ink", ground))
        told = " faulty " if tile.facts is None else f" {tile.facts.laps} × {tile.facts.spaces} "
        drawn: Sequence[Text] = [Text(" " * columns, frame)] * rows
        if tile.facts is not None:
            line: Paint = "gold" if is_chosen else "soft"
            drawn = outline(tile.facts, columns, rows, line, ground)
        gap = Text(" ")
        top = Text.assemble(("╭", frame), name, ("─" * (columns - name.cell_len) + "╮", frame), gap)
        bottom = Text.assemble(
            ("╰" + "─" * (columns - 1 - len(told)), frame),
            (told, style("night", "ink" if is_chosen else "soft", ground)),
            ("─╯", frame),
            gap,
        )
        return [top, *(Text.assemble(("│", frame), part, ("│", frame), gap) for part in drawn), bottom]
