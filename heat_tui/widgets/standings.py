"""Who is where: one line a car, the leader first; and below them who drives when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from heat_core.bots.names import without_level
from heat_core.sentences.events import gear_name
from heat_core.view.race_view import CarView
from heat_tui.race.rows import Entry
from heat_tui.theme.colours import CAR_STYLES, GOLD, GREEN, RED
from heat_tui.theme.glyphs import ASCII, Glyphs
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut

_FIXED = 18
_HEADING: Final = "lap/space gear Heat"
_SHORT_HEADING: Final = "space gear Heat"
_CHOOSING: Final = "choosing"
_LEAST_NAME: Final = 4
"""Cells for a name before the word; with less room there is a sign, explained in the heading."""


class Standings(TextPanel):
    """The standings; they keep their columns aligned whatever the names are."""

    def show_entries(self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int) -> None:
        """Draw the table, with a heading and the turn order.

        Args:
            entries: The leader first.
            order: Cars by number, in the order of their turns.
            done: How many of them have had their turn.
        """
        self.show_fitting(partial(self._draw_entries, [*entries], laps, [*order], done))

    def _draw_entries(self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int) -> None:
        width = max(4, self.content_size.width - _FIXED)
        told = self._sign_told(entries, width)
        room = width + _FIXED - len(told)
        heading = _HEADING if len(_HEADING) < room else _SHORT_HEADING
        lines = [Text(f"{told}{heading:>{room}}", Style(dim=True))]
        for entry in entries:
            lines.append(self._line(entry, width, laps))
        self.show_lines([*lines, turns_line(entries, order, done, self.glyphs)])

    def _line(self, entry: Entry, width: int, laps: int) -> Text:
        car = entry.car
        is_out = car.status in ("gave_up", "spun_out")
        style = Style(bold=entry.is_active or entry.is_own, dim=is_out, underline=entry.is_own)
        line = Text()
        line.append(self.glyphs.active if entry.is_active else " ", Style(bold=True, color=GOLD))
        line.append(entry.letter, CAR_STYLES[entry.colour])
        line.append(" ")
        in_words = entry.mark == "waiting" and _has_words(entry, width) and not is_out
        room = width - len(_CHOOSING) - 1 if in_words else width
        shown = entry.name if cell_len(entry.name) <= room else without_level(entry.name)
        name = cut(shown, room, is_ascii=self.glyphs is ASCII)
        line.append(name.plain, style)
        line.append(" " * (room - name.cell_len))
        if in_words:
            line.append(f" {_CHOOSING}", Style(color=GOLD))
        if is_out:
            line.append(" gave up" if car.status == "gave_up" else " spun out", Style(dim=True))
            return line
        lap = _place_text(car, laps)
        line.append(" " * (6 - len(lap)))
        line.append(lap, style)
        if car.is_legend:
            line.append(f" spd {car.speed:<2}" if car.speed is not None else " " * 7, Style(dim=True))
        else:
            line.append(f" {gear_name(car.gear):>3} ")
            line.append(f"{car.engine:>2}", Style(color=RED))
        glyphs = self.glyphs
        waiting = " " if in_words else glyphs.waiting
        marks = {"chosen": glyphs.chosen, "waiting": waiting, "away": glyphs.away}
        line.append(
            " " + marks.get(entry.mark, " "),
            Style(color=GREEN if entry.mark == "chosen" else GOLD, bold=True),
        )
        return line

    def _sign_told(self, entries: Sequence[Entry], width: int) -> str:
        """Explain the sign of those who are choosing, while anybody has it in place of the word."""
        is_due = any(entry.mark == "waiting" and not _has_words(entry, width) for entry in entries)
        return f"{self.glyphs.waiting}{_CHOOSING}" if is_due else ""


def _has_words(entry: Entry, width: int) -> bool:
    """Tell whether a name leaves room for the word, in a column of so many cells."""
    return width >= max(_LEAST_NAME, cell_len(entry.name)) + 1 + len(_CHOOSING)


class StandingsStrip(TextPanel):
    """The same in two lines, where the map covers the screen: lap and space of each car, and the turns."""

    def show_entries(self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int) -> None:
        """Draw the strip; see `Standings.show_entries`."""
        line = Text()
        for entry in entries:
            line.append(self.glyphs.active if entry.is_active else " ", Style(bold=True, color=GOLD))
            line.append(entry.letter, CAR_STYLES[entry.colour])
            style = Style(bold=entry.is_active or entry.is_own, underline=entry.is_own)
            line.append(" ")
            line.append(_place_text(entry.car, laps), style)
            line.append(" ")
        self.show_lines([line, turns_line(entries, order, done, self.glyphs)])


def turns_line(entries: Sequence[Entry], order: Sequence[int], done: int, glyphs: Glyphs) -> Text:
    """Show who drives when in this round: dim who has, marked who does."""
    by_number = {entry.car.number: entry for entry in entries}
    line = Text(" turns ", Style(dim=True))
    for place, number in enumerate(order):
        entry = by_number[number]
        line.append(glyphs.active if entry.is_active else " ", Style(bold=True, color=GOLD))
        has_driven = place < done
        line.append(entry.letter, Style(dim=True) if has_driven else CAR_STYLES[entry.colour])
    return line


def _place_text(car: CarView, laps: int) -> str:
    """Say lap and space of a car, or how it ended."""
    if car.status in ("gave_up", "spun_out"):
        return "out"
    has_finished = car.progress > 0 and car.status in ("finished", "left")
    return "fin" if has_finished else f"{min(car.lap, laps)}/{car.space}"
