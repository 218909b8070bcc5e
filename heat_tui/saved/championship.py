"""A championship played in this terminal: its season, the race under way, and the file that keeps both.

Theory of operation. Event and grid of a race are fixed as soon as the race before is scored, so that they can
be shown before anybody starts; its table is made when it is started. Everything is saved after each choice
and whenever a race begins or ends: a championship continues where it was left, in mid-race too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from heat_core.drivers import DriverName
from heat_core.race.dump import BadDump
from heat_core.race.events import Event
from heat_core.race.events.older import EventsDecoder
from heat_core.race.setup import CarSetup
from heat_core.record.record import Record
from heat_core.season.state import Season
from heat_core.season.view import SeasonView, view_season
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_tui.saved.file import SaveFile, new_save_file
from heat_tui.saved.game import SavedFormat, SavedGame, SavingSession, read_saved
from heat_tui.saved.keeping import keep_races
from heat_tui.state import Folders, Settings
from heat_tui.words.season_table import season_name

_FORMAT: Final = 1


class _Saved(SavedFormat):
    season: bytes
    table: bytes | None
    logs: tuple[bytes, ...] = ()


class Championship(SavedGame):
    """A season, the table of its race where one is under way, and their file.

    Attributes:
        season: The authority over points and grids.
        table: The race under way; None: it has yet to be started, or the season is over.
    """

    def __init__(
        self, season: Season, table: Table | None, file: SaveFile, logs: Sequence[bytes] = ()
    ) -> None:
        """Used by `begin` and `load_championship`."""
        super().__init__(file)
        self.season = season
        self._logs = [*logs]
        self._is_finishing = False
        self.table = table

    @classmethod
    def begin(cls, folders: Folders, season: Season) -> Championship:
        """Keep a season that has just begun."""
        championship = cls(season, None, new_save_file(folders, "season"))
        championship.settle()
        return championship

    @property
    def text(self) -> str:
        """Which one it is, and how far: `Championship 1961, race 2 of 3`, where it is a printed season."""
        view = self.view()
        at = f"race {view.race} of {len(view.races)}" if view.status != "ended" else "the final table"
        return f"{season_name(self.season.setup)}, {at}"

    def view(self) -> SeasonView:
        """Give what everybody may see of the season."""
        return view_season(self.season, None)

    @property
    def track(self) -> TrackFacts | None:
        """Where the race under way, or the next one, is raced; None: the season is over."""
        if self.season.is_over:
            return None
        return self.season.setup.races[self.view().race - 1].track

    @property
    def cars(self) -> Sequence[CarSetup]:
        """Every car of the season."""
        return self.season.setup.cars

    @property
    def drivers(self) -> Mapping[int, DriverName]:
        """Who drives each seat."""
        return self.season.drivers

    def race(self) -> Table:
        """Give the table of the race under way, started if it has not been.

        Raises:
            ValueError: The season is over.
        """
        if self.table is None:
            if self.season.is_over:
                raise ValueError("the championship is over")
            setup = self.season.race_setup(len(self.season.state.races) - 1)
            self.table = Table(setup, self.season.drivers)
            self.save()
        return self.table

    def settle(self) -> None:
        """Score the race if it is over, fix event and grid of the next one, and save."""
        if self.table is not None and self.table.is_over:
            self.season.finish_race(self.table.log, self.table.setup.rules_version)
            self._logs.append(_ENCODER.encode(self.table.log))
            self.table = None
        if self.season.state.status == "between":
            self.season.next_race()
        self.save()

    def records(self) -> tuple[Record, ...]:
        """Give all races once the season is over: until then they reveal what is in decks."""
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

    async def finish(self, folders: Folders, settings: Settings) -> None:
        """Write down the races of a championship that is over, as the settings say, then remove its file."""
        self._is_finishing = True
        await keep_races(folders, settings, self.records(), self.seats)
        self.delete()

    def close(self) -> None:
        """Leave it for later; one that is being finished stays locked until its file is gone."""
        if not self._is_finishing:
            super().close()

    def dump(self) -> bytes:
        """Serialise everything."""
        table = self.table.dump() if self.table is not None else None
        return _ENCODER.encode(_Saved(_FORMAT, self.season.dump(), table, tuple(self._logs)))


class SeasonSession(SavingSession):
    """The race of a championship at this keyboard."""

    def __init__(self, championship: Championship) -> None:
        """Take over the race under way, or start it."""
        super().__init__(championship, championship.race())
        self._championship = championship

    async def records(self) -> tuple[Record, ...]:
        """Give all races once the championship is over; the one that is over is scored."""
        self._championship.settle()
        return self._championship.records()

    async def close(self) -> None:
        """Leave the table; a race that is over is scored."""
        await super().close()
        self._championship.settle()


def load_championship(file: SaveFile) -> Championship:
    """Read a saved championship.

    Raises:
        BadDump: It is damaged, or another version wrote it.
    """
    saved = read_saved(file, _FORMAT, _DECODER)
    season = Season.load(saved.season)
    table = Table.load(saved.table) if saved.table is not None else None
    try:
        for log in saved.logs:
            _LOG_DECODER.decode(log)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDump(f"no championship: {error}") from None
    return Championship(season, table, file, saved.logs)


_ENCODER = msgspec.msgpack.Encoder()
_LOG_DECODER = EventsDecoder(msgspec.msgpack.Decoder(tuple[Event, ...]))
_DECODER = msgspec.msgpack.Decoder(_Saved)
