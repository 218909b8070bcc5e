"""The daily race for both faces: today's race, the result that counts, and the line to paste."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from heat_core.files import load_track, track_names
from heat_core.game_files import read_record
from heat_core.race.setup import Colour
from heat_core.record.record import BadRecord
from heat_core.table import Table
from heat_tui.daily import daily_board, daily_options
from heat_tui.flow.daily_words import (
    NO_RESULT,
    PRACTICE,
    RULES,
    RoundSign,
    daily_title,
    day_line,
    field_text,
    result_line,
    round_signs,
    streak_text,
)
from heat_tui.flow.table_factory import make_table
from heat_tui.saved.finished import Finished, FinishedIndex
from heat_tui.saved.records import record_folder
from heat_tui.state import Folders

_SHOWN_DAYS: Final = 7


def counted_days(races: Iterable[Finished]) -> Mapping[str, Finished]:
    """Choose the result of each day that counts: the first that was finished.

    Args:
        races: Oldest first.
    """
    days: dict[str, Finished] = {}
    for race in races:
        if race.daily:
            days.setdefault(race.daily, race)
    return days


def days_in_a_row(days: Iterable[str], last: date) -> int:
    """Count the days in a row with a result, up to a day or to the one before it."""
    known = set(days)
    day = last if last.isoformat() in known else last - timedelta(days=1)
    count = 0
    while day.isoformat() in known:
        count += 1
        day -= timedelta(days=1)
    return count


class DailyController:
    """The daily race.

    Attributes:
        day: The date in UTC.
        track: Its board.
        result: What counts of today; None: not raced yet.
    """

    def __init__(self, folders: Folders, player_name: str, colour: Colour, day: date) -> None:
        """Look nothing up yet; `refresh` does."""
        boards = track_names()
        self.day = day
        self.track = load_track(daily_board(day, boards))
        self.result: Finished | None = None
        self._options = daily_options(day, player_name, colour, boards)
        self._folders = folders
        self._index = FinishedIndex(folders, player_name)
        self._days: Mapping[str, Finished] = {}

    def refresh(self) -> None:
        """Read the results."""
        self._days = counted_days(self._index.all())
        self.result = self._days.get(self.day.isoformat())

    def table(self) -> Table:
        """Make the table of today's race.

        Raises:
            BadName: Somebody cannot be called so.
        """
        return make_table(self._options)

    @property
    def title(self) -> str:
        """Which race it is."""
        return daily_title(self.day, self.track)

    def result_lines(self) -> tuple[str, ...]:
        """Write today's result to paste, in signs and in plain characters; empty where there is none."""
        if self.result is None:
            return ()
        signs: tuple[RoundSign, ...] = ()
        if self.result.record:
            try:
                record = read_record(record_folder(self._folders) / self.result.record)
                signs = round_signs(record, self.result.car)
            except BadRecord:
                pass  # deleted, or of another version: the figures are in the index
        return tuple(result_line(self.result, signs, is_plain=is_plain) for is_plain in (False, True))

    def about(self) -> list[str]:
        """Say what the race is, and how it went so far."""
        lines = [field_text(), RULES]
        lines.append(PRACTICE if self.result else NO_RESULT)
        if streak := streak_text(days_in_a_row(self._days, self.day)):
            lines.append(streak)
        return lines

    def earlier(self) -> list[str]:
        """Write the results of the last days before today, newest first."""
        days = sorted((day for day in self._days if day != self.day.isoformat()), reverse=True)
        return [day_line(self._days[day]) for day in days[:_SHOWN_DAYS]]
