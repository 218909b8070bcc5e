"""The races and championships at this keyboard: one is open, others wait in their files.

Theory of operation. A game that is begun or continued is opened: its file stays locked until another game is
opened or this one is closed. One race outside championships is saved at a time, so a player who begins
another is asked first; championships are saved side by side.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from heat_core.race.setup import Colour
from heat_core.season.state import Season
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_tui.flow.season import SeasonController
from heat_tui.saved.championship import Championship
from heat_tui.saved.continuing import game_at, newest_championship, newest_race, saved_games
from heat_tui.saved.game import SavedGame
from heat_tui.saved.own_race import OwnRace
from heat_tui.state import Folders

Game = TypeVar("Game", bound=SavedGame)


class Saved(NamedTuple):
    """A race or a championship to continue.

    Attributes:
        path: Where it is saved.
        name: Which one it is, and how far.
        detail: Of the only saved one where the player is in it, else who plays; may be empty.
        is_race: It belongs to no championship.
        track: Where it continues; None: it is over.
        colour: Of the car of the first person who plays.
    """

    path: Path
    name: str
    detail: str
    is_race: bool
    track: TrackFacts | None
    colour: Colour | None

    @property
    def text(self) -> str:
        """All about it in one line."""
        return f"{self.name}: {self.detail}" if self.detail else self.name


class OwnGames:
    """What is played at this keyboard.

    Attributes:
        game: The open race or championship; None if nothing is played.
    """

    def __init__(self, folders: Folders, report: Callable[[str], object]) -> None:
        """Open nothing yet.

        Args:
            report: Is called with a sentence for each file that cannot be used.
        """
        self.game: SavedGame | None = None
        self._folders = folders
        self._report = report

    def saved(self) -> list[Saved]:
        """List what can be continued, the one left last first; where there are several, with who plays."""
        found: list[tuple[Saved, str]] = []
        for game in saved_games(self._folders, self._report):
            with contextlib.closing(game):
                is_race = isinstance(game, OwnRace)
                where = game.place_text if isinstance(game, OwnRace) else ""
                colour = next((game.cars[seat].colour for seat in game.seats), None)
                saved = Saved(game.path, game.text, where, is_race, game.track, colour)
                found.append((saved, ", ".join(game.people())))
        return [saved._replace(detail=people) if len(found) > 1 else saved for saved, people in found]

    def newest_race(self) -> OwnRace | None:
        """Open the race that was left last; None if none is saved."""
        game = newest_race(self._folders, self._report)
        return None if game is None else self._opened(game)

    def newest_championship(self) -> SeasonController | None:
        """Open the championship that was left last; None if none is saved."""
        game = newest_championship(self._folders, self._report)
        return None if game is None else SeasonController(self._opened(game))

    def open(self, path: Path) -> OwnRace | SeasonController | None:
        """Open a saved game; None if it is over or open in another window."""
        match game_at(path, self._report):
            case OwnRace() as race:
                return self._opened(race)
            case Championship() as championship:
                return SeasonController(self._opened(championship))
            case None:
                return None

    def begin_race(self, table: Table) -> OwnRace:
        """Begin a race, and save it at once."""
        return self._opened(OwnRace.begin(self._folders, table))

    def begin_championship(self, season: Season) -> tuple[SeasonController, str]:
        """Begin a championship, and save it at once.

        Returns:
            The championship, and which others stay saved, in a sentence; empty where there are none.
        """
        self.close()
        others = [saved for saved in self.saved() if not saved.is_race]
        match others:
            case []:
                news = ""
            case [saved]:
                news = f"Also saved: {saved.text}. Continue it from home."
            case several:
                news = f"Also saved: {len(several)} others. Continue any of them from home."
        return SeasonController(self._opened(Championship.begin(self._folders, season))), news

    def close(self) -> None:
        """Close the open game; it stays saved."""
        if self.game is not None:
            self.game.close()
            self.game = None

    def _opened(self, game: Game) -> Game:
        self.close()
        self.game = game
        return game
