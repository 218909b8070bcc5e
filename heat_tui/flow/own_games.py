"""The races and championships at this keyboard: one is open, others wait in their files.

Theory of operation. What is begun or continued is taken up: its file stays locked until something else is
taken up or it is put away. A race that belongs to no championship takes the place of the saved one, so
whoever begins one is asked first; championships are saved side by side.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from heat_core.season.state import Season
from heat_core.table import Table
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
        text: Which one it is, and how far.
        is_race: It belongs to no championship.
    """

    path: Path
    text: str
    is_race: bool


class OwnGames:
    """What is played at this keyboard.

    Attributes:
        game: The race or championship at hand; None: nothing is played.
    """

    def __init__(self, folders: Folders, tell: Callable[[str], object]) -> None:
        """Begin with nothing at hand.

        Args:
            tell: Is called with a sentence for each file that cannot be used.
        """
        self.game: SavedGame | None = None
        self._folders = folders
        self._tell = tell

    def saved(self) -> list[Saved]:
        """List what can be continued, the one left last first; where there are several, with who plays."""
        found = []
        for game in saved_games(self._folders, self._tell):
            with contextlib.closing(game):
                found.append((Saved(game.path, game.text, isinstance(game, OwnRace)), game.people()))
        return [
            saved._replace(text=f"{saved.text}: {', '.join(people)}") if len(found) > 1 and people else saved
            for saved, people in found
        ]

    def newest_race(self) -> OwnRace | None:
        """Take up the race that was left last; None where none is saved."""
        game = newest_race(self._folders, self._tell)
        return None if game is None else self._taken_up(game)

    def newest_championship(self) -> SeasonController | None:
        """Take up the championship that was left last; None where none is saved."""
        game = newest_championship(self._folders, self._tell)
        return None if game is None else SeasonController(self._taken_up(game))

    def at(self, path: Path) -> OwnRace | SeasonController | None:
        """Take up one of the saved ones; None where it is over or open in another window."""
        match game_at(path, self._tell):
            case OwnRace() as race:
                return self._taken_up(race)
            case Championship() as championship:
                return SeasonController(self._taken_up(championship))
            case None:
                return None

    def begin_race(self, table: Table) -> OwnRace:
        """Begin a race, and save it at once."""
        return self._taken_up(OwnRace.begin(self._folders, table))

    def begin_championship(self, season: Season) -> tuple[SeasonController, str]:
        """Begin a championship, and save it at once.

        Returns:
            The championship, and which others stay saved, in a sentence; empty where there are none.
        """
        self.put_away()
        others = [saved for saved in self.saved() if not saved.is_race]
        match others:
            case []:
                news = ""
            case [saved]:
                news = f"Also saved: {saved.text}. Continue it from home."
            case several:
                news = f"Also saved: {len(several)} others. Continue any of them from home."
        return SeasonController(self._taken_up(Championship.begin(self._folders, season))), news

    def put_away(self) -> None:
        """Leave for later what is at hand: it is saved."""
        if self.game is not None:
            self.game.close()
            self.game = None

    def _taken_up(self, game: Game) -> Game:
        self.put_away()
        self.game = game
        return game
