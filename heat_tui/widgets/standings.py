"""Who is where: one line a car, the leader first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from heat_core.sentences import gear_name
from heat_core.setup import Colour
from heat_core.view import CarView
from heat_tui.labels import cut
from heat_tui.race.glyphs import ASCII
from heat_tui.race.palette import CAR_STYLES, GOLD, GREEN, RED
from heat_tui.widgets.panel import TextPanel

_FIXED = 18


class Entry(NamedTuple):
    """One car of the table.

    Attributes:
        mark: `chosen`, `waiting` or "".
    """

    car: CarView
    name: str
    letter: str
    colour: Colour
    is_own: bool
    is_active: bool
    mark: str
    place: int


class Standings(TextPanel):
    """The standings; they keep their columns aligned whatever the names are."""

    def show_entries(self, entries: Sequence[Entry], laps: int) -> None:
        """Draw the table, with a heading."""
        self.show_fitting(partial(self._draw_entries, [*entries], laps))

    def _draw_entries(self, entries: Sequence[Entry], laps: int) -> None:
        width = max(4, self.content_size.width - _FIXED)
        lines = [Text(f"   {'':<{width - 1}}lap/sp gear Heat", Style(dim=True))]
        for entry in entries:
            lines.append(self._line(entry, width, laps))
        self.show_lines(lines)

    def _line(self, entry: Entry, width: int, laps: int) -> Text:
        car = entry.car
        is_out = car.status == "gave_up"
        style = Style(bold=entry.is_active or entry.is_own, dim=is_out, underline=entry.is_own)
        line = Text()
        line.append(self.glyphs.active if entry.is_active else " ", Style(bold=True, color=GOLD))
        line.append(entry.letter, CAR_STYLES[entry.colour])
        line.append(" ")
        name = cut(entry.name, width, is_ascii=self.glyphs is ASCII)
        line.append(name.plain, style)
        line.append(" " * (width - name.cell_len))
        if is_out:
            line.append(" gave up", Style(dim=True))
            return line
        has_finished = car.progress > 0 and car.status in ("finished", "left")
        lap = "fin" if has_finished else f"{min(car.lap, laps)}/{car.space}"
        line.append(" " * (6 - len(lap)))
        line.append(lap, style)
        if car.is_legend:
            line.append(f" spd {car.speed:<2}" if car.speed is not None else " " * 7, Style(dim=True))
        else:
            line.append(f" {gear_name(car.gear):>3} ")
            line.append(f"{car.engine:>2}", Style(color=RED))
        mark = {"chosen": self.glyphs.chosen, "waiting": self.glyphs.waiting}.get(entry.mark, " ")
        line.append(" " + mark, Style(color=GREEN if entry.mark == "chosen" else GOLD, bold=True))
        return line
