"""The career for both faces: read from the index of finished races."""

from __future__ import annotations

from heat_core.record.playback import Playback
from heat_core.record.record import BadRecord
from heat_tui.saved.badges import Badge, BadgeKind, badges, badges_left
from heat_tui.saved.career import Career, career_of
from heat_tui.saved.finished import Finished, FinishedIndex
from heat_tui.saved.records import read_playback, record_files, record_folder
from heat_tui.state import Folders


class CareerController:
    """A player's career.

    Attributes:
        career: All own races.
        won: The badges.
        left: Those still to be won.
        fault: What of the index could not be read, in one sentence; empty: nothing.
    """

    career: Career
    won: list[Badge]
    left: list[BadgeKind]
    fault: str

    def __init__(self, folders: Folders, player_name: str) -> None:
        """Read the index."""
        index = FinishedIndex(folders, player_name)
        races = index.all()
        self.career = career_of(races)
        self.won = badges(races)
        self.left = badges_left(self.won)
        self.fault = index.fault
        self._folders = folders
        self._records = {path.name for _, path in record_files(folders)}

    @property
    def newest(self) -> list[Finished]:
        """All races that count, the newest first."""
        return [*reversed(self.career.counted)]

    def can_watch(self, race: Finished) -> bool:
        """Tell whether the record of a race is still there."""
        return race.record in self._records

    def playback(self, race: Finished) -> Playback:
        """Read the record of a race; see `playback_of`."""
        return playback_of(self._folders, race)


def playback_of(folders: Folders, race: Finished) -> Playback:
    """Read the record of a finished race, to be watched; not on the loop.

    Raises:
        BadRecord: It was not saved, cannot be read or does not hold; the text says so.
    """
    if not race.record:
        raise BadRecord("This race was not saved")
    path = record_folder(folders) / race.record
    if not path.exists():
        raise BadRecord("The record of this race is no longer there")
    return read_playback(path)
