"""The ghost: the best own race on this board, which drives along in a race at one's own keyboard.

In each round the ghost is where its race stood at the end of that round, so that a choice can aim at it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from heat_core.game_files import read_record
from heat_core.race.setup import Colour, RaceSetup
from heat_core.record.figures import race_figures
from heat_core.record.record import BadRecord
from heat_core.text import counted
from heat_core.track import RACE_LINE_SPOT
from heat_tui.client.session import Session
from heat_tui.map.marks import CarMark
from heat_tui.saved.finished import Finished, FinishedIndex
from heat_tui.saved.records import record_folder
from heat_tui.state import Folders

GHOST_LETTER: Final = "g"
"""Cars have capital letters."""
_NUMBER: Final = -1
"""No car has it."""


class Ghost(NamedTuple):
    """A race that drives along.

    Attributes:
        colour: Of its car.
        progress: By round, where it stood at the round's end; the last one is behind the finish line.
    """

    colour: Colour
    progress: tuple[int, ...]

    def at(self, round_number: int) -> int | None:
        """Give where it is at the end of a round, behind the finish where it ended; None before the start."""
        return self.progress[min(round_number, len(self.progress)) - 1] if round_number > 0 else None

    def mark(self, round_number: int) -> CarMark | None:
        """Make its mark on the map; None before the start and once it has left the track."""
        progress = self.at(round_number)
        if progress is None or round_number > len(self.progress):
            return None
        return CarMark(
            _NUMBER, GHOST_LETTER, self.colour, progress, RACE_LINE_SPOT,
            is_active=False, is_own=False, is_ghost=True,
        )  # fmt: skip

    def told(self, round_number: int, progress: int) -> str:
        """Say how far it was ahead of a car at the end of a round."""
        at = self.at(round_number)
        if at is None:
            return ""
        if round_number > len(self.progress):
            return f"your best race here was over in round {len(self.progress)}"
        spaces = abs(at - progress)
        if not spaces:
            return "your best race here was on the same space"
        return f"your best race here was {counted(spaces, 'space')} {'ahead' if at > progress else 'behind'}"


GhostFinder: TypeAlias = Callable[[], Ghost | None]
"""Reads the ghost of a race; takes as long as reading a record."""


def ghost_finder(folders: Folders, player_name: str, session: Session) -> GhostFinder | None:
    """Give what finds the ghost of a race at this keyboard; None where several people share it."""
    return partial(find_ghost, folders, player_name, session.setup) if len(session.seats) == 1 else None


def find_ghost(folders: Folders, player_name: str, setup: RaceSetup) -> Ghost | None:
    """Find the best finished own race like this one: the same track, laps, rules and modules.

    Args:
        setup: The public one will do. Races from a position and those of a championship have no ghost.

    Returns:
        None where there is none whose record can be read.
    """
    if setup.position is not None or setup.season is not None:
        return None
    races = [race for race in FinishedIndex(folders, player_name).all() if _may_match(race, setup)]
    for race in sorted(races, key=lambda race: race.rank):
        try:
            record = read_record(record_folder(folders) / race.record)
        except BadRecord:
            continue  # deleted, or of another version
        if (record.setup.track, record.setup.rules) == (setup.track, setup.rules):
            figures = race_figures(record.setup, record.events)[race.car]
            return Ghost(race.colour, tuple(figures.progress[: figures.rounds]))
    return None


def _may_match(race: Finished, setup: RaceSetup) -> bool:
    return (
        race.is_finished
        and not race.race_of_season
        and bool(race.record)
        and (race.board, race.laps, race.modules) == (setup.track.id, setup.laps, setup.modules)
    )
