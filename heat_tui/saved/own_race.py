"""A race at this keyboard: its table, and the file that it is saved in until it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from heat_core.drivers import DriverName
from heat_core.race.setup import CarSetup
from heat_core.table import Table
from heat_core.text import counted, listed, ordinal
from heat_core.track_facts import TrackFacts
from heat_tui.saved.file import SaveFile, new_save_file
from heat_tui.saved.game import SavedFormat, SavedGame, SavingSession, read_saved
from heat_tui.state import Folders
from heat_tui.words.labels import opponents

_FORMAT: Final = 1
_MOST_KINDS: Final = 2


class _Saved(SavedFormat):
    table: bytes


class OwnRace(SavedGame):
    """A race at this keyboard that belongs to no championship.

    Attributes:
        table: Where it is raced.
    """

    def __init__(self, table: Table, file: SaveFile) -> None:
        """Used by `begin` and `load_race`."""
        super().__init__(file)
        self.table = table

    @classmethod
    def begin(cls, folders: Folders, table: Table) -> OwnRace:
        """Save a race that has just begun."""
        race = cls(table, new_save_file(folders, "race"))
        race.save()
        return race

    @property
    def text(self) -> str:
        """Which one it is, and how far: `race on USA, lap 1 of 2, round 5`."""
        view, track, laps = self.table.view(None), self.table.setup.track.name, self.table.setup.laps
        if view.status == "ended":
            return f"race on {track}, the results"
        if view.status == "set_up":
            return f"race on {track}, the draft"
        lap = max(view.cars[seat].lap for seat in self.seats)
        return f"race on {track}, lap {min(max(1, lap), laps)} of {laps}, round {view.round}"

    @property
    def place_text(self) -> str:
        """Where the only person of this keyboard is: `3rd of 6, against 2 easy bots and 3 Legends`.

        Three kinds of opponents have no room on Home: bots are counted without their levels then. Empty
        before the first round, and where several people play.
        """
        view = self.table.view(None)
        if view.status != "running" or len(self.seats) != 1:
            return ""
        (seat,) = self.seats
        bots = [driver for driver in self.drivers.values() if driver != "human"]
        legends = len(self.cars) - len(self.drivers)
        told = opponents(bots, legends)
        if len(told) > _MOST_KINDS:
            told = [counted(len(bots), "bot"), *([counted(legends, "Legend")] if legends else [])]
        return f"{ordinal(view.ranking.index(seat) + 1)} of {len(view.cars)}, against {listed(told, 'and')}"

    @property
    def track(self) -> TrackFacts:
        """Where it is raced."""
        return self.table.setup.track

    @property
    def cars(self) -> Sequence[CarSetup]:
        """Every car."""
        return self.table.setup.cars

    @property
    def drivers(self) -> Mapping[int, DriverName]:
        """Who drives each seat."""
        return self.table.drivers

    def session(self) -> OwnRaceSession:
        """Sit down at its table."""
        return OwnRaceSession(self)

    def dump(self) -> bytes:
        """Serialise everything, the seed too: the cards still to come stay the same."""
        return _ENCODER.encode(_Saved(_FORMAT, self.table.dump()))


class OwnRaceSession(SavingSession):
    """A race at this keyboard that belongs to no championship."""

    def __init__(self, race: OwnRace) -> None:
        """Take over its table."""
        super().__init__(race, race.table)

    async def close(self) -> None:
        """Leave the table: it stays saved, unless the race is over."""
        await super().close()
        if self.table.is_over:
            self._game.delete()
        else:
            self._game.close()


def load_race(file: SaveFile) -> OwnRace:
    """Read a saved race.

    Raises:
        BadDump: It is damaged, or another version wrote it.
    """
    return OwnRace(Table.load(read_saved(file, _FORMAT, _DECODER).table), file)


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Saved)
