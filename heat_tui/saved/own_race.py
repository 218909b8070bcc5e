"""A race at this keyboard: its table, and the file that it is saved in until it ends."""

from __future__ import annotations

from typing import Final

import msgspec

from heat_core.table import Table
from heat_core.text import ordinal
from heat_tui.saved.file import SaveFile, new_save_file
from heat_tui.saved.game import SavedFormat, SavedGame, SavingSession, read_saved
from heat_tui.state import Folders

_FORMAT: Final = 1


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
        """Which one it is, and how far."""
        view, track = self.table.view(None), self.table.setup.track.name
        if view.status == "ended":
            return f"race on {track}, the results"
        return f"race on {track}, " + ("the draft" if view.status == "set_up" else f"round {view.round}")

    @property
    def place_text(self) -> str:
        """Where the only person of this keyboard is: `you are 3rd of 6`; empty before the first round."""
        view = self.table.view(None)
        seats = [seat for seat, driver in self.table.drivers.items() if driver == "human"]
        if view.status != "running" or len(seats) != 1:
            return ""
        return f"you are {ordinal(view.ranking.index(seats[0]) + 1)} of {len(view.cars)}"

    def people(self) -> list[str]:
        """Name who plays at this keyboard."""
        cars = self.table.setup.cars
        return [cars[seat].name for seat, driver in self.table.drivers.items() if driver == "human"]

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
