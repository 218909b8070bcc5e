"""The newest lines of the log and of the chat, beside the map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.style import Style
from rich.text import Text

from heat_tui.race.presenter import RaceLabels
from heat_tui.theme.colours import CAR_STYLES, DIM, GOLD
from heat_tui.theme.glyphs import ASCII, Glyphs, spelled
from heat_tui.widgets.panel import TextPanel
from heat_tui.words.labels import newest_rows
from heat_tui.words.log import LogLine

_HEADING = Style(bold=True, color=GOLD)


class NewestLines(TextPanel):
    """As many of the last lines as fit, wrapped. Where there are colours, a driver's name at the beginning of
    a line is the letter of the car in its colour.
    """

    _drawn: tuple[object, ...] = ()
    """What the log was drawn for last: lines are only added to it."""

    def show_log(self, lines: Sequence[LogLine], labels: RaceLabels) -> None:
        """Show a race's log, each round below a ruled heading."""
        self.show_fitting(partial(self._draw_log, lines, labels))

    def _draw_log(self, lines: Sequence[LogLine], labels: RaceLabels) -> None:
        height = self.size.height
        if (drawn := (len(lines), self.size, self.glyphs, self.has_pictures)) == self._drawn:
            return
        self._drawn = drawn
        shown = [line for line in lines[-height - 1 :] if line.short is None or line.short.plain]
        self._draw_newest([self._log_line(line, labels) for line in shown[-height:]] if height else [])

    def _log_line(self, line: LogLine, labels: RaceLabels) -> Text:
        text = line.short or line.text
        if line.topic == "round":
            return ruled(text.plain, self.size.width - 1, self.glyphs)
        return text if line.car is None else self._with_chip(text, labels, line.car, " ")

    def show_chat(self, lines: Sequence[Text], labels: RaceLabels, heading: str) -> None:
        """Show the chat below a ruled heading.

        Args:
            lines: As they were said, each behind the name of who wrote it.
            labels: Who races; others keep their names.
            heading: Says what it is, and how to write.
        """
        self.show_fitting(partial(self._draw_chat, lines, labels, heading))

    def _draw_chat(self, lines: Sequence[Text], labels: RaceLabels, heading: str) -> None:
        told = [*lines]
        for car in range(len(labels.names)):
            told = [self._with_chip(line, labels, car, ": ") for line in told]
        self._draw_newest(told, ruled(heading, self.size.width - 1, self.glyphs))

    def _with_chip(self, text: Text, labels: RaceLabels, car: int, behind: str) -> Text:
        """Put a car's letter in the place of its driver's name, where the line begins with that."""
        name = f"{labels.names[car]}{behind}"
        if not self.has_pictures or not text.plain.startswith(name):
            return text
        chip = labels.letters[car], CAR_STYLES[labels.setup.cars[car].colour]
        return Text.assemble(chip, " ", text[len(name) :])

    def _draw_newest(self, lines: Sequence[Text], heading: Text | None = None) -> None:
        top = [] if heading is None else [heading]
        width, height = self.size.width, self.size.height - len(top)
        if width < 2 or height < 1:
            return
        rows = newest_rows(lines, width, height, self.app.console)
        self.show_lines([spelled(row, is_ascii=self.glyphs is ASCII) for row in (*top, *rows)])


def ruled(words: str, width: int, glyphs: Glyphs) -> Text:
    """Write a heading with a line on both sides, in so many cells."""
    line = glyphs.card_top[1]
    heading = Text.assemble((f"{line} ", DIM), (words, _HEADING), " ")
    return heading.append(line * max(0, width - heading.cell_len), DIM)
