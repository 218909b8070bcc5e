"""The pictures of the section "One, two, three servers"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from heat_core.charts import MARGIN, WIDTH, Sheet
from tests.scale.load.figures import Figures
from tests.scale.load.page import (
    RACING_PICTURE,
    RESTING_PICTURE,
    TAKING_OVER_PICTURE,
    ending,
    rate,
    servers,
)

_COLOURS: Final = ("#2f6f9f", "#d98032", "#9bbf8a")
_LETTER_WIDTH: Final = 7.0
_ROW_HEIGHT: Final = 20.0


def pictures(figures: Figures) -> Iterator[tuple[str, str]]:
    """Draw the pictures: file name and SVG of each."""
    yield RACING_PICTURE, _racing(figures)
    yield RESTING_PICTURE, _resting(figures)
    yield TAKING_OVER_PICTURE, _taking_over(figures)


def _racing(figures: Figures) -> str:
    sheet = Sheet()
    sheet.title("Processor time a command, ms")
    rows = {
        f"{servers(raced.crowd)} at {rate(raced.crowd)}": (raced.server_ms, raced.database_ms)
        for raced in figures.raced
    }
    stacks(sheet, rows, ("servers", "database"))
    sheet.title("Commands that share a commit")
    with_database = [raced for raced in figures.raced if raced.crowd.servers]
    rows_of_commits = {
        f"{servers(raced.crowd)} at {rate(raced.crowd)}": (raced.commands_per_commit,)
        for raced in with_database
    }
    stacks(sheet, rows_of_commits, ("commands",))
    return sheet.svg()


def _resting(figures: Figures) -> str:
    sheet = Sheet()
    sheet.title("Processor time a second for each server at rest, ms")
    rows = {
        f"{rested.rest.sleeping:,} asleep, {rested.rest.awake:,} awake": (
            rested.server_ms,
            rested.database_ms,
        )
        for rested in figures.rested
    }
    stacks(sheet, rows, ("server", "database"))
    return sheet.svg()


def _taking_over(figures: Figures) -> str:
    sheet = Sheet()
    sheet.title("Seconds until all rooms are owned, and until all drivers are back")
    seconds = {
        ending(over.what): (over.owned_seconds, max(0.0, over.back_seconds - over.owned_seconds))
        for over in figures.taken_over
    }
    stacks(sheet, seconds, ("owned", "back"))
    sheet.title("Processor time until all is as before, s")
    work = {
        ending(over.what): (over.server_seconds, over.database_seconds, over.clients_seconds)
        for over in figures.taken_over
    }
    stacks(sheet, work, ("other servers", "database", "clients"))
    return sheet.svg()


def stacks(sheet: Sheet, rows: Mapping[str, Sequence[float]], names: Sequence[str]) -> None:
    """Draw a bar in each row that is put together of parts, with the sum behind it.

    Args:
        sheet: Where to.
        rows: Name -> length of each part; at least one row.
        names: Of the parts.
    """
    if len(names) > 1:
        sheet.legend(names, _COLOURS)
    left = MARGIN + _LETTER_WIDTH * max(map(len, rows))
    most = max(chain([sum(parts) for parts in rows.values()], [1e-9]))
    unit = (WIDTH - MARGIN - left) / most
    for name, parts in rows.items():
        middle = sheet.y + _ROW_HEIGHT / 2
        sheet.text(left - 8, middle + 4, name, anchor="end")
        x = left
        for part, colour in zip(parts, _COLOURS, strict=False):
            sheet.box(x, middle - 7, part * unit, 14, colour)
            x += part * unit
        sheet.text(x + 6, middle + 4, f"{sum(parts):,.2f}", size=10)
        sheet.y += _ROW_HEIGHT
    sheet.y += 6
