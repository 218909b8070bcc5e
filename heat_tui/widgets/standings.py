"""Who is where: one line a car, the leader first; and below them who drives when."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from heat_core.bot_names import without_level
from heat_core.sentences.events import gear_name
from heat_core.view.race_view import CarView
from heat_tui.flow.ghost import GHOST_LETTER
from heat_tui.race.rows import Entry
from heat_tui.theme.colours import CAR_STYLES, DIM, GOLD, GREEN, RED
from heat_tui.theme.glyphs import ASCII, Glyphs
from heat_tui.theme.paints import style
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import cut

_SHORT_HEADING: Final = "gap/gear/Heat"
"""Of columns that are narrower than their names."""
_CHOOSING: Final = "choosing"
_GHOST_NAME: Final = "your best"
_PLACE_CELLS: Final = 4
"""Place, arrow or mark, letter, blank."""
_HEAT_CELLS: Final = 2
"""The Heat as a number; a bar behind it has a blank after it, before the mark."""
_WIDE_FROM: Final = 36
_OWN_ROW: Final = style("night", "ink", "raised")


class _Columns(NamedTuple):
    """How wide the columns of the table are, in cells."""

    name: int
    lap: int
    gap: int
    gear: int
    heat: int

    @property
    def is_wide(self) -> bool:
        return self.gear > 2

    def heading(self) -> str:
        """Name the columns; each name ends where its column ends, that of the Heat begins with it."""
        lap = _PLACE_CELLS + self.name + self.lap
        return f"{'lap/space':>{lap}}{'gap':>{self.gap}}{'gear':>{self.gear}} Heat"


class GhostEntry(NamedTuple):
    """Where the own best race stood at the end of this round."""

    progress: int
    lap: int
    space: int


class Standings(TextPanel):
    """The standings; they keep their columns aligned whatever the names are.

    Attributes:
        ghost: Has a line below the cars from the next drawing on; None: none.
    """

    ghost: GhostEntry | None = None

    def show_entries(
        self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int, engine_size: int
    ) -> None:
        """Draw the table, with a heading and the turn order.

        Args:
            entries: The leader first.
            laps: Of the race.
            order: Cars by number, in the order of their turns.
            done: How many of them have had their turn.
            engine_size: Heat of a whole engine.
        """
        self.show_fitting(partial(self._draw_entries, [*entries], laps, [*order], done, engine_size))

    def _draw_entries(
        self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int, engine_size: int
    ) -> None:
        width = self.content_size.width or 26
        gaps = _gaps(entries)
        is_wide = width >= _WIDE_FROM
        lap = max(len(_place_text(entry.car, laps)) for entry in entries) + 1
        ghost_gap = self._ghost_gap(entries)
        gap = max(map(len, (*gaps.values(), ghost_gap, "gap" if is_wide else ""))) + 1
        gear, heat = (5 if is_wide else 2), _HEAT_CELLS
        left = width - _PLACE_CELLS - lap - gap - gear - heat - 1
        longest = max(cell_len(without_level(entry.name)) for entry in entries)
        # The names come first; the Heat is a number, too.
        bar = min(engine_size, max(0, left - longest - 1)) if is_wide else 0
        bar += 1 if bar else 0  # a mark right behind the bar would look as if the bar were cut
        columns = _Columns(max(3, left - bar), lap, gap, gear, heat + bar)
        told = f"{self.glyphs.waiting}{_CHOOSING}" if any(e.mark == "waiting" for e in entries) else ""
        heading = columns.heading() if is_wide else f"{_SHORT_HEADING:>{width - 1}}"
        lines = [Text(told + heading[len(told) :], DIM)]
        lines += [self._line(entry, columns, laps, gaps[entry.car.number], engine_size) for entry in entries]
        if self.ghost is not None:
            lines.append(self._ghost_line(self.ghost, ghost_gap, columns, laps))
        self.show_lines([*lines, turns_line(entries, order, done, self.glyphs)])

    def _ghost_gap(self, entries: Sequence[Entry]) -> str:
        """Say how many spaces the ghost is before or behind the own car."""
        own = next((entry.car for entry in entries if entry.is_own), None)
        if self.ghost is None or own is None or not own.is_on_track:
            return ""
        return _gap_text(self.ghost.progress - own.progress)

    def _ghost_line(self, ghost: GhostEntry, gap: str, columns: _Columns, laps: int) -> Text:
        """Show the own best race, with its distance to the own car."""
        name = (_GHOST_NAME if len(_GHOST_NAME) <= columns.name else "best")[: columns.name]
        lap = "fin" if ghost.lap > laps else f"{ghost.lap}/{ghost.space}"
        return Text(f"  {GHOST_LETTER} {name:<{columns.name}}{lap:>{columns.lap}}{gap:>{columns.gap}}", DIM)

    def _line(self, entry: Entry, columns: _Columns, laps: int, gap: str, engine_size: int) -> Text:
        car, glyphs = entry.car, self.glyphs
        is_out = car.status in ("gave_up", "spun_out")
        drawn = Style(bold=entry.is_active or entry.is_own, dim=is_out, underline=entry.is_own)
        line = Text(style=_OWN_ROW if entry.is_own else "")
        line.append(str(entry.place), Style(bold=entry.is_own, dim=not entry.is_own))
        if entry.is_active:
            line.append(glyphs.active, Style(bold=True, color=GOLD))
        elif entry.gained:
            is_up = entry.gained > 0
            line.append(glyphs.gained if is_up else glyphs.lost, Style(color=GREEN if is_up else RED))
        else:
            line.append(" ")
        line.append(entry.letter, CAR_STYLES[entry.colour])
        line.append(" ")
        shown = entry.name if cell_len(entry.name) <= columns.name else without_level(entry.name)
        name = cut(shown, columns.name, is_ascii=glyphs is ASCII)
        line.append(name.plain, drawn)
        line.append(" " * (columns.name - name.cell_len))
        if is_out:
            return line.append(" gave up" if car.status == "gave_up" else " spun out", DIM)
        lap = _place_text(car, laps)
        line.append(" " * (columns.lap - len(lap))).append(lap, drawn)
        line.append(f"{gap:>{columns.gap}}", DIM)
        self._add_instruments(line, car, columns, engine_size)
        marks = {"chosen": glyphs.chosen, "waiting": glyphs.waiting, "away": glyphs.away}
        line.append(
            marks.get(entry.mark, " "), Style(color=GREEN if entry.mark == "chosen" else GOLD, bold=True)
        )
        return line

    def _add_instruments(self, line: Text, car: CarView, columns: _Columns, engine_size: int) -> None:
        """Add gear and Heat, of a Legend its speed."""
        if car.is_legend:
            room = columns.gear + columns.heat
            words = (f"  speed {car.speed}", f" s{car.speed}")
            fitting = next((word for word in words if columns.is_wide and len(word) <= room), words[-1])
            line.append(f"{'' if car.speed is None else fitting:<{room}}", DIM)
            return
        line.append(f"{gear_name(car.gear) if columns.is_wide else car.gear:>{columns.gear}}")
        line.append(f"{car.engine:>2}", Style(color=RED, bold=True))
        if columns.heat > _HEAT_CELLS:
            bar = columns.heat - _HEAT_CELLS - 1
            full = min(bar, car.engine)
            line.append(self.glyphs.heat_full * full, Style(color=RED))
            line.append(self.glyphs.heat_empty * (bar - full) + " ", DIM)


def _gaps(entries: Sequence[Entry]) -> dict[int, str]:
    """Say how many spaces each car is before or behind the own one, or behind the leader for a watcher."""
    own = next((entry for entry in entries if entry.is_own), entries[0])
    told = {}
    for entry in entries:
        is_told = entry is not own and entry.car.is_on_track
        told[entry.car.number] = _gap_text(entry.car.progress - own.car.progress) if is_told else ""
    return told


def _gap_text(spaces: int) -> str:
    return f"{spaces:+}" if spaces else "="


class StandingsStrip(TextPanel):
    """The same in two lines, where the map covers the screen: lap and space of each car, and the turns."""

    def show_entries(
        self, entries: Sequence[Entry], laps: int, order: Sequence[int], done: int, _: int
    ) -> None:
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
    return "fin" if has_finished or car.lap > laps else f"{car.lap}/{car.space}"
