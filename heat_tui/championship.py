"""A championship played in this terminal: its season, the race under way, and the file that keeps both.

Theory of operation. Event and grid of a race are fixed as soon as the race before is scored, so that they can
be shown before anybody starts; its table is made when it is started. Everything is saved after each choice
and whenever a race begins or ends: a championship goes on where it was left, in mid-race too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from heat_core.bots import DriverName
from heat_core.commands import Command
from heat_core.events import Event
from heat_core.race import BadDump
from heat_core.replay import Record
from heat_core.season import Season
from heat_core.season_view import SeasonView, view_season
from heat_core.table import Table
from heat_tui.local import LocalSession
from heat_tui.race.season_table import season_name
from heat_tui.season_file import SeasonFile, free_season_files, new_season_file, open_season_file
from heat_tui.state import Folders

_FORMAT: Final = 1


class _Format(msgspec.Struct):
    format: int


class _Saved(_Format):
    season: bytes
    table: bytes | None
    logs: tuple[bytes, ...] = ()


class Championship:
    """A season, the table of its race where one is under way, and their file.

    Attributes:
        season: The authority over points and grids.
        table: The race under way; None: it has yet to be started, or the season is over.
        is_saved: Whether the file holds all of this.
    """

    def __init__(
        self, season: Season, table: Table | None, file: SeasonFile, logs: Sequence[bytes] = ()
    ) -> None:
        """Used by `begin` and `saved_championships`."""
        self.season = season
        self._logs = [*logs]
        self.table = table
        self.is_saved = True
        self._file = file

    @classmethod
    def begin(cls, folders: Folders, season: Season) -> Championship:
        """Keep a season that has just begun."""
        championship = cls(season, None, new_season_file(folders))
        championship.settle()
        return championship

    @property
    def path(self) -> Path:
        """Where it is kept: what tells it from the other saved ones."""
        return self._file.path

    @property
    def name(self) -> str:
        """What to call it: `Championship 1961`, where it is a printed season."""
        return season_name(self.season.setup)

    def view(self) -> SeasonView:
        """Give what everybody may see of the season."""
        return view_season(self.season, None)

    def people(self) -> list[str]:
        """Name who plays at this keyboard."""
        cars = self.season.setup.cars
        return [cars[seat].name for seat, driver in self.season.drivers.items() if driver == "human"]

    def race(self) -> Table:
        """Give the table of the race under way, started if it has not been.

        Raises:
            ValueError: The season is over.
        """
        if self.table is None:
            if self.season.is_over:
                raise ValueError("the season is over")
            setup = self.season.race_setup(len(self.season.state.races) - 1)
            self.table = Table(setup, self.season.drivers)
            self.save()
        return self.table

    def settle(self) -> None:
        """Score the race if it is over, fix event and grid of the next one, and save."""
        if self.table is not None and self.table.is_over:
            self.season.finish_race(self.table.log)
            self._logs.append(_ENCODER.encode(self.table.log))
            self.table = None
        if self.season.state.status == "between":
            self.season.next_race()
        self.save()

    def records(self) -> tuple[Record, ...]:
        """Give all races once the season is over: until then they tell what lies in decks."""
        if not self.season.is_over:
            return ()
        return tuple(
            Record(self.season.record_setup(number), _LOG_DECODER.decode(log))
            for number, log in enumerate(self._logs)
        )

    def set_driver(self, seat: int, driver: DriverName) -> None:
        """Hand a seat to a person or a bot, in a race under way too.

        Raises:
            KeyError: There is no such seat.
        """
        self.season.set_driver(seat, driver)
        if self.table is not None:
            self.table.set_driver(seat, driver)
        self.save()

    def abandon(self) -> None:
        """End the championship before its last race; a race under way is not scored."""
        self.table = None
        self.season.abandon()
        self.save()

    def save(self) -> None:
        """Write everything; what cannot be written stops nobody from playing on."""
        table = self.table.dump() if self.table is not None else None
        saved = _Saved(_FORMAT, self.season.dump(), table, tuple(self._logs))
        self.is_saved = self._file.write(_ENCODER.encode(saved))

    def close(self) -> None:
        """Leave it for later."""
        self._file.close()

    def delete(self) -> None:
        """Forget it for good, as nobody will go on with it."""
        self._file.delete()


class SeasonSession(LocalSession):
    """The race of a championship at this keyboard; saved after every choice."""

    def __init__(self, championship: Championship) -> None:
        """Take over the race under way, or start it."""
        super().__init__(championship.race())
        self._championship = championship

    @property
    def farewell(self) -> str:
        """It is not lost."""
        return "It is saved: Home leads back to this very moment."

    async def submit(self, seat: int, decision: int | None, command: Command) -> None:
        """Answer a decision, and save.

        Raises:
            Refused: The rules do not allow it; nothing changed.
            SessionClosed: The table was left.
        """
        await super().submit(seat, decision, command)
        self._championship.save()

    async def records(self) -> tuple[Record, ...]:
        """Give all races once the championship is over; the one that is over is scored."""
        self._championship.settle()
        return self._championship.records()

    async def close(self) -> None:
        """Leave the table; a race that is over is scored."""
        await super().close()
        self._championship.settle()


def saved_championships(folders: Folders) -> Iterator[Championship]:
    """Give those that one can go on with, newest first: close each one given.

    A file that this version cannot read stays where it is, and counts as absent.
    """
    for file in free_season_files(folders):
        championship = _load(file)
        if championship is not None:
            yield championship


def newest_championship(folders: Folders) -> Championship | None:
    """Give the one that was left last, open; None where there is none."""
    return next(saved_championships(folders), None)


def championship_at(path: Path) -> Championship | None:
    """Give one of the saved ones, open; None where it is over, or played in another window."""
    file = open_season_file(path)
    return None if file is None else _load(file)


def _load(file: SeasonFile) -> Championship | None:
    """Read a championship; a file that holds none is closed."""
    try:
        data = file.read()
        if _FORMAT_DECODER.decode(data).format != _FORMAT:
            file.close()
            return None
        saved = _DECODER.decode(data)
        season = Season.load(saved.season)
        table = Table.load(saved.table) if saved.table is not None else None
        for log in saved.logs:
            _LOG_DECODER.decode(log)
    except (msgspec.DecodeError, RecursionError, BadDump):
        file.close()
        return None
    return Championship(season, table, file, saved.logs)


_ENCODER = msgspec.msgpack.Encoder()
_LOG_DECODER = msgspec.msgpack.Decoder(tuple[Event, ...])
_DECODER = msgspec.msgpack.Decoder(_Saved)
_FORMAT_DECODER = msgspec.msgpack.Decoder(_Format)
